"""Let the commands of checks have their time on a processor, also while others have the machine.

An answer with many processes must not turn the right answers of other cases into timeouts.
"""

import threading
from dataclasses import replace

from steelyard.model.execution import Command, ExecResult
from steelyard.ports import Sandbox

LONGER = 4.0  # times the limit, at most: by then an answer has had a quarter of a processor


class LongerRuns:
    """Whether commands got longer than their limit, by thread: a check runs all of its commands in one."""

    def __init__(self) -> None:
        self._seen = threading.local()

    def add(self) -> None:
        """Note one."""
        self._seen.any = True

    def any(self) -> bool:
        """Return whether there was one in this thread since the last reset."""
        return getattr(self._seen, "any", False)

    def reset(self) -> None:
        """Begin anew in this thread."""
        self._seen.any = False


class FairSandbox:
    """A sandbox around another one that lets a command go on while it waits for a processor."""

    def __init__(self, sandbox: Sandbox, longer: LongerRuns) -> None:
        self._sandbox = sandbox
        self._longer = longer

    def run(self, command: Command) -> ExecResult:
        """Run a command; it gets longer than its limit where others have the processors."""
        limits = replace(command.limits, busy_wall_s=LONGER * command.limits.wall_s)
        result = self._sandbox.run(replace(command, limits=limits))
        if result.had_longer:
            self._longer.add()
        return result
