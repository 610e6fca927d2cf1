"""Extend time limits of checks while the processors are busy, and add up what their commands used.

An answer with many processes must not cause timeouts of other answers.
"""

import threading
from dataclasses import replace

from steelyard.model.execution import Command, ExecResult
from steelyard.ports import Sandbox

LONGER = 4.0  # times the limit, at most: by then an answer has had a quarter of a processor


class CommandUsage(threading.local):
    """What the commands of a check used, per thread: a check runs all its commands in one."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Clear the record of this thread."""
        self.had_longer = False
        self.cpu_s: float | None = None

    def add(self, ended: ExecResult) -> None:
        """Record a command."""
        self.had_longer = self.had_longer or ended.had_longer
        if ended.cpu_s is not None:
            self.cpu_s = (self.cpu_s or 0.0) + ended.cpu_s


class FairSandbox:
    """Wraps a sandbox and excludes waiting for a processor from time limits."""

    def __init__(self, sandbox: Sandbox, usage: CommandUsage) -> None:
        self._sandbox = sandbox
        self._usage = usage

    def run(self, command: Command) -> ExecResult:
        """Run a command, with more time if other processes occupy the processors."""
        limits = replace(command.limits, busy_wall_s=LONGER * command.limits.wall_s)
        ended = self._sandbox.run(replace(command, limits=limits))
        self._usage.add(ended)
        return ended
