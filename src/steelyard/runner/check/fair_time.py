"""Extend time limits of checks while the processors are busy.

An answer with many processes must not cause timeouts of other answers.
"""

import threading
from dataclasses import replace

from steelyard.model.execution import Command, ExecResult
from steelyard.ports import Sandbox

LONGER = 4.0  # times the limit, at most: by then an answer has had a quarter of a processor


class LongerRuns:
    """Records extended time limits per thread: a check runs all its commands in one."""

    def __init__(self) -> None:
        self._seen = threading.local()

    def add(self) -> None:
        """Record an extension."""
        self._seen.any = True

    def any(self) -> bool:
        """Whether this thread had an extension since the last reset."""
        return getattr(self._seen, "any", False)

    def reset(self) -> None:
        """Clear the record of this thread."""
        self._seen.any = False


class FairSandbox:
    """Wraps a sandbox and excludes waiting for a processor from time limits."""

    def __init__(self, sandbox: Sandbox, longer: LongerRuns) -> None:
        self._sandbox = sandbox
        self._longer = longer

    def run(self, command: Command) -> ExecResult:
        """Run a command, with more time if other processes occupy the processors."""
        limits = replace(command.limits, busy_wall_s=LONGER * command.limits.wall_s)
        result = self._sandbox.run(replace(command, limits=limits))
        if result.had_longer:
            self._longer.add()
        return result
