"""A Ray cluster of several machines on this one, and ways to kill a part of it in the middle of its work."""

import logging
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

import ray
from ray._private.node import Node
from ray._private.ray_constants import RAY_WORKER_NICENESS
from ray.cluster_utils import Cluster

from steelyard.runner.ray.engine import SETTINGS

PATIENCE_S = 60.0
MACHINE: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 2**27}


@contextmanager
def small_cluster() -> Iterator[Cluster]:
    """Start a machine of one core, to which others may be added; all gone when the block ends."""
    os.environ.update(SETTINGS)
    # Or other tests, run at the same time, would starve the workers.
    os.environ[RAY_WORKER_NICENESS] = "0"
    cluster = Cluster(initialize_head=True, head_node_args={**MACHINE, "include_dashboard": False})
    ray.init(address=cluster.address, log_to_driver=False, logging_level=logging.ERROR)
    try:
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()  # type: ignore[no-untyped-call]  # Ray's own gap


def first(cluster: Cluster) -> Node:
    """Return the machine that the cluster was started with."""
    return cast("Node", cluster.head_node)


def add_machine(cluster: Cluster) -> Node:
    """Add a machine."""
    return cast("Node", cluster.add_node(**MACHINE))


def at_work(machine: Node, function: str) -> int:
    """Wait until a process of a machine is in the middle of a function, as its title tells, and return it."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        for pid in _family(machine):
            if _title(pid) == f"ray::{function}":
                return pid
        time.sleep(0.005)
    raise AssertionError(f"nobody came to {function}")


def kill(machine: Node) -> None:
    """End a machine as a power cut does. Its workers too: they would go on without it."""
    for pid in _family(machine):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _family(machine: Node) -> list[int]:
    """Return the process that manages a machine, and all below it."""
    started = machine.all_processes.get("raylet", ())  # none while it starts
    found = {process.process.pid for process in started}
    parents = {int(path.name): _parent(path) for path in Path("/proc").glob("[0-9]*")}
    while fresh := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= fresh
    return sorted(found)


def _parent(process: Path) -> int:
    with suppress(OSError):
        return int(
            (process / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1]
        )
    return 0


def _title(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().partition(b"\0")[0].decode().strip()
    return ""
