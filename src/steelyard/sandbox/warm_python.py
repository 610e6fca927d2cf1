"""Run Python scripts in forks of a warm interpreter that waits inside a sandbox.

Every script gets namespaces, a workspace and limits of its own, as in the cold sandbox. What the warm
interpreter cannot do, such as another program or folders of this machine, the cold sandbox does.
"""

import json
import os
import signal
import socket
import struct
import threading
import weakref
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

from steelyard.errors import SandboxError
from steelyard.model.execution import CHANNEL_ENV, Bind, Command, ExecResult
from steelyard.sandbox import seccomp
from steelyard.sandbox.boxes import Streams, run_in_box
from steelyard.sandbox.bubblewrap import BubblewrapSandbox
from steelyard.sandbox.bwrap_launcher import BwrapLauncher
from steelyard.sandbox.control_groups import Usage
from steelyard.sandbox.descriptors import Wiring, is_readable
from steelyard.sandbox.layout import GROUP, USER, WORKSPACE, checked, environment, file_mode

CHANNEL = 3
START_S, END_S = 30.0, 30.0


def parcel(order: dict[str, object], blobs: list[bytes]) -> bytes:
    """Return an order and its blobs in one piece, as the warm interpreter expects them."""
    text = json.dumps({**order, "sizes": [len(blob) for blob in blobs]}).encode()
    return b"".join([struct.pack("=Q", len(text)), text, *blobs])


class WarmChild:
    """One fork of the warm interpreter."""

    limits_itself = False

    def __init__(self, handle: int, status: int, gate: int, wiring: Wiring) -> None:
        self.ended = wiring.ours.own(handle)
        self._status = status
        self._gate = gate
        self._wiring = wiring
        self._told: dict[str, float] = {}

    def wait_until_started(self) -> int:
        """Return the process number of the first process inside, once its world is made."""
        if not is_readable(self._status, START_S) or os.read(self._status, 1) != b"R":
            raise SandboxError("the warm interpreter made no place for the command")
        lines = Path(f"/proc/self/fdinfo/{self.ended}").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("Pid:"))

    def open_workspace(self, pid: int) -> int:
        """Return the workspace, seen from outside; it outlives the child."""
        workspace = f"/proc/{pid}/root{WORKSPACE}"
        return self._wiring.ours.own(os.open(workspace, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC))

    def let_in(self) -> None:
        """Let the command start."""
        with suppress(BrokenPipeError):
            os.write(self._gate, b"+")

    def end(self) -> None:
        """Kill whatever is left, and return when it is gone."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.ended, signal.SIGKILL)
        if not is_readable(self.ended, END_S):
            raise SandboxError(f"a sandbox is still there {END_S:g} s after it was killed")

    def status(self) -> int | None:
        """Return the exit code, 128 + N for a signal, or None when nothing was started or we killed it."""
        told = os.read(self._status, 4096)
        self._told = json.loads(told) if told else {}
        return int(self._told["exit-code"]) if told else None

    def usage(self) -> Usage:
        """Return what the first process inside has counted."""
        if not self._told:
            return Usage()
        return Usage(cpu_s=self._told["cpu_s"], peak_memory_bytes=int(self._told["peak"]))


class WarmPythonSandbox:
    """Runs commands that begin with `interpreter` and `flags` and a script of theirs; safe for many threads.

    `preload` names modules to import beforehand; `scripts` are known texts that need not be compiled again.
    """

    def __init__(
        self,
        *,
        interpreter: str,
        flags: tuple[str, ...] = ("-I", "-B"),
        binds: tuple[Bind, ...] = (),
        preload: tuple[str, ...] = (),
        scripts: tuple[bytes, ...] = (),
    ) -> None:
        self._begin = (interpreter, *flags)
        self._binds = binds
        self._cold = BubblewrapSandbox()
        self._lock = threading.Lock()
        order: dict[str, object] = {"user": USER, "group": GROUP, "preload": preload}
        settings = parcel(order, [seccomp.program(shared=True), *scripts])
        self._settings = settings
        self._servers = [self._serve()]
        self._finalizer = weakref.finalize(self, _end, self._servers)

    def run(self, command: Command) -> ExecResult:
        """Run a command to its end and return what came of it; nothing of it survives."""
        if not self._is_warm(command):
            return self._cold.run(command)
        checked(command)
        return run_in_box(
            command, self._cold.groups, lambda streams, wiring: self._fork(command, streams, wiring)
        )

    def close(self) -> None:
        """End the warm interpreter; happens by itself at the end of the process."""
        self._finalizer()
        self._cold.close()

    def _is_warm(self, command: Command) -> bool:
        """Whether the warm interpreter can do it: a script of the command's own, and nothing else shown."""
        size = len(self._begin)
        return (
            command.argv[:size] == self._begin
            and command.argv[size : size + 1] != ()
            and command.argv[size] in command.files
            and set(command.binds) <= set(self._binds)
        )

    def _fork(self, command: Command, streams: Streams, wiring: Wiring) -> WarmChild:
        (status, told), (gate, opened) = wiring.from_child(), wiring.to_child()
        env = environment(command)
        if command.channel:
            env[CHANNEL_ENV] = str(CHANNEL)
        order: dict[str, object] = {
            "argv": command.argv[len(self._begin) :],
            "env": env,
            "files": {path: file_mode(command, path) for path in command.files},
            "workspace_bytes": command.limits.workspace_bytes,
        }
        package = wiring.theirs.file(parcel(order, list(command.files.values())))
        with self._lock:
            handle = self._handle([package, told, opened, *streams])
        wiring.theirs.close_all()
        return WarmChild(handle, status, gate, wiring)

    def _serve(self) -> "WarmServer":
        return WarmServer(self._cold.launcher, self._begin, self._binds, self._settings)

    def _handle(self, descriptors: list[int]) -> int:
        """Let the interpreter fork a child; an interpreter that has died is replaced once."""
        try:
            return self._servers[0].fork(descriptors)
        except SandboxError:
            self._servers[0].end()
            self._servers[0] = self._serve()
            return self._servers[0].fork(descriptors)


def _end(servers: "list[WarmServer]") -> None:
    for server in servers:
        server.end()


class WarmServer:
    """The warm interpreter in its sandbox, and the line to it."""

    def __init__(
        self, launcher: BwrapLauncher, begin: tuple[str, ...], binds: tuple[Bind, ...], settings: bytes
    ) -> None:
        self._wiring = Wiring()
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        line = self._wiring.theirs.own(theirs.detach())
        listed = self._wiring.theirs.file(settings)
        program = files("steelyard.sandbox").joinpath("warm_server.py").read_bytes()
        command = Command(
            argv=(*begin, "server.py", str(line), str(listed)), files={"server.py": program}, binds=binds
        )
        checked(command)
        _, stdin = self._wiring.to_child()
        (_, stdout), (self._complaints, stderr) = self._wiring.from_child(), self._wiring.from_child()
        self._process = launcher.start_server(command, (stdin, stdout, stderr), self._wiring)
        self._process.wait_until_started()
        self._process.let_in()
        self._line.settimeout(START_S)
        if self._line.recv(16) != b"ready":
            reason = os.read(self._complaints, 1 << 16).decode(errors="replace").strip()
            self.end()
            last = (reason.splitlines() or ["it gave no reason"])[-1]
            raise SandboxError(f"the warm interpreter did not start: {last}")

    def fork(self, descriptors: list[int]) -> int:
        """Let the interpreter fork a child that is given some descriptors; returns a handle on the child."""
        try:
            socket.send_fds(self._line, [b"+"], descriptors)
            _, handles, _, _ = socket.recv_fds(self._line, 16, 1)
        except OSError as error:
            raise SandboxError(f"the warm interpreter is gone: {error}") from error
        if not handles:
            raise SandboxError("the warm interpreter is gone")
        return handles[0]

    def end(self) -> None:
        """End the interpreter and everything it has forked."""
        self._line.close()
        self._process.end()
        self._wiring.ours.close_all()
