"""Wait inside a sandbox as a warm interpreter, and fork a fresh, isolated child for every command.

Runs by its own, with nothing but the standard library of whichever interpreter it finds itself in. It never
holds what belongs to a command: a command arrives as open descriptors, which only the forked child reads,
so that no child finds in its memory what was meant for another.
"""

import atexit
import builtins
import ctypes
import gc
import importlib
import json
import os
import resource
import signal
import socket
import struct
import sys
import threading
import types
from pathlib import Path
from typing import Any, NoReturn, TypedDict

BOX, WORKSPACE = "/box", "/box/work"
HEADER = struct.Struct("=Q")
NEW_PID, NEW_MOUNT, NEW_USER = 0x20000000, 0x00020000, 0x10000000
NOSUID, NODEV, NOEXEC, READ_ONLY, REMOUNT, BIND = 2, 4, 8, 1, 32, 4096
PDEATHSIG, DUMPABLE, SECCOMP, DROP_BOUND, NO_NEW_PRIVILEGES = 1, 4, 22, 24, 38
CAPABILITIES = 0x20080522  # the version of the capset interface
SIGNALLED = 128
MOST_DESCRIPTORS = 1 << 16

libc = ctypes.CDLL(None, use_errno=True)


class Settings(TypedDict):
    """What the interpreter is told once."""

    user: int
    group: int
    preload: list[str]


class Order(TypedDict):
    """What a child is told about its command; the contents of the files follow it."""

    argv: list[str]
    env: dict[str, str]
    files: dict[str, int]  # with their permissions
    workspace_bytes: int


def call(name: str, *arguments: object) -> None:
    """Call a function of the C library, and raise what it complains about."""
    if getattr(libc, name)(*arguments) == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mount something somewhere."""
    call("mount", source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), options.encode())


class Server:
    """The warm interpreter: what it knows before any command comes."""

    def __init__(self, line: socket.socket, settings: Settings, blobs: list[bytes]) -> None:
        self.line = line
        self.user, self.group = settings["user"], settings["group"]
        self.filter, *scripts = blobs
        self.own_pids = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
        for name in settings["preload"]:
            importlib.import_module(name)
        self.prepared = {text: compile(text, "<prepared>", "exec") for text in scripts}

    def serve(self) -> NoReturn:
        """Fork a child for every message; leave when the other side is gone."""
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel buries the children
        gc.collect()
        gc.freeze()
        self.line.send(b"ready")
        while True:
            message, descriptors, _, _ = socket.recv_fds(self.line, 16, 8)
            if not message:
                os._exit(0)
            # Back to our own, from which alone the next namespace can be made.
            call("setns", self.own_pids, NEW_PID)
            call("unshare", NEW_PID)
            pid = os.fork()
            if not pid:
                self._be_first(descriptors)
            handle = os.pidfd_open(pid)
            socket.send_fds(self.line, [b"."], [handle])
            for descriptor in (handle, *descriptors):
                os.close(descriptor)

    def _be_first(self, descriptors: list[int]) -> NoReturn:
        """Be the first process of a new world: build it, start the command, bury the dead, tell the end."""
        parcel, status, gate, stdin, stdout, stderr, *channel = descriptors
        try:
            os.dup2(stderr, 2)
            self.line.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            with open(parcel, "rb") as file:  # noqa: PTH123  # a descriptor has no path
                order, blobs = unpack(file.read())
            settle(order, blobs)
            self._give_up_everything()
            os.write(status, b"R")
            if not os.read(gate, 1):
                os._exit(1)
            pid = os.fork()
        except BaseException as error:  # noqa: BLE001  # whatever it was, it was ours, and the other side waits
            os.write(2, f"warm sandbox: {error!r}\n".encode())
            os._exit(1)
        if not pid:
            self._be_command(order, blobs, (stdin, stdout, stderr), channel)
        for descriptor in {stdin, stdout, stderr, *channel, 0, 1, 2}:
            os.close(descriptor)
        os.write(status, json.dumps(ending_of(pid)).encode())
        os._exit(0)

    def _give_up_everything(self) -> None:
        """Become nobody in particular, with no way back."""
        if os.geteuid() == 0:
            os.setgroups([])
            os.setresgid(self.group, self.group, self.group)
            os.setresuid(self.user, self.user, self.user)
        call("prctl", DUMPABLE, 1, 0, 0, 0)  # or the maps of the next namespace could not be written
        call("unshare", NEW_USER)
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{self.user} {self.user} 1"),
            ("gid_map", f"{self.group} {self.group} 1"),
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
        if self.filter:
            code = ctypes.create_string_buffer(self.filter, len(self.filter))
            program = struct.pack("@HxxxxxxP", len(self.filter) // 8, ctypes.addressof(code))
            call("prctl", SECCOMP, 2, program, 0, 0)
        call("prctl", DUMPABLE, 0, 0, 0, 0)  # nobody inside may look into the first process

    def _be_command(
        self, order: Order, blobs: list[bytes], standard: tuple[int, int, int], channel: list[int]
    ) -> NoReturn:
        """Be the command: its streams, its environment, its script."""
        os.setsid()
        call("prctl", DUMPABLE, 1, 0, 0, 0)
        for number, descriptor in enumerate(standard):
            os.dup2(descriptor, number)
        wanted = 3
        if channel:
            os.dup2(channel[0], wanted)
            wanted += 1
        os.closerange(wanted, min(1 << 16, os.sysconf("SC_OPEN_MAX")))
        os.environ.clear()
        os.environ.update(order["env"])
        text = blobs[list(order["files"]).index(order["argv"][0])]
        os._exit(run_script(order["argv"], self.prepared.get(text) or text))


def settle(order: Order, blobs: list[bytes]) -> None:
    """Make the world of one command: a mount namespace with an own workspace and an own list of processes."""
    call("unshare", NEW_MOUNT)
    os.umask(0)
    mount("tmpfs", BOX, "tmpfs", NOSUID | NODEV, f"mode=0777,size={order['workspace_bytes']}")
    mount("proc", "/proc", "proc", NOSUID | NODEV | NOEXEC)
    for folder in ("work", "home", "tmp"):
        os.mkdir(f"{BOX}/{folder}")  # noqa: PTH102  # as below: a path as an object costs as much as the folder
    for (path, mode), content in zip(order["files"].items(), blobs, strict=True):
        full = f"{WORKSPACE}/{path}"
        if "/" in path:
            Path(full).parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(full, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb", buffering=0) as file:
            file.write(content)
        if not mode & 0o222:
            mount(full, full, "", BIND)
            mount("", full, "", REMOUNT | BIND | READ_ONLY | NOSUID | NODEV)
    os.umask(0o022)
    os.chdir(WORKSPACE)


def ending_of(pid: int) -> dict[str, float]:
    """Bury children until a certain one is among them; return how it ended and what all of them used."""
    while True:
        gone, status = os.wait()
        if gone == pid:
            break
    code = os.waitstatus_to_exitcode(status)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "exit-code": code if code >= 0 else SIGNALLED - code,
        "cpu_s": used.ru_utime + used.ru_stime,
        "peak": used.ru_maxrss * 1024,
    }


def run_script(argv: list[str], script: "types.CodeType | bytes") -> int:
    """Run a script as a fresh interpreter would, and return its exit code."""
    sys.argv = argv
    if not sys.flags.isolated:
        sys.path.insert(0, str(Path(argv[0]).absolute().parent))
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=argv[0], __builtins__=builtins)
    sys.modules["__main__"] = module
    code = 0
    try:
        compiled = compile(script, argv[0], "exec") if isinstance(script, bytes) else script
        exec(compiled, module.__dict__)  # noqa: S102  # running a script is what we are here for
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
    """Do what an interpreter does before it leaves."""
    try:
        threading._shutdown()  # type: ignore[attr-defined]  # noqa: SLF001  # waits for threads, as leaving does
        atexit._run_exitfuncs()  # noqa: SLF001
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException as error:  # noqa: BLE001  # as above
        sys.excepthook(type(error), error, error.__traceback__)
        return code or 1
    return code


def unpack(parcel: bytes) -> tuple[Any, list[bytes]]:
    """Return a parcel's order and its blobs: a length, the order as JSON with the blobs' sizes, the blobs."""
    (length,) = HEADER.unpack_from(parcel)
    start = HEADER.size + length
    order = json.loads(parcel[HEADER.size : start])
    blobs = []
    for size in order["sizes"]:
        blobs.append(parcel[start : start + size])
        start += size
    return order, blobs


def main() -> None:
    """Read the settings from one descriptor, then serve another."""
    line, settings = int(sys.argv[1]), int(sys.argv[2])
    with open(settings, "rb") as file:  # a descriptor has no path
        order, blobs = unpack(file.read())
    Server(socket.socket(fileno=line), order, blobs).serve()


if __name__ == "__main__":
    main()
