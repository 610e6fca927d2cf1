"""Start a gVisor container, release its command once set up, and end it with all its processes."""

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from select import POLLIN, poll

from steelyard.errors import SandboxError
from steelyard.model.execution import Command
from steelyard.sandbox.cgroups.groups import Group, GroupUsage
from steelyard.sandbox.descriptors import Wiring, is_readable
from steelyard.sandbox.layout import SANDBOX_ENV, TEMPORARY
from steelyard.sandbox.oci.bundle import CHANNEL, GATE, READY, Runtime, bind_mount
from steelyard.sandbox.reap import adopt_orphans, only_child
from steelyard.sandbox.sandbox_process import Streams
from steelyard.sandbox.users import NOBODY

START_S, END_S, PAUSE_S = 60.0, 60.0, 0.002
PIPES = "/pipes"
COMPLAINTS = "complaints"
SYSTEM_PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
# Joins the control group, which counts gVisor's own processes too, then enters namespaces whose first process
# is gVisor: its helpers and the workspace end with it. The message of `unshare` about being killed must not
# appear in the command's output.
ENTER = (
    'set -e; for file in $GROUP_FILES; do echo 0 >"$file"; done; '
    'exec setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --mount-proc -- "$@" '
    '3>&2 2>"$COMPLAINTS"'
)
PREPARE = (
    "exec 2>&3 3>&-; bundle=$1 size=$2; shift 2; "
    'mount -t tmpfs -o "nosuid,nodev,size=$size" box "$bundle/box" && '
    'cp -a "$bundle/root/box/." "$bundle/box" && exec "$@"'
)
# Only the loopback of its own kernel; Steelyard manages control groups.
FLAGS = ("--network=none", "--ignore-cgroups", "--oci-seccomp", "--host-fifo=open")


def differences(bundle: Path, *, channel: bool) -> Runtime:
    """Return how the specification of a gVisor container differs from that of `runc`.

    The container inherits only the standard streams. Other pipes are named ones, deleted once the shell
    inside has opened them, before the command starts.
    """
    pipes = {GATE: f"<{PIPES}/gate", READY: f">{PIPES}/ready"}
    pipes |= {CHANNEL: f">{PIPES}/channel"} if channel else {}
    # gVisor would mount a tmpfs of unlimited size on `/tmp`.
    temporary = bind_mount(f"{bundle}{SANDBOX_ENV['TMPDIR']}", TEMPORARY, "rw")
    return Runtime(
        opens=f"exec {' '.join(f'{number}{where}' for number, where in pipes.items())}; ",
        box=str(bundle / "box"),
        mounts=(bind_mount(f"{bundle}/pipes", PIPES, "rw"), temporary),
        has_temporary=True,
        counts_processes=True,
        own_kernel=True,
    )


def arguments(program: str, bundle: Path, command: Command) -> list[str]:
    """Return the command line that mounts the workspace and starts gVisor."""
    # Host sockets stay closed unless a bind is one.
    sockets = ["--host-uds=open"] if any(Path(bind.source).is_socket() for bind in command.binds) else []
    prepare = ["/bin/sh", "-c", PREPARE, "sh", str(bundle), str(command.limits.workspace_bytes)]
    flags = [f"--root={bundle}/state", *FLAGS, *sockets]
    return [*prepare, program, *flags, "run", f"--bundle={bundle}", bundle.name]


class GvisorContainer:
    """One container with its own kernel."""

    limits_itself = True
    joins_itself = True

    def __init__(
        self, command_line: list[str], bundle: Path, streams: Streams, wiring: Wiring, group: Group
    ) -> None:
        self._wiring = wiring
        self._group = group
        self._bundle = bundle
        self._started = False
        (bundle / COMPLAINTS).touch()
        adopt_orphans()
        pipes = bundle / "pipes"
        self._gate, _ = wiring.to_child(pipes / "gate")
        self._ready, _ = wiring.from_child(pipes / "ready")
        for pipe in pipes.iterdir():
            os.chown(pipe, NOBODY, NOBODY)
        group_files = " ".join(str(file) for file in group.cgroup_files())
        stdin, stdout, stderr, *_ = streams
        self._process = subprocess.Popen(  # noqa: S603  # fixed arguments
            ["/bin/sh", "-c", ENTER, "sh", *command_line],
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            env={"PATH": SYSTEM_PATH, "GROUP_FILES": group_files, "COMPLAINTS": str(bundle / COMPLAINTS)},
        )
        wiring.theirs.close(stdin, stdout, stderr)
        self.ended = wiring.ours.own(os.pidfd_open(self._process.pid))

    def wait_until_started(self) -> int:
        """Return the pid of gVisor, once its container is up."""
        waiting = poll()
        waiting.register(self._ready, POLLIN)
        waiting.register(self.ended, POLLIN)
        waiting.poll(START_S * 1000)
        if not is_readable(self._ready) or not os.read(self._ready, 2):
            complaint = (self._bundle / COMPLAINTS).read_text(encoding="utf-8", errors="replace").strip()
            raise SandboxError(complaint or "runsc did not start the container; run `steelyard doctor`")
        for pipe in (self._bundle / "pipes").iterdir():
            pipe.unlink()  # before the command could open them
        self._wiring.theirs.close_all()
        self._started = True
        return only_child(self._process.pid)

    def open_folders(self, pid: int, folders: Sequence[str]) -> dict[str, int]:
        """Open folders of the container; the descriptors outlive it."""
        return self._wiring.ours.folders(f"/proc/{pid}/root{self._bundle}", folders)

    def start_command(self) -> None:
        """Start the command."""
        with suppress(BrokenPipeError):
            os.write(self._gate, b"+\n")

    def end(self) -> None:
        """Kill the kernel and its helpers and wait until they are gone."""
        deadline = time.monotonic() + END_S
        # The started process is spared at first: it reaps the first one inside.
        while not is_readable(self.ended, PAUSE_S):
            for pid in self._group.members():
                if pid != self._process.pid:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
            if time.monotonic() > deadline:
                self._process.kill()  # the first process inside ends with it
                if not is_readable(self.ended, END_S):
                    raise SandboxError(f"gVisor is still running {2 * END_S:g} s after it was killed")
        self._process.wait()

    def status(self) -> int | None:
        """Return the exit code, 128 + N for a signal, or None if no container started."""
        return self._process.returncode if self._started else None

    def usage(self) -> GroupUsage:
        """Return no usage: the control group counts it."""
        return GroupUsage()
