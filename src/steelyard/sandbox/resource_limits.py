"""Set the limits that the kernel keeps for each single process and its descendants."""

import math
import resource
from collections.abc import Mapping

from steelyard.model.execution import Limits
from steelyard.sandbox.cgroups.groups import FIRST

# Too small for any file; and where this machine hands cores to a program, which heeds no other limit, the one
# value by which the kernel leaves that program alone.
NO_CORE = 1
# The kernel adds them up for all commands of a user, and for root even over user namespaces.
PENDING_SIGNALS = 256
SPARE_FILES = 64  # for setting up the sandbox, before the command starts


def resource_limits(limits: Limits, *, passed_descriptors: int, grouped: bool) -> dict[str, tuple[int, int]]:
    """Return the soft and hard limits by name; `handed_over` descriptors are open from the start.

    Without a control group, memory and processes are limited here: memory for each process alone, processes
    for each user, which is one of its own in a user namespace of its own.
    """
    files = max(limits.open_files, passed_descriptors + SPARE_FILES)
    seconds = max(math.ceil(limits.cpu_s), 1)
    wanted = {
        "RLIMIT_CPU": (seconds, seconds + 1),  # a warning, then the end
        "RLIMIT_FSIZE": (limits.file_bytes, limits.file_bytes),
        "RLIMIT_NOFILE": (files, files),
        "RLIMIT_CORE": (NO_CORE, NO_CORE),
        "RLIMIT_MEMLOCK": (0, 0),
        "RLIMIT_MSGQUEUE": (0, 0),
        "RLIMIT_SIGPENDING": (PENDING_SIGNALS, PENDING_SIGNALS),
    }
    if not grouped:
        processes = limits.processes + FIRST
        wanted["RLIMIT_NPROC"] = (processes, processes)
        # Not RLIMIT_AS: Java, Go and Node reserve far more addresses than they ever fill.
        wanted["RLIMIT_DATA"] = (limits.memory_bytes, limits.memory_bytes)
    return wanted


def set_resource_limits(pid: int, wanted: Mapping[str, tuple[int, int]]) -> None:
    """Limit a process and what it will start, as far as it is not limited more already."""
    for name, (soft, hard) in wanted.items():
        kind = getattr(resource, name)
        _, ceiling = resource.prlimit(pid, kind)
        top = hard if ceiling == resource.RLIM_INFINITY else min(hard, ceiling)
        resource.prlimit(pid, kind, (min(soft, top), top))
