"""Set the resource limits of a process, which its descendants inherit."""

import math
import resource
from collections.abc import Mapping

from steelyard.model.execution import Limits
from steelyard.sandbox.cgroups.groups import FIRST

# Too small for a core file, and the only value with which the kernel pipes no core to a program either.
NO_CORE = 1
# Counted over all commands of a user, for root even across user namespaces.
PENDING_SIGNALS = 256
SPARE_FILES = 64  # for the set-up of the sandbox


def resource_limits(limits: Limits, *, passed_descriptors: int, grouped: bool) -> dict[str, tuple[int, int]]:
    """Return the soft and hard limits by name; `passed_descriptors` are open from the start.

    Without a control group, they include the private data of each process and the processes of the user.
    """
    files = max(limits.open_files, passed_descriptors + SPARE_FILES)
    seconds = max(math.ceil(limits.cpu_s), 1)
    chosen = {
        "RLIMIT_CPU": (seconds, seconds + 1),  # SIGXCPU, then SIGKILL
        "RLIMIT_FSIZE": (limits.file_bytes, limits.file_bytes),
        "RLIMIT_NOFILE": (files, files),
        "RLIMIT_CORE": (NO_CORE, NO_CORE),
        "RLIMIT_MEMLOCK": (0, 0),
        "RLIMIT_MSGQUEUE": (0, 0),
        "RLIMIT_SIGPENDING": (PENDING_SIGNALS, PENDING_SIGNALS),
    }
    if not grouped:
        processes = limits.processes + FIRST
        chosen["RLIMIT_NPROC"] = (processes, processes)
        # Not RLIMIT_AS: Java, Go and Node reserve far more addresses than they use.
        chosen["RLIMIT_DATA"] = (limits.memory_bytes, limits.memory_bytes)
    return chosen


def set_resource_limits(pid: int, limits: Mapping[str, tuple[int, int]]) -> None:
    """Limit a process and its descendants; never raises a hard limit."""
    for name, (soft, hard) in limits.items():
        kind = getattr(resource, name)
        _, ceiling = resource.prlimit(pid, kind)
        top = hard if ceiling == resource.RLIM_INFINITY else min(hard, ceiling)
        resource.prlimit(pid, kind, (min(soft, top), top))
