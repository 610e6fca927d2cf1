"""Run commands in gVisor: each on a user-space kernel of its own.

Needs root and `runsc`; otherwise like the `runc` sandbox.
"""

from dataclasses import replace

from steelyard.model.execution import MIB, Command, ExecResult, Limits
from steelyard.sandbox.cgroups.groups import Group
from steelyard.sandbox.descriptors import Wiring
from steelyard.sandbox.gvisor.container import GvisorContainer, arguments, differences
from steelyard.sandbox.layout import checked
from steelyard.sandbox.oci.bundles import Bundles, write_bundle
from steelyard.sandbox.sandbox_process import Streams, run_in_sandbox

PREFIX = "steelyard-gvisor-"
MISSING = "gVisor is not installed; run `apt-get install runsc` or `steelyard doctor`"
# Used by gVisor itself within the control group; its kernel limits the command.
OWN_MEMORY = 64 * MIB
OWN_PROCESSES, HOST_PROCESSES = 256, 4


class GvisorSandbox:
    """Runs each command on a kernel of its own; thread-safe."""

    def __init__(self, *, runtime: str = "runsc") -> None:
        self._bundles = Bundles(runtime, prefix=PREFIX, missing=MISSING)

    def run(self, command: Command) -> ExecResult:
        """Run a command and return its result; nothing of it survives."""
        checked(command)
        with self._bundles.new() as bundle:
            for folder in ("box", "pipes"):
                (bundle / folder).mkdir()
            write_bundle(bundle, command, differences(bundle, channel=command.channel))
            command_line = arguments(self._bundles.program, bundle, command)

            def start(streams: Streams, wiring: Wiring, group: Group | None) -> GvisorContainer:
                assert group is not None  # noqa: S101  # the pool exists
                return GvisorContainer(command_line, bundle, streams, wiring, group)

            larger = replace(command, limits=with_kernel(command.limits))
            return run_in_sandbox(
                larger, self._bundles.groups, start, channel_at=bundle / "pipes" / "channel"
            )

    def close(self) -> None:
        """Release cached resources; runs automatically at exit."""
        self._bundles.close()


def with_kernel(limits: Limits) -> Limits:
    """Return the limits of a control group for a command and its kernel."""
    return replace(
        limits,
        memory_bytes=limits.memory_bytes + OWN_MEMORY,
        processes=limits.processes * HOST_PROCESSES + OWN_PROCESSES,
    )
