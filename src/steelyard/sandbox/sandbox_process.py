"""Run one command in any sandbox backend: start it, enforce its limits, clean up, return its result."""

import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from steelyard.errors import SandboxError
from steelyard.model.execution import Command, ExecResult, Limit
from steelyard.sandbox.cgroups.groups import Group, GroupPool, GroupUsage
from steelyard.sandbox.collect_files import CollectedFiles, collect_for
from steelyard.sandbox.descriptors import Wiring
from steelyard.sandbox.exit_status import CPU_GRACE_S, Ending, result_of
from steelyard.sandbox.layout import WORKSPACE, held_folders
from steelyard.sandbox.process_tree import ProcessTree
from steelyard.sandbox.reap import reap_strays
from steelyard.sandbox.resource_limits import resource_limits, set_resource_limits
from steelyard.sandbox.streams import Capture, PipePump
from steelyard.sandbox.waiting import idle_share, is_waiting, processor_times

STARVED = 0.75  # a command with a smaller share of processor time may have waited for a processor
BUSY = 0.1  # a machine with a smaller idle share is busy
STEP_S = 0.25  # between extensions of a time limit
END_S = 120.0  # a killed process that is still there by then will not go away
PAUSE_S = 0.001
MAY_READ, MAY_WRITE = 0o644, 0o622  # for a command that runs as another user


class SandboxProcess(Protocol):
    """The sandbox of one command."""

    @property
    def limits_itself(self) -> bool:
        """Whether it sets the limits of single processes itself."""

    @property
    def joins_itself(self) -> bool:
        """Whether it enters its control group itself."""

    @property
    def ended(self) -> int:
        """A descriptor that becomes readable when the command has ended."""

    def wait_until_started(self) -> int:
        """Return the pid of the first process inside, once there is one."""

    def open_folders(self, pid: int, folders: Sequence[str]) -> dict[str, int]:
        """Open the workspace and the `folders` that are mounts of their own.

        The descriptors outlive the sandbox; mounts inside the workspace do not.
        """

    def start_command(self) -> None:
        """Start the command."""

    def end(self) -> None:
        """Kill all remaining processes and wait until they are gone."""

    def status(self) -> int | None:
        """Return the exit code, 128 + N for a signal, or None if nothing started or Steelyard killed it."""

    def usage(self) -> GroupUsage:
        """Return the usage counted by the sandbox itself; call `status` first."""


Streams = tuple[int, ...]  # stdin, stdout, stderr and, if requested, the channel
Maker = Callable[[Streams, Wiring, Group | None], SandboxProcess]


def run_in_sandbox(
    command: Command, groups: GroupPool | None, make: Maker, *, channel_at: Path | None = None
) -> ExecResult:
    """Create a sandbox, run a command in it, and return the result.

    `channel_at` is the path of a named pipe, for sandboxes that inherit only the standard streams.
    """
    with Wiring() as wiring:
        if groups is None:
            return _run(command, None, wiring, make, channel_at)
        with groups.taken(command.limits) as group:
            return _run(command, group, wiring, make, channel_at)


def _run(
    command: Command, group: Group | None, wiring: Wiring, make: Maker, channel_at: Path | None
) -> ExecResult:
    feed, stdin = wiring.to_child()
    outputs = [wiring.from_child(), wiring.from_child()]
    _allow_reopening(stdin, [writing for _, writing in outputs])
    outputs += [wiring.from_child(channel_at)] if command.channel else []
    captures = {reading: Capture(command.limits.output_bytes) for reading, _ in outputs}
    pump = PipePump(captures, feed=(feed, command.stdin), limits=command.limits, owner=wiring.ours)
    process = make((stdin, *(writing for _, writing in outputs)), wiring, group)
    try:
        folders, counted = _admit(process, command, group)
    except (SandboxError, OSError) as error:
        process.end()
        pump.drain()
        complaint = captures[outputs[1][0]].stream().decoded().strip()
        raise SandboxError(f"the sandbox did not start: {complaint or error}") from error
    began = time.monotonic()
    try:
        stopped, had_longer = _wait(process, command, counted, pump)
    finally:
        wall_s = time.monotonic() - began
        process.end()
        if group:
            reap_strays(kill_members(group))
    pump.drain()
    collected = collect_for(command, folders) if folders else CollectedFiles()
    status, used = process.status(), process.usage()
    usage = group.usage() if group else used
    ending = Ending(status=status, stopped=stopped, usage=usage, wall_s=wall_s, had_longer=had_longer)
    return result_of(ending, [capture.stream() for capture in captures.values()], collected, command.limits)


def _allow_reopening(stdin: int, outputs: Sequence[int]) -> None:
    """Let a command that runs as another user open its streams by name, such as `/dev/stdin`.

    This is safe: a pipe is reachable only as `/proc/PID/fd/N`, which requires permission to trace the
    process, and the mode allows only the direction that the command already has. The channel keeps its mode.
    """
    os.fchmod(stdin, MAY_READ)
    for output in outputs:
        os.fchmod(output, MAY_WRITE)


def _wait(
    process: SandboxProcess, command: Command, counted: Group | ProcessTree, pump: PipePump
) -> tuple[Limit | None, bool]:
    """Wait until a command ends or hits a limit; return the limit, and whether the time was extended.

    On a busy machine the time is extended until the command has had most of its time on a processor: load
    from other processes must not time out a right answer.
    """
    limits, began, before = command.limits, time.monotonic(), processor_times()

    def until(seconds: float) -> Limit | None:
        return pump.until(process.ended, deadline=began + seconds, watch=lambda: _limit_hit(counted, command))

    stopped, seconds = until(limits.wall_s), limits.wall_s
    if stopped is not Limit.WALL or idle_share(before, processor_times()) >= BUSY:
        return stopped, False
    while stopped is Limit.WALL and seconds < limits.busy_wall_s and _is_waiting(counted, limits.wall_s):
        seconds = min(seconds + STEP_S, limits.busy_wall_s)
        stopped = until(seconds)
    return stopped, seconds > limits.wall_s


def _is_waiting(counted: Group | ProcessTree, wall_s: float) -> bool:
    """Whether a command waits for a processor and has used less than its time."""
    return counted.cpu_s() < STARVED * wall_s and is_waiting(counted.members)


def kill_members(group: Group) -> set[int]:
    """Kill and return the processes that outlived their command (only plain processes leave any)."""
    deadline = time.monotonic() + END_S
    killed: set[int] = set()
    while members := group.members():
        killed.update(members)
        for pid in members:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if time.monotonic() > deadline:
            raise SandboxError(f"processes {members} are still running {END_S:g} s after they were killed")
        time.sleep(PAUSE_S)
    return killed


def _admit(
    process: SandboxProcess, command: Command, group: Group | None
) -> tuple[Mapping[str, int], Group | ProcessTree]:
    """Set the limits of a started sandbox, then start the command.

    Returns the open folders (if files are collected) and the counter of the command's usage.
    """
    pid = process.wait_until_started()
    if group and not process.joins_itself:
        group.join(pid)
    collects_files = command.keep or command.keep_matching
    folders = process.open_folders(pid, held_folders(command) or [WORKSPACE]) if collects_files else {}
    if not process.limits_itself:
        limits = resource_limits(command.limits, passed_descriptors=len(command.files), grouped=bool(group))
        set_resource_limits(pid, limits)
    process.start_command()
    return folders, group or ProcessTree(pid)


def _limit_hit(counted: Group | ProcessTree, command: Command) -> Limit | None:
    """Return the limit that all processes together exceed; control groups enforce memory themselves."""
    return Limit.CPU if counted.cpu_s() > command.limits.cpu_s + CPU_GRACE_S else None
