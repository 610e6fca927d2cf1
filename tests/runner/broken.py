"""A sandbox that never works, for tests of what is said then."""

from steelyard.errors import SandboxError
from steelyard.model.execution import Command, ExecResult


class BrokenSandbox:
    """Starts nothing."""

    def run(self, command: Command) -> ExecResult:
        raise SandboxError("the sandbox is broken")
