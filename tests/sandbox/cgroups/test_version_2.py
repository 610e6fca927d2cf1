"""Control groups of version 2 on a real kernel: User-mode Linux, started for it, with nothing of version 1.

Where this machine counts memory in version 1, its own kernel cannot do so in version 2 as well.
"""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from steelyard.model.execution import Limit
from tests.house.package import REPOSITORY

LINUX = shutil.which("linux.uml")
# User-mode Linux 6.1 has no room for the registers of AMX: it panics when its first program starts.
HAS_AMX = "amx_tile" in Path("/proc/cpuinfo").read_text(encoding="utf-8")
SANDBOXES = ("bubblewrap", "warm", "oci")
# The root is this machine's, read-only; what is told goes to a folder that is mounted beside it.
FIRST_PROGRAM = """#!/bin/sh
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t cgroup2 none /sys/fs/cgroup
mount -t hostfs -o {folder} none /mnt
mount -t tmpfs tmp /tmp; mount -t tmpfs run /run; ln -s /proc/self/fd /dev/fd
cd {repository}
export PATH={path} HOME=/tmp PYTHONDONTWRITEBYTECODE=1
{python} -m tests.sandbox.cgroups.inside {names} > /mnt/told 2> /mnt/complaints
echo o > /proc/sysrq-trigger
sleep 600
"""
LIMIT_S = 1500.0


@pytest.mark.timeout(1600)
@pytest.mark.skipif(os.geteuid() != 0, reason="the sandboxes that need root are among them")
@pytest.mark.skipif(HAS_AMX, reason="NOT TESTED: User-mode Linux does not start on a processor with AMX")
@pytest.mark.skipif(LINUX is None, reason="no kernel to start: apt-get install user-mode-linux")
def test_version_2_holds_commands_and_counts_what_they_use(tmp_path: Path) -> None:
    first = tmp_path / "first"
    values = {
        "folder": tmp_path,
        "repository": REPOSITORY,
        "path": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "python": sys.executable,
        "names": " ".join(SANDBOXES),
    }
    quoted = {name: value if name == "names" else shlex.quote(str(value)) for name, value in values.items()}
    first.write_text(FIRST_PROGRAM.format(**quoted), encoding="utf-8")
    first.chmod(0o755)

    start(first)

    told = (tmp_path / "told").read_text(encoding="utf-8")
    assert told, (tmp_path / "complaints").read_text(encoding="utf-8")
    assert json.loads(told) == {
        "limits": "control groups version 2",
        "left": [],
        **{f"{name}: {what}": Limit.MEMORY for name in SANDBOXES for what in ("memory", "memory together")},
        **{f"{name}: processes": "11" for name in SANDBOXES},  # EAGAIN
        **{f"{name}: counts": [0, None, True] for name in SANDBOXES},
    }


def start(first: Path) -> None:
    """Start a kernel with a program as its first, and wait for both to end."""
    words = ["root=/dev/root", "rootfstype=hostfs", "rootflags=/", "ro", f"init={first}", "mem=1G"]
    words += ["cgroup_no_v1=all", "con=null", "con0=null,null", "quiet"]
    kernel = subprocess.Popen(
        [str(LINUX), *words],
        env={"HOME": str(first.parent), "TMPDIR": "/dev/shm", "PATH": os.defpath},  # noqa: S108  # its memory
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        kernel.wait(LIMIT_S)
    finally:
        if kernel.poll() is None:
            os.killpg(kernel.pid, signal.SIGKILL)
            kernel.wait()
