"""Label containers with the process that owns them, and recognize those whose owner has ended."""

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

RUN, OWNER, HOST = "steelyard.run", "steelyard.owner", "steelyard.host"
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def owner_labels(run: str) -> dict[str, str]:
    """Return the labels of a container that this process starts."""
    return {RUN: run, OWNER: _identify(os.getpid()), HOST: _host()}


def is_abandoned(labels: Mapping[str, str]) -> bool:
    """Whether a container belongs to a process of this machine that has ended."""
    if OWNER not in labels or labels.get(HOST) != _host():
        return False
    owner = labels[OWNER]
    pid = owner.partition("-")[0]
    return pid.isdecimal() and _identify(int(pid)) != owner


@cache
def _host() -> str:
    return BOOT_ID.read_text().strip() if BOOT_ID.exists() else os.uname().nodename


def _identify(pid: int) -> str:
    """Return a process's id with its start time: ids are used again."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return f"{pid}-gone"
    return f"{pid}-{fields[19]}"
