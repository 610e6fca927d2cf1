"""Run commands in gVisor: each has a kernel of its own, a program, and meets this machine's only through it.

Needs root and `runsc`. Everything else is as in a container by `runc`.
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
MISSING = "gVisor is not installed: `apt-get install runsc`, or ask `steelyard doctor`"
# What gVisor takes for itself within the control group; the command is held by the limits in its own kernel.
OWN_MEMORY = 64 * MIB
OWN_PROCESSES, HOST_PROCESSES = 256, 4


class GvisorSandbox:
    """Runs each command on a kernel of its own; safe to use from many threads."""

    def __init__(self, *, runtime: str = "runsc") -> None:
        self._bundles = Bundles(runtime, prefix=PREFIX, missing=MISSING)

    def run(self, command: Command) -> ExecResult:
        """Run a command to its end and return what came of it; nothing of it survives."""
        checked(command)
        with self._bundles.new() as bundle:
            for folder in ("box", "pipes"):
                (bundle / folder).mkdir()
            write_bundle(bundle, command, differences(bundle, channel=command.channel))
            words = arguments(self._bundles.program, bundle, command)

            def start(streams: Streams, wiring: Wiring, group: Group | None) -> GvisorContainer:
                assert group is not None  # noqa: S101  # there is a pool
                return GvisorContainer(words, bundle, streams, wiring, group)

            larger = replace(command, limits=with_kernel(command.limits))
            return run_in_sandbox(
                larger, self._bundles.groups, start, channel_at=bundle / "pipes" / "channel"
            )

    def close(self) -> None:
        """Give back what is held for later commands; happens by itself at the end of the process."""
        self._bundles.close()


def with_kernel(limits: Limits) -> Limits:
    """Return the limits of a control group that holds a command and the kernel it runs on."""
    return replace(
        limits,
        memory_bytes=limits.memory_bytes + OWN_MEMORY,
        processes=limits.processes * HOST_PROCESSES + OWN_PROCESSES,
    )
