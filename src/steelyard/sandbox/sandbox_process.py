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
from steelyard.sandbox.collect_files import CollectedFiles, collected_files
from steelyard.sandbox.descriptors import Wiring
from steelyard.sandbox.exit_status import CPU_GRACE_S, Ending, result
from steelyard.sandbox.layout import WORKSPACE, held_folders
from steelyard.sandbox.process_tree import ProcessTree
from steelyard.sandbox.reap import reap_strays
from steelyard.sandbox.resource_limits import resource_limits, set_resource_limits
from steelyard.sandbox.streams import Capture, PipePump
from steelyard.sandbox.waiting import idle_share, is_waiting, processor_times

STARVED = 0.75  # a command that computed for less of its time than this may have waited for a processor
BUSY = 0.1  # a machine that idles less than this has no processor to spare
STEP_S = 0.25  # after which a command that got more time is looked at again
END_S = 120.0  # a killed process that is still there by then will not go, however busy the machine
PAUSE_S = 0.001
MAY_READ, MAY_WRITE = 0o644, 0o622  # what a command of another user may do with its own streams


class SandboxProcess(Protocol):
    """The sandbox of one command, from its set-up to its end."""

    @property
    def limits_itself(self) -> bool:
        """Whether it sets the limits of single processes itself."""

    @property
    def joins_itself(self) -> bool:
        """Whether it enters its control group itself."""

    @property
    def ended(self) -> int:
        """A descriptor that can be read when the command has ended."""

    def wait_until_started(self) -> int:
        """Return the process number of the first process inside, once there is one."""

    def open_folders(self, pid: int, folders: Sequence[str]) -> dict[str, int]:
        """Return the workspace, seen from outside, and those of some folders that are not in it by then.

        They outlive the sandbox. File systems mounted in the workspace are gone from it afterwards.
        """

    def start_command(self) -> None:
        """Start the command."""

    def end(self) -> None:
        """Kill whatever is left, and return when it is gone."""

    def status(self) -> int | None:
        """Return the exit code, 128 + N for a signal, or None when nothing was started or we killed it."""

    def usage(self) -> GroupUsage:
        """Return the resources used, as the sandbox itself counts them; call `status` first."""


Streams = tuple[int, ...]  # what the command takes as stdin, stdout, stderr and, if requested, its channel
Maker = Callable[[Streams, Wiring, Group | None], SandboxProcess]


def run_in_sandbox(
    command: Command, groups: GroupPool | None, make: Maker, *, channel_at: Path | None = None
) -> ExecResult:
    """Make a sandbox, run a command in it, and return the result.

    `channel_at` is for a sandbox that inherits no pipe but the usual three: its channel is a named one.
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
        raise SandboxError(f"the sandbox did not come up: {complaint or error}") from error
    began = time.monotonic()
    try:
        stopped, had_longer = _wait(process, command, counted, pump)
    finally:
        wall_s = time.monotonic() - began
        process.end()
        if group:
            reap_strays(emptied(group))
    pump.drain()
    kept = collected_files(folders, command) if folders else CollectedFiles()
    status, used = process.status(), process.usage()
    usage = group.usage() if group else used
    ending = Ending(status=status, stopped=stopped, usage=usage, wall_s=wall_s, had_longer=had_longer)
    return result(ending, [capture.stream() for capture in captures.values()], kept, command.limits)


def _allow_reopening(stdin: int, outputs: Sequence[int]) -> None:
    """Allow a command of another user to open its usual streams by name, such as `/dev/stdin`.

    That opens nothing to others. A pipe has no name but `/proc/PID/fd/N`, which a process finds for those
    alone that it may trace, and each pipe can be opened only in the direction in which the command holds it.
    The channel stays ours.
    """
    os.fchmod(stdin, MAY_READ)
    for output in outputs:
        os.fchmod(output, MAY_WRITE)


def _wait(
    process: SandboxProcess, command: Command, counted: Group | ProcessTree, pump: PipePump
) -> tuple[Limit | None, bool]:
    """Wait until a command ends or hits a limit; return the limit, and whether it got more time.

    On a busy machine a command goes on until it has had most of its time on a processor: what others do must
    not turn a right answer into one that takes too long.
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
    """Whether a command wants a processor and has had less of one than its time."""
    return counted.cpu_s() < STARVED * wall_s and is_waiting(counted.members)


def emptied(group: Group) -> set[int]:
    """Kill the processes that outlived their command (only a plain process leaves any); return them."""
    deadline = time.monotonic() + END_S
    killed: set[int] = set()
    while members := group.members():
        killed.update(members)
        for pid in members:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if time.monotonic() > deadline:
            raise SandboxError(f"processes {members} are still there {END_S:g} s after they were killed")
        time.sleep(PAUSE_S)
    return killed


def _admit(
    process: SandboxProcess, command: Command, group: Group | None
) -> tuple[Mapping[str, int], Group | ProcessTree]:
    """Set the limits of a started sandbox, then start the command.

    Returns the open folders, if files are wanted, and what counts the command's use of resources.
    """
    pid = process.wait_until_started()
    if group and not process.joins_itself:
        group.join(pid)
    wants_files = command.keep or command.keep_matching
    folders = process.open_folders(pid, held_folders(command) or [WORKSPACE]) if wants_files else {}
    if not process.limits_itself:
        wanted = resource_limits(command.limits, passed_descriptors=len(command.files), grouped=bool(group))
        set_resource_limits(pid, wanted)
    process.start_command()
    return folders, group or ProcessTree(pid)


def _limit_hit(counted: Group | ProcessTree, command: Command) -> Limit | None:
    """Return the limit that all processes together exceed; control groups enforce memory themselves."""
    return Limit.CPU if counted.cpu_s() > command.limits.cpu_s + CPU_GRACE_S else None
