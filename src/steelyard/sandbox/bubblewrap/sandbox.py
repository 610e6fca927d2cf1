"""Run commands under bubblewrap: new namespaces, a read-only system, a workspace in memory, limits.

Works for ordinary users; root steps down to a user who owns nothing before the command starts.
"""

import weakref

from steelyard.model.execution import Command, ExecResult
from steelyard.sandbox.bubblewrap.launcher import BwrapLauncher
from steelyard.sandbox.cgroups.find import find_cgroups
from steelyard.sandbox.cgroups.groups import GroupPool
from steelyard.sandbox.layout import checked
from steelyard.sandbox.sandbox_process import run_in_sandbox


class BubblewrapSandbox:
    """Runs each command in a sandbox of its own; thread-safe.

    `groups`: whether to use control groups if available.
    """

    warm_python = "warm-python"  # equally isolated, starts Python faster

    def __init__(self, *, groups: bool = True) -> None:
        trees = find_cgroups() if groups else None
        self.groups = None if trees is None else GroupPool(trees)
        self.limits_memory = trees is not None
        self.launcher = BwrapLauncher(counted=self.limits_memory)
        self._finalizer = weakref.finalize(self, _close, self.launcher, self.groups)

    def run(self, command: Command) -> ExecResult:
        """Run a command and return its result; nothing of it survives."""
        checked(command)
        return run_in_sandbox(
            command, self.groups, lambda streams, wiring, _: self.launcher.start(command, streams, wiring)
        )

    def close(self) -> None:
        """Release cached resources; runs automatically at exit."""
        self._finalizer()


def _close(launcher: BwrapLauncher, groups: GroupPool | None) -> None:
    launcher.kept.close_all()
    if groups:
        groups.close()
