"""The warm interpreter inside a sandbox: forks an isolated child for each command.

Runs standalone, with the standard library of the configured interpreter. Commands arrive as descriptors that
only the forked child reads: no child finds another's data in its memory.

Each memory page that a child writes is copied, and changing a reference count is a write. So this module
imports as little as possible.
"""

import atexit
import builtins
import ctypes
import gc
import importlib
import marshal
import os
import resource
import select
import signal
import socket
import struct
import sys
import types
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, NoReturn, TypedDict

SANDBOX, WORKSPACE = "/box", "/box/work"
NEW_PID, NEW_MOUNT, NEW_USER = 0x20000000, 0x00020000, 0x10000000
NOSUID, NODEV, NOEXEC, READ_ONLY, REMOUNT, BIND = 2, 4, 8, 1, 32, 4096
PDEATHSIG, DUMPABLE, SECCOMP, DROP_BOUND, NO_NEW_PRIVILEGES = 1, 4, 22, 24, 38
CAPABILITIES = 0x20080522  # the version of the capset interface
SIGNALLED = 128
ENDING = struct.Struct("=idq")  # exit code, seconds of processor time, bytes of memory
MOST_DESCRIPTORS = 1 << 16
MOST_PASSED = 16  # descriptors that come with a command, at most

libc = ctypes.CDLL(None, use_errno=True)
Hook = Callable[[], object]


class ServerSettings(TypedDict):
    """Settings of the interpreter, received at start."""

    user: int
    group: int
    preload: list[str]
    env: dict[str, str]  # the usual environment


class ChildCommand(TypedDict):
    """The command of one child; the contents of its files follow."""

    user: int  # outside its user namespace; the group has the same number
    argv: list[str]
    env: dict[str, str]
    files: dict[str, int]  # with their permissions
    held: list[str]  # folders that must not be moved, outermost first
    workspace_bytes: int
    limits: dict[str, tuple[int, int]]  # resource limits by name, soft and hard
    channel: bool
    shows_workspace: bool


class Running(NamedTuple):
    """A command whose first process is not reaped yet."""

    pid: int
    handle: int
    status: int


def call(name: str, *arguments: object) -> None:
    """Call a function of the C library; raise OSError on failure."""
    if getattr(libc, name)(*arguments) == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mount a file system or bind a path."""
    call("mount", source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), options.encode())


def preloaded(names: list[str]) -> list[Hook]:
    """Import modules; return their after-fork hooks instead of registering them."""
    hooks: list[Hook] = []
    register = os.register_at_fork

    def note(*, after_in_child: Hook | None = None, **_: Hook) -> None:
        if after_in_child:
            hooks.append(after_in_child)

    os.register_at_fork = note  # type: ignore[assignment]  # accepts the arguments that the standard library passes
    for name in names:
        importlib.import_module(name)
    os.register_at_fork = register
    return hooks


class Server:
    """The warm interpreter before any command."""

    def __init__(self, line: socket.socket, settings: ServerSettings, blobs: list[bytes]) -> None:
        self.line = line
        self.user, self.group = settings["user"], settings["group"]
        self.filter, *scripts = blobs
        self.own_pids = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
        self.env = settings["env"]
        set_environment(self.env)
        self.after_fork = preloaded(settings["preload"])
        self.prepared = {text: compile(text, "<prepared>", "exec") for text in scripts}
        self.waiting = select.poll()
        self.running: dict[int, Running] = {}  # by both of their descriptors

    def serve(self) -> NoReturn:
        """Start and reap commands; exit when the client disconnects."""
        line = self.line.fileno()
        self.waiting.register(line, select.POLLIN)
        gc.collect()
        gc.freeze()
        self.line.send(b"ready")
        while True:
            for descriptor, _ in self.waiting.poll():
                if descriptor == line:
                    self._start()
                elif descriptor in self.running:
                    self._attend(self.running[descriptor], descriptor)

    def _start(self) -> None:
        """Fork the first process of a new pid namespace."""
        message, descriptors, _, _ = socket.recv_fds(self.line, 16, MOST_PASSED)
        if not message:
            os._exit(0)
        # Back to the initial one: only from there can the next namespace be created.
        call("setns", self.own_pids, NEW_PID)
        call("unshare", NEW_PID)
        pid = os.fork()
        if not pid:
            self._run_as_init(descriptors)
        status, *others = descriptors
        for descriptor in others:
            os.close(descriptor)
        running = Running(pid, os.pidfd_open(pid), status)
        self.waiting.register(running.handle, select.POLLIN)
        self.waiting.register(status, select.POLLRDHUP)
        self.running[running.handle] = self.running[status] = running

    def _attend(self, running: Running, descriptor: int) -> None:
        """Kill the command if its client disconnected; reap it when it exits and report its status."""
        if descriptor == running.status:
            self.waiting.modify(descriptor, 0)
            signal.pidfd_send_signal(running.handle, signal.SIGKILL)
            return
        # The first process of a namespace is gone only when all the others are.
        _, status, used = os.wait4(running.pid, 0)
        ending = (exit_code(status), used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)
        with suppress(ConnectionError):  # the client has disconnected
            os.write(running.status, ENDING.pack(*ending))
        for handle in (running.handle, running.status):
            del self.running[handle]
            self.waiting.unregister(handle)
            os.close(handle)

    def _run_as_init(self, descriptors: list[int]) -> NoReturn:
        """Set up the namespaces of a command, then become it or wait for it."""
        status, parcel, stdin, stdout, stderr, *others = descriptors
        try:
            os.dup2(stderr, 2)
            order, blobs = unpack(parcel)
            channel = [others.pop(0)] if order["channel"] else []
            for group in others:
                os.write(group, b"0")  # 0: the process that writes
            mount_workspace(order, blobs)
            self._give_up_everything(order["user"])
            set_limits(order["limits"])
            self._filter_system_calls()
            if order["shows_workspace"]:
                line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, status)
                socket.send_fds(line, [b"R"], [os.open(WORKSPACE, os.O_PATH | os.O_DIRECTORY)])
            else:
                os.write(status, b"R")
            text = blobs[list(order["files"]).index(order["argv"][0])]
            script = self.prepared.get(text)
            pid = 0 if script else os.fork()
        except BaseException as error:  # noqa: BLE001  # the client waits for an answer
            os.write(2, f"warm sandbox: {error!r}\n".encode())
            os._exit(1)
        if pid:
            os.closerange(0, MOST_DESCRIPTORS)
            os._exit(exit_status_of(pid))
        if not script:
            for hook in self.after_fork:
                hook()
        if order["env"] != self.env:
            set_environment(order["env"])
        be_command((stdin, stdout, stderr, *channel))
        os._exit(run_script(order["argv"], script or text))

    def _give_up_everything(self, user: int) -> None:
        """Drop to an unprivileged user permanently, mapped to the same user inside for all commands."""
        if os.geteuid() == 0:
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
        call("prctl", DUMPABLE, 1, 0, 0, 0)  # required to write the maps of the next namespace
        call("unshare", NEW_USER)
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{self.user} {user} 1"),
            ("gid_map", f"{self.group} {user} 1"),
        ):
            descriptor = os.open(f"/proc/self/{name}", os.O_WRONLY)
            os.write(descriptor, text.encode())
            os.close(descriptor)
        for capability in range(64):
            if libc.prctl(DROP_BOUND, capability, 0, 0, 0) == -1:
                break
        call("capset", struct.pack("=Ii", CAPABILITIES, 0), bytes(24))
        call("prctl", PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        call("prctl", NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        call("prctl", DUMPABLE, 0, 0, 0, 0)  # no process inside may read init's memory

    def _filter_system_calls(self) -> None:
        code = ctypes.create_string_buffer(self.filter, len(self.filter))
        program = struct.pack("@HxxxxxxP", len(self.filter) // 8, ctypes.addressof(code))
        call("prctl", SECCOMP, 2, program, 0, 0)


def mount_workspace(order: ChildCommand, blobs: list[bytes]) -> None:
    """Set up the namespaces of one command: private mounts, workspace and /proc."""
    call("unshare", NEW_MOUNT)
    os.umask(0)
    mount("tmpfs", SANDBOX, "tmpfs", NOSUID | NODEV, f"mode=0777,size={order['workspace_bytes']}")
    mount("proc", "/proc", "proc", NOSUID | NODEV | NOEXEC)
    for folder in ("work", "home", "tmp"):
        os.mkdir(f"{SANDBOX}/{folder}")  # noqa: PTH102  # pathlib would double the cost
    # Bound onto itself while empty: a mount point can be neither moved nor removed.
    for folder in order["held"]:
        if folder != WORKSPACE:
            os.mkdir(folder)  # noqa: PTH102  # as above
        mount(folder, folder, "", BIND)
    for (path, mode), content in zip(order["files"].items(), blobs, strict=True):
        full = f"{WORKSPACE}/{path}"
        if "/" in path:
            os.makedirs(os.path.dirname(full), exist_ok=True)  # noqa: PTH103, PTH120  # as above
        descriptor = os.open(full, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        view = memoryview(content)
        while view:
            view = view[os.write(descriptor, view) :]
        os.close(descriptor)
        if not mode & 0o222:
            mount(full, full, "", BIND)
            mount("", full, "", REMOUNT | BIND | READ_ONLY | NOSUID | NODEV)
    os.umask(0o022)
    os.chdir(WORKSPACE)


def set_limits(limits: dict[str, tuple[int, int]]) -> None:
    """Limit this process and its descendants; never raises a hard limit."""
    for name, (soft, hard) in limits.items():
        kind = getattr(resource, name)
        _, ceiling = resource.getrlimit(kind)
        top = hard if ceiling == resource.RLIM_INFINITY else min(hard, ceiling)
        resource.setrlimit(kind, (min(soft, top), top))


def set_environment(env: dict[str, str]) -> None:
    """Replace the environment."""
    os.environ.clear()
    os.environ.update(env)


def be_command(standard: tuple[int, ...]) -> None:
    """Become the command: a new session and its streams."""
    os.setsid()
    call("prctl", DUMPABLE, 1, 0, 0, 0)
    for number, descriptor in enumerate(standard):
        os.dup2(descriptor, number)
    os.closerange(len(standard), MOST_DESCRIPTORS)


def exit_status_of(pid: int) -> int:
    """Reap children until `pid` ends; return its exit code."""
    while True:
        gone, status = os.wait()
        if gone == pid:
            return exit_code(status)


def exit_code(status: int) -> int:
    """Return an exit code as a shell reports it, 128 + N for a signal."""
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else SIGNALLED - code


def run_script(argv: list[str], script: "types.CodeType | bytes") -> int:
    """Run a script as a fresh interpreter would, and return its exit code."""
    sys.argv = argv
    if not sys.flags.safe_path:
        sys.path.insert(0, os.path.dirname(os.path.abspath(argv[0])))  # noqa: PTH100, PTH120  # as above
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=argv[0], __builtins__=builtins)
    sys.modules["__main__"] = module
    code = 0
    try:
        compiled = compile(script, argv[0], "exec") if isinstance(script, bytes) else script
        exec(compiled, module.__dict__)  # noqa: S102  # running a script is the purpose
    except SystemExit as end:
        code = _exit_code(end)
    except BaseException as error:  # noqa: BLE001  # as an interpreter does at its end
        inside = error.__traceback__ and error.__traceback__.tb_next
        sys.excepthook(type(error), error, inside)
        code = 1
    return _leave(code)


def _exit_code(end: SystemExit) -> int:
    if end.code is None or isinstance(end.code, int):
        return (end.code or 0) & 0xFF
    sys.stderr.write(f"{end.code}\n")
    return 1


def _leave(code: int) -> int:
    """Run what an interpreter runs at exit."""
    try:
        if threading := sys.modules.get("threading"):
            threading._shutdown()  # noqa: SLF001  # waits for threads, as an interpreter does at exit
        atexit._run_exitfuncs()  # noqa: SLF001
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException as error:  # noqa: BLE001  # as above
        sys.excepthook(type(error), error, error.__traceback__)
        return code or 1
    return code


def unpack(parcel: int) -> tuple[Any, list[bytes]]:
    """Read an order and its blobs, in marshal format, from a memory file."""
    order, blobs = marshal.loads(os.pread(parcel, os.fstat(parcel).st_size, 0))  # noqa: S302  # written by Steelyard
    return order, blobs


def main() -> None:
    """Read the settings from one descriptor, then serve the other."""
    line, settings = int(sys.argv[1]), int(sys.argv[2])
    Server(socket.socket(fileno=line), *unpack(settings)).serve()


if __name__ == "__main__":
    main()
