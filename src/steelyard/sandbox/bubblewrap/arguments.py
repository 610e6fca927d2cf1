"""Build the options of bubblewrap for one command."""

from collections.abc import Iterator

from steelyard.model.execution import Command
from steelyard.sandbox.descriptors import Descriptors
from steelyard.sandbox.layout import (
    DEVICES,
    READY,
    SANDBOX,
    SANDBOX_ENV,
    TEMPORARY,
    WORKSPACE,
    environment,
    file_mode,
    held_folders,
    links,
    names,
    parents,
    shows_temporary,
    system_folders,
)

NAMESPACES = ("user", "ipc", "pid", "net", "uts", "cgroup")
ALWAYS_SHOWN = "/usr/"
OPEN_FOLDER = "0777"  # the user of the command may differ from the one that sets up the sandbox


def fixed_options() -> list[str]:
    """Return the options shared by all commands: namespaces, system folders, devices, no privileges."""
    options = [f"--unshare-{name}" for name in NAMESPACES]
    options += ["--new-session", "--clearenv", "--hostname", "box", "--cap-drop", "ALL"]
    for folder in ("/etc", "/dev"):
        options += ["--perms", "0755", "--dir", folder]
    for path, target in links():
        options += ["--symlink", target, path]
    for path in system_folders():
        options += ["--ro-bind", path, path]
    for device in DEVICES:
        options += ["--dev-bind", device, device]
    for path, target in (
        ("/dev/fd", "/proc/self/fd"),
        ("/dev/stdin", "/proc/self/fd/0"),
        ("/dev/stdout", "/proc/self/fd/1"),
        ("/dev/stderr", "/proc/self/fd/2"),
        ("/dev/shm", SANDBOX_ENV["TMPDIR"]),  # noqa: S108  # the sandbox's own, a private file system in memory
    ):
        options += ["--symlink", target, path]
    return [*options, "--proc", "/proc"]


def options_for(command: Command, descriptors: Descriptors, opened: dict[str, int]) -> Iterator[str]:
    """Yield the options of one command; files are passed as descriptors."""
    if not shows_temporary(command):
        yield from ("--symlink", SANDBOX_ENV["TMPDIR"], TEMPORARY)
    for path, descriptor in opened.items():
        yield from ("--perms", "0444", "--file", str(descriptors.reopen(descriptor)), path)
    # A folder that must not be moved is a tmpfs of its own: bubblewrap cannot bind a folder it created.
    held = {SANDBOX, *held_folders(command)}
    sized = ("--size", str(command.limits.workspace_bytes), "--tmpfs")
    for folder in (SANDBOX, WORKSPACE, *SANDBOX_ENV.values(), *_folders(command)):
        yield from ("--perms", OPEN_FOLDER, *(sized if folder in held else ("--dir",)), folder)
    yield from _files(command, descriptors)
    yield from _binds(command)
    yield from ("--dir", READY, "--remount-ro", "/", "--chdir", WORKSPACE)
    for name, value in environment(command).items():
        yield from ("--setenv", name, value)


def open_names(descriptors: Descriptors) -> dict[str, int]:
    """Open the small files of `/etc`, once for all commands."""
    return {path: descriptors.file(text.encode()) for path, text in names().items()}


def _shown(path: str) -> Iterator[str]:
    """Mount a path of this machine at the same path, read-only."""
    for folder in parents(path):
        yield from ("--perms", "0755", "--dir", folder)
    yield from ("--ro-bind", path, path)


def _folders(command: Command) -> Iterator[str]:
    inside = (*command.files, *(bind.at for bind in command.binds if bind.at is not None))
    folders = dict.fromkeys(folder for path in inside for folder in parents(path))
    return (f"{WORKSPACE}/{folder}" for folder in folders)


def _files(command: Command, descriptors: Descriptors) -> Iterator[str]:
    for path, content in command.files.items():
        yield from ("--perms", f"{file_mode(command, path):04o}")
        yield "--ro-bind-data" if path in command.read_only else "--file"
        yield from (str(descriptors.file(content)), f"{WORKSPACE}/{path}")


def _binds(command: Command) -> Iterator[str]:
    for bind in command.binds:
        if bind.at is None and bind.source.startswith(ALWAYS_SHOWN):
            continue
        if bind.at is None:
            yield from _shown(bind.source)
        else:
            yield from ("--ro-bind", bind.source, f"{WORKSPACE}/{bind.at}")
