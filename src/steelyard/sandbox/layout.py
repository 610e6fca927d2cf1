"""Define what a command sees in a sandbox: folders, environment, names of users."""

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from posixpath import normpath

from steelyard.errors import SandboxError
from steelyard.model.execution import Bind, Command
from steelyard.sandbox.users import steps_down

SANDBOX = "/box"  # the only writable folder: a file system in memory, of limited size
WORKSPACE = f"{SANDBOX}/work"
USER, GROUP = 1000, 1000
READY = "/.ready"  # exists only inside the finished sandbox

DEFAULT_ENV = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
SANDBOX_ENV = {"HOME": f"{SANDBOX}/home", "TMPDIR": f"{SANDBOX}/tmp"}  # noqa: S108  # private to each sandbox

TEMPORARY = "/tmp"  # noqa: S108  # hard-coded in programs
SYSTEM = ("/usr", "/etc/alternatives", "/etc/ld.so.cache")
TOP_LEVEL = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def names(user: int = USER, group: int = GROUP) -> dict[str, str]:
    """Return the small files of `/etc`, with the command's own user and localhost only."""
    return {
        "/etc/passwd": f"root:x:0:0::/:/bin/false\nbox:x:{user}:{group}::{SANDBOX}/home:/bin/sh\n",
        "/etc/group": f"root:x:0:\nbox:x:{group}:\n",
        "/etc/hosts": "127.0.0.1 localhost\n::1 localhost\n",
        "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    }


def links() -> Iterator[tuple[str, str]]:
    """Return the top-level folders that are links on this machine, with their targets."""
    return ((path, str(Path(path).readlink())) for path in TOP_LEVEL if Path(path).is_symlink())


def system_folders() -> Iterator[str]:
    """Return the folders and files of this machine that every command may read."""
    real = [path for path in TOP_LEVEL if not Path(path).is_symlink()]
    return (path for path in (*SYSTEM, *real) if Path(path).exists())


def parents(path: str) -> Iterator[str]:
    """Return the folders above a path, outermost first, without the root.

    >>> list(parents("/a/b/c"))
    ['/a', '/a/b']
    """
    return (str(folder) for folder in reversed(PurePosixPath(path).parents) if str(folder) not in {"/", "."})


def held_folders(command: Command) -> list[str]:
    """Return the folders that must not move because they contain read-only files, outermost first.

    A mount point can be neither moved nor removed, but its parent can. So the workspace and each folder above
    a read-only file become mount points too.

    >>> held_folders(Command(argv=("x",), files={"a/b/c": b""}, read_only=frozenset({"a/b/c"})))
    ['/box/work', '/box/work/a', '/box/work/a/b']
    """
    paths = (f"{WORKSPACE}/{path}" for path in sorted(command.read_only))
    folders = dict.fromkeys(folder for path in paths for folder in parents(path))
    return [folder for folder in folders if folder != SANDBOX]


def checked(command: Command) -> Command:
    """Return a command after validating its paths; raise SandboxError for a bad one."""
    inside = [*command.files, *command.keep, *(bind.at for bind in command.binds if bind.at is not None)]
    for path in inside:
        if not path or "\0" in path or normpath(path) != path or path.startswith(("/", "..")):
            raise SandboxError(f"{path!r} is not a plain path relative to the workspace")
    if not command.argv:
        raise SandboxError("the command is empty; it needs a program")
    unknown = (command.executable | command.read_only) - set(command.files)
    if unknown:
        raise SandboxError(f"{sorted(unknown)} are not among the files of the command")
    for bind in command.binds:
        require_readable(bind)
    require_program(command)
    return command


def require_readable(bind: Bind) -> None:
    """Refuse a bind whose source is missing, relative, or unreadable inside."""
    if not bind.source.startswith("/"):
        raise SandboxError(f"{bind.source!r} must be an absolute path of this machine")
    try:
        mode = Path(bind.source).stat().st_mode
    except OSError as error:
        raise SandboxError(f"{bind.source} cannot be mounted: {error.strerror}") from error
    # Root steps down to a user who owns nothing.
    if steps_down() and not mode & 0o004:
        raise SandboxError(f"{bind.source} is not readable for others; run `chmod -R o+rX {bind.source}`")


def shows_temporary(command: Command) -> bool:
    """Whether something below this machine's `/tmp` is mounted at its own path.

    Then `/tmp` contains only that, and programs use `TMPDIR`; otherwise it is a link to the sandbox's own.
    """
    return any(bind.at is None and _is_below(bind.source, TEMPORARY) for bind in command.binds)


def environment(command: Command) -> dict[str, str]:
    """Return the whole environment of a command inside the sandbox."""
    return {**DEFAULT_ENV, **SANDBOX_ENV, **command.env, "PWD": WORKSPACE}


def file_mode(command: Command, path: str) -> int:
    """Return the mode of one of a command's files."""
    mode = 0o444 if path in command.read_only else 0o666
    return mode | 0o111 if path in command.executable else mode


def require_program(command: Command) -> None:
    """Refuse a command whose program does not exist: an infrastructure error, never the answer's."""
    name = command.argv[0]
    if "/" not in name:
        folders = {**DEFAULT_ENV, **command.env}["PATH"].split(":")
        candidates = [f"{folder}/{name}" for folder in folders]
    else:
        candidates = [name]
    if not any(_can_run(path, command) for path in candidates):
        raise SandboxError(f"no program {name!r} in the sandbox; install it, or add a bind of its folder")


def _can_run(path: str, command: Command) -> bool:
    inside = normpath(path)
    if not path.startswith("/"):
        shown_inside = (bind.at for bind in command.binds if bind.at is not None)
        return inside in command.executable or any(_is_below(inside, at) for at in shown_inside)
    shown = (*SYSTEM, *TOP_LEVEL, *(bind.source for bind in command.binds if bind.at is None))
    return any(_is_below(inside, root) for root in shown) and os.access(inside, os.X_OK)


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")
