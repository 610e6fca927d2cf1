"""Run commands in containers by an OCI runtime, for machines where user namespaces are off.

Needs root and `runc`.
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
from steelyard.sandbox.reap import adopt_orphans, only_child, reap, total_usage
from steelyard.sandbox.sandbox_process import Streams, run_in_sandbox

PREFIX = "steelyard-oci-"
START_S, END_S = 30.0, 120.0
MISSING = "runc is not installed; run `apt-get install runc` or `steelyard doctor`"
# The runtime is the first process of a pid namespace: no container outlives it. It ends with Steelyard: the
# signal is sent when the starting thread ends, and that thread waits for it.
TIED = "setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --mount-proc --"


class Container:
    """One container and the runtime that started it."""

    limits_itself = True
    joins_itself = False

    def __init__(self, runtime: list[str], bundle: Path, streams: Streams, wiring: Wiring) -> None:
        self._wiring = wiring
        self._runtime = runtime
        self._bundle = bundle
        self._runtime_handle = -1  # a pidfd; the container ends with the runtime
        self._usage = GroupUsage()
        adopt_orphans()
        stdin, stdout, stderr, *channel = streams
        (self._gate, opened), (self._ready, reported) = wiring.to_child(), wiring.from_child()
        redirections = {GATE: f"<&{opened}", READY: f">&{reported}"} | (
            {CHANNEL: f">&{channel[0]}"} if channel else {}
        )
        pipes = " ".join(
            f"{number}{where.replace('&', '/dev/fd/')}" for number, where in redirections.items()
        )
        arguments = [
            "run",
            f"--preserve-fds={len(redirections)}",
            f"--bundle={bundle}",
            bundle.name,
        ]
        self._process = subprocess.Popen(  # noqa: S603  # the shell only redirects the pipes for runc
            ["/bin/sh", "-c", f'exec {TIED} "$@" {pipes}', "sh", *runtime, *arguments],
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            env={"PATH": os.defpath},
            pass_fds=[opened, reported, *channel],
        )
        wiring.theirs.close_all()
        self.ended = wiring.ours.own(os.pidfd_open(self._process.pid))

    def wait_until_started(self) -> int:
        """Return the pid of the first process inside, once the container is up."""
        if not is_readable(self._ready, START_S) or not os.read(self._ready, 2):
            raise SandboxError("runc did not start the container; run `steelyard doctor`")
        runtime = only_child(self._process.pid)
        self._runtime_handle = self._wiring.ours.own(os.pidfd_open(runtime))
        return only_child(runtime)

    def open_folders(self, pid: int, folders: Sequence[str]) -> dict[str, int]:
        """Open folders of the container; the descriptors outlive it."""
        return self._wiring.ours.folders(f"/proc/{pid}/root", folders)

    def start_command(self) -> None:
        """Start the command."""
        with suppress(BrokenPipeError):
            os.write(self._gate, b"+\n")

    def end(self) -> None:
        """Kill all processes and remove the container."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.ended, signal.SIGKILL)
        _, status, counts = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        if self._runtime_handle != -1 and not is_readable(self._runtime_handle, END_S):
            raise SandboxError(f"the container is still running {END_S:g} s after it was killed")
        self._usage = total_usage(counts, None if self._runtime_handle == -1 else reap(self._runtime_handle))
        if status:  # the runtime cleans up itself, unless it was killed or failed
            delete = [*self._runtime, "delete", "--force", self._bundle.name]
            subprocess.run(delete, capture_output=True, check=False)  # noqa: S603  # fixed arguments

    def status(self) -> int | None:
        """Return the exit code, 128 + N for a signal, or None if no container started."""
        return None if self._runtime_handle == -1 else self._process.returncode

    def usage(self) -> GroupUsage:
        """Return the usage of the runtime and the container."""
        return self._usage


class OciSandbox:
    """Runs each command in a container of its own; thread-safe."""

    def __init__(self, *, runtime: str = "runc") -> None:
        self._bundles = Bundles(runtime, prefix=PREFIX, missing=MISSING)
        self._runtime = [self._bundles.program, "--root", str(self._bundles.state)]

    def run(self, command: Command) -> ExecResult:
        """Run a command and return its result; nothing of it survives."""
        checked(command)
        with self._bundles.new() as bundle:
            write_bundle(bundle, command, self._variant(command))
            return run_in_sandbox(
                command,
                self._bundles.groups,
                lambda streams, wiring, _: Container(self._runtime, bundle, streams, wiring),
            )

    def _variant(self, command: Command) -> Runtime:
        """Return the runtime's variant; refuse submounts if it cannot make them read-only."""
        if reaches_below(self._bundles.program):
            return RUNC
        refuse_mounts_below([*system_folders(), *(bind.source for bind in command.binds)])
        return OLD_RUNC

    def close(self) -> None:
        """Release cached resources; runs automatically at exit."""
        self._bundles.close()
