"""Run Python scripts in forks of a warm interpreter inside a sandbox.

Each script gets its own namespaces, workspace and limits. Commands that need another program or other binds
run in the cold sandbox.
"""

import marshal
import os
import socket
import struct
import threading
import weakref
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

from steelyard.errors import SandboxError
from steelyard.model.execution import CHANNEL_ENV, Bind, Command, ExecResult
from steelyard.sandbox.bubblewrap.launcher import BwrapLauncher
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from steelyard.sandbox.cgroups.groups import Group, GroupUsage
from steelyard.sandbox.descriptors import Wiring, is_readable
from steelyard.sandbox.layout import GROUP, USER, WORKSPACE, checked, environment, file_mode, held_folders
from steelyard.sandbox.resource_limits import resource_limits
from steelyard.sandbox.sandbox_process import Streams, run_in_sandbox
from steelyard.sandbox.seccomp.program import program
from steelyard.sandbox.users import own_user, steps_down

CHANNEL = 3
MESSAGE = 4096
PLAIN = 2  # the marshal version that every Python reads
CREDENTIALS, DESCRIPTOR = struct.Struct("=iII"), struct.Struct("=i")
ANCILLARY_SIZE = socket.CMSG_SPACE(CREDENTIALS.size) + socket.CMSG_SPACE(DESCRIPTOR.size)
ENDING = struct.Struct("=idq")  # exit code, seconds of processor time, bytes of memory
USUAL = Command(argv=("python",), channel=True)
START_S, END_S, DYING_S = 30.0, 120.0, 0.1


def parcel(order: dict[str, object], blobs: list[bytes]) -> bytes:
    """Serialise an order and its blobs for the warm interpreter."""
    return marshal.dumps((order, blobs), PLAIN)


def _environment(command: Command) -> dict[str, str]:
    channel = {CHANNEL_ENV: str(CHANNEL)} if command.channel else {}
    return {**environment(command), **channel}


class WarmChild:
    """One fork of the warm interpreter."""

    limits_itself = True
    joins_itself = True

    def __init__(self, status: socket.socket, wiring: Wiring) -> None:
        status.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self.ended = status.fileno()  # readable when the exit status arrives, after all processes ended
        self._status = status
        self._wiring = wiring
        self._workspace = -1
        self._usage = GroupUsage()

    def wait_until_started(self) -> int:
        """Wait until the namespaces are set up; return the pid of the first process."""
        if not is_readable(self.ended, START_S):
            raise SandboxError("the warm interpreter started no command")
        message, ancillary, _, _ = self._status.recvmsg(MESSAGE, ANCILLARY_SIZE)
        pid = 0
        for _, kind, data in ancillary:
            if kind == socket.SCM_CREDENTIALS:
                pid = CREDENTIALS.unpack(data)[0]
            else:
                self._workspace = self._wiring.ours.own(DESCRIPTOR.unpack(data)[0])
        if message != b"R":
            raise SandboxError("the warm interpreter could not set up the namespaces; run `steelyard doctor`")
        return pid

    def open_folders(self, pid: int, folders: Sequence[str]) -> dict[str, int]:  # noqa: ARG002  # other sandboxes need them
        """Return the workspace, a single mount; it outlives the child."""
        return {WORKSPACE: self._workspace}

    def start_command(self) -> None:
        """Do nothing: the command is running already."""

    def end(self) -> None:
        """Kill all remaining processes and wait until they are gone."""
        with suppress(OSError):
            self._status.shutdown(socket.SHUT_WR)
        if not is_readable(self.ended, END_S):
            raise SandboxError(f"the sandbox is still running {END_S:g} s after it was killed")

    def status(self) -> int | None:
        """Return the exit code, 128 + N for a signal, or None if the interpreter died."""
        reported = self._status.recv(MESSAGE)
        if not reported:
            return None
        code, cpu_s, peak = ENDING.unpack(reported)
        self._usage = GroupUsage(cpu_s=cpu_s, peak_memory_bytes=peak)
        return int(code)

    def usage(self) -> GroupUsage:
        """Return the usage counted by the interpreter."""
        return self._usage


class WarmPythonSandbox:
    """Runs commands that start with `interpreter`, `flags` and a script of their own; thread-safe.

    Args:
        preload: Modules to import before any command.
        scripts: Trusted scripts, compiled once. They run as the first process of their namespace, which no
            signal from inside can kill and whose end ends everything.
        groups: As for `BubblewrapSandbox`.
    """

    def __init__(  # noqa: PLR0913  # keywords, each with a default but one
        self,
        *,
        interpreter: str,
        flags: tuple[str, ...] = ("-I", "-B"),
        binds: tuple[Bind, ...] = (),
        preload: tuple[str, ...] = (),
        scripts: tuple[bytes, ...] = (),
        groups: bool = True,
    ) -> None:
        self._begin = (interpreter, *flags)
        self._binds = binds
        self._cold = BubblewrapSandbox(groups=groups)
        self.limits_memory = self._cold.limits_memory
        self._lock = threading.Lock()
        order: dict[str, object] = {
            "user": USER,
            "group": GROUP,
            "preload": preload,
            "env": _environment(USUAL),
        }
        self._filter = program(shared=True, counted=self.limits_memory)
        self._settings = parcel(order, [self._filter, *scripts])
        self._servers = [self._serve()]
        self._finalizer = weakref.finalize(self, _end, self._servers)

    def run(self, command: Command) -> ExecResult:
        """Run a command and return its result; nothing of it survives."""
        if not self._is_warm(command):
            return self._cold.run(command)
        checked(command)
        server = self._servers[0]
        try:
            return self._run_warm(command, server)
        except SandboxError:
            if server.is_alive():
                raise
        return self._run_warm(command, self._replacement(server))

    def close(self) -> None:
        """End the warm interpreter; runs automatically at exit."""
        self._finalizer()
        self._cold.close()

    def _is_warm(self, command: Command) -> bool:
        """Whether the warm interpreter can run a command.

        Without a seccomp filter, warm commands could communicate in their shared network namespace.
        """
        size = len(self._begin)
        return (
            bool(self._filter)
            and command.argv[:size] == self._begin
            and command.argv[size : size + 1] != ()
            and command.argv[size] in command.files
            and set(command.binds) <= set(self._binds)
            and not command.loopback
        )

    def _run_warm(self, command: Command, server: "WarmServer") -> ExecResult:
        order: dict[str, object] = {
            "user": own_user() if steps_down() else USER,
            "argv": list(command.argv[len(self._begin) :]),
            "env": _environment(command),
            "files": {path: file_mode(command, path) for path in command.files},
            "held": held_folders(command),
            "workspace_bytes": command.limits.workspace_bytes,
            "channel": command.channel,
            "shows_workspace": bool(command.keep or command.keep_matching),
        }

        def fork(streams: Streams, wiring: Wiring, group: Group | None) -> WarmChild:
            grouped = group is not None
            limits = resource_limits(command.limits, passed_descriptors=len(command.files), grouped=grouped)
            package = wiring.theirs.file(parcel({**order, "limits": limits}, list(command.files.values())))
            return server.fork((package, *streams), wiring, group.cgroup_files() if group else [])

        return run_in_sandbox(command, self._cold.groups, fork)

    def _serve(self) -> "WarmServer":
        return WarmServer(self._cold.launcher, self._begin, self._binds, self._settings)

    def _replacement(self, dead: "WarmServer") -> "WarmServer":
        """Return the interpreter that replaces a dead one."""
        with self._lock:
            if self._servers[0] is dead:
                dead.end()
                self._servers[0] = self._serve()
            return self._servers[0]


def _end(servers: "list[WarmServer]") -> None:
    for server in servers:
        server.end()


class WarmServer:
    """The warm interpreter in its sandbox, and the socket to it."""

    def __init__(
        self, launcher: BwrapLauncher, begin: tuple[str, ...], binds: tuple[Bind, ...], settings: bytes
    ) -> None:
        self._wiring = Wiring()
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        line = self._wiring.theirs.own(theirs.detach())
        listed = self._wiring.theirs.file(settings)
        program = files("steelyard.sandbox.warm").joinpath("server.py").read_bytes()
        command = Command(
            argv=(*begin, "server.py", str(line), str(listed)), files={"server.py": program}, binds=binds
        )
        checked(command)
        _, stdin = self._wiring.to_child()
        (_, stdout), (self._complaints, stderr) = self._wiring.from_child(), self._wiring.from_child()
        self._process = launcher.start_server(command, (stdin, stdout, stderr), self._wiring)
        self._process.wait_until_started()
        self._process.start_command()
        self._line.settimeout(START_S)
        if self._line.recv(16) != b"ready":
            reason = os.read(self._complaints, 1 << 16).decode(errors="replace").strip()
            self.end()
            last = (reason.splitlines() or ["no error message"])[-1]
            raise SandboxError(f"the warm interpreter did not start: {last}")

    def fork(self, descriptors: Iterable[int], wiring: Wiring, cgroup_files: Iterable[Path]) -> WarmChild:
        """Fork a child that receives descriptors and joins a control group by its files."""
        status, reported = wiring.line()
        opened = [wiring.theirs.own(os.open(file, os.O_WRONLY | os.O_CLOEXEC)) for file in cgroup_files]
        try:
            socket.send_fds(self._line, [b"+"], [reported, *descriptors, *opened])
        except OSError as error:
            raise SandboxError(f"the warm interpreter has exited: {error}") from error
        wiring.theirs.close_all()
        return WarmChild(status, wiring)

    def is_alive(self) -> bool:
        """Whether the interpreter still has its end of the socket open."""
        return not is_readable(self._line.fileno(), DYING_S)

    def end(self) -> None:
        """End the interpreter and all its forks."""
        self._line.close()
        self._process.end()
        self._wiring.ours.close_all()
