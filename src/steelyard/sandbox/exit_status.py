"""Turn the end of a command into its result."""

import signal
from dataclasses import dataclass

from steelyard.errors import SandboxError
from steelyard.model.execution import ExecResult, Limit, Limits, Stream
from steelyard.sandbox.cgroups.groups import GroupUsage
from steelyard.sandbox.collect_files import CollectedFiles

SIGNALLED = 128  # what a shell adds to the number of the signal that ended a program
LAST_SIGNAL = 64
CPU_GRACE_S = 1.0  # the kernel counts whole seconds for each process; this is their sum


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a command ended; `stopped` is the limit for which Steelyard stopped it."""

    status: int | None
    stopped: Limit | None
    usage: GroupUsage
    wall_s: float
    had_longer: bool = False


def result_of(ending: Ending, streams: list[Stream], collected: CollectedFiles, limits: Limits) -> ExecResult:
    """Return the result of a command; raise SandboxError if it never started."""
    stdout, stderr, *channel = streams
    exit_code, killer = _exit(ending)
    limit = ending.stopped or _limit(ending.usage, killer, limits)
    if ending.status is None and limit is None:
        reason = stderr.decoded().strip() or "no error message"
        raise SandboxError(f"the sandbox could not start the command: {reason}")
    return ExecResult(
        exit_code=exit_code,
        signal=killer,
        limit=limit,
        stdout=stdout,
        stderr=stderr,
        channel=channel[0] if channel else Stream(),
        wall_s=ending.wall_s,
        cpu_s=ending.usage.cpu_s,
        peak_memory_bytes=ending.usage.peak_memory_bytes,
        had_longer=ending.had_longer,
        files=collected.files,
        refused=collected.refused,
    )


def _exit(ending: Ending) -> tuple[int | None, int | None]:
    """Return the exit code or the signal."""
    if ending.stopped or ending.status is None:
        return None, int(signal.SIGKILL)
    if SIGNALLED < ending.status <= SIGNALLED + LAST_SIGNAL:
        return None, ending.status - SIGNALLED
    return ending.status, None


def _limit(usage: GroupUsage, killer: int | None, limits: Limits) -> Limit | None:
    """Return the limit that a command hit before it ended by itself."""
    if usage.out_of_memory:
        return Limit.MEMORY
    if killer == signal.SIGXCPU or (usage.cpu_s is not None and usage.cpu_s > limits.cpu_s + CPU_GRACE_S):
        return Limit.CPU
    if killer == signal.SIGXFSZ:
        return Limit.FILE_SIZE
    return Limit.PROCESSES if usage.out_of_processes else None
