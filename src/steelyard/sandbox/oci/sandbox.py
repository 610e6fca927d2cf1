"""Run commands in containers by an OCI runtime, for machines where user namespaces are off.

Needs root and `runc`. No network, a read-only root, workspace and limits as in the others.
"""

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from steelyard.errors import SandboxError
from steelyard.model.execution import Command, ExecResult
from steelyard.sandbox.cgroups.groups import GroupUsage
from steelyard.sandbox.descriptors import Wiring, is_readable
from steelyard.sandbox.layout import checked, system_folders
from steelyard.sandbox.oci.bundle import CHANNEL, GATE, OLD_RUNC, READY, RUNC, Runtime
from steelyard.sandbox.oci.bundles import Bundles, write_bundle
from steelyard.sandbox.oci.read_only import reaches_below, refuse_mounts_below
from steelyard.sandbox.reap import adopt_orphans, only_child, reap, used
from steelyard.sandbox.sandbox_process import Streams, run_in_sandbox

PREFIX = "steelyard-oci-"
START_S, END_S = 30.0, 120.0
MISSING = "there is no OCI runtime: `apt-get install runc`, or ask `steelyard doctor`"
# The runtime is the first process of a namespace, so that no container outlives it, and it ends with us: the
# signal comes when the thread that started it ends, and that thread waits for it.
TIED = "setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --mount-proc --"


class Container:
    """One container, held by the runtime that started it."""

    limits_itself = True
    joins_itself = False

    def __init__(self, runtime: list[str], bundle: Path, streams: Streams, wiring: Wiring) -> None:
        self._wiring = wiring
        self._runtime = runtime
        self._bundle = bundle
        self._held = -1  # the runtime; when it is dead, so is all that it holds
        self._usage = GroupUsage()
        adopt_orphans()
        stdin, stdout, stderr, *channel = streams
        (self._gate, opened), (self._ready, reported) = wiring.to_child(), wiring.from_child()
        wanted = {GATE: f"<&{opened}", READY: f">&{reported}"} | (
            {CHANNEL: f">&{channel[0]}"} if channel else {}
        )
        pipes = " ".join(f"{number}{where.replace('&', '/dev/fd/')}" for number, where in wanted.items())
        words = [
            "run",
            f"--preserve-fds={len(wanted)}",
            f"--bundle={bundle}",
            bundle.name,
        ]
        self._process = subprocess.Popen(  # noqa: S603  # the shell only puts the pipes where runc wants them
            ["/bin/sh", "-c", f'exec {TIED} "$@" {pipes}', "sh", *runtime, *words],
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            env={"PATH": os.defpath},
            pass_fds=[opened, reported, *channel],
        )
        wiring.theirs.close_all()
        self.ended = wiring.ours.own(os.pidfd_open(self._process.pid))

    def wait_until_started(self) -> int:
        """Return the process number of the first process inside, once the container is made."""
        if not is_readable(self._ready, START_S) or not os.read(self._ready, 2):
            raise SandboxError("the runtime made no container")
        runtime = only_child(self._process.pid)
        self._held = self._wiring.ours.own(os.pidfd_open(runtime))
        return only_child(runtime)

    def open_folders(self, pid: int, folders: Sequence[str]) -> dict[str, int]:
        """Return folders, seen from outside; they outlive the container."""
        return self._wiring.ours.folders(f"/proc/{pid}/root", folders)

    def start_command(self) -> None:
        """Start the command."""
        with suppress(BrokenPipeError):
            os.write(self._gate, b"+\n")

    def end(self) -> None:
        """Kill whatever is left, tidy up, and return when it is done."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.ended, signal.SIGKILL)
        _, status, counts = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        if self._held != -1 and not is_readable(self._held, END_S):
            raise SandboxError(f"a container is still there {END_S:g} s after it was killed")
        self._usage = used(counts, None if self._held == -1 else reap(self._held))
        if status:  # the runtime tidies up itself, unless it was killed or had trouble
            delete = [*self._runtime, "delete", "--force", self._bundle.name]
            subprocess.run(delete, capture_output=True, check=False)  # noqa: S603  # our own words

    def status(self) -> int | None:
        """Return the exit code, 128 + N for a signal, or None when no container was made."""
        return None if self._held == -1 else self._process.returncode

    def usage(self) -> GroupUsage:
        """Return what the runtime and the container have used."""
        return self._usage


class OciSandbox:
    """Runs each command in a container of its own; safe to use from many threads."""

    def __init__(self, *, runtime: str = "runc") -> None:
        self._bundles = Bundles(runtime, prefix=PREFIX, missing=MISSING)
        self._runtime = [self._bundles.program, "--root", str(self._bundles.state)]

    def run(self, command: Command) -> ExecResult:
        """Run a command to its end and return what came of it; nothing of it survives."""
        checked(command)
        with self._bundles.new() as bundle:
            write_bundle(bundle, command, self._kind(command))
            return run_in_sandbox(
                command,
                self._bundles.groups,
                lambda streams, wiring, _: Container(self._runtime, bundle, streams, wiring),
            )

    def _kind(self, command: Command) -> Runtime:
        """Return the runtime's variant; one that cannot keep submounts read-only is shown none."""
        if reaches_below(self._bundles.program):
            return RUNC
        refuse_mounts_below([*system_folders(), *(bind.source for bind in command.binds)])
        return OLD_RUNC

    def close(self) -> None:
        """Give back what is held for later commands; happens by itself at the end of the process."""
        self._bundles.close()
