"""Describe the container of one command by the OCI runtime specification."""

import os
from dataclasses import dataclass
from pathlib import Path

from steelyard.model.execution import CHANNEL_ENV, Command
from steelyard.sandbox.cgroups.groups import FIRST
from steelyard.sandbox.layout import (
    SANDBOX,
    SANDBOX_ENV,
    TEMPORARY,
    WORKSPACE,
    environment,
    file_mode,
    held_folders,
    links,
    names,
    shows_temporary,
    system_folders,
)
from steelyard.sandbox.oci.filter import Json, filter_rules
from steelyard.sandbox.oci.read_only import ALL_BELOW
from steelyard.sandbox.resource_limits import resource_limits
from steelyard.sandbox.users import NOBODY, own_user

LABEL = "org.steelyard.sandbox"
GATE, READY, CHANNEL = 3, 4, 5  # the descriptors that a container inherits
NAMESPACES = ("pid", "network", "mount", "ipc", "uts", "cgroup")
QUIET = ["nosuid", "nodev", "noexec"]
# Reports that the container is up, waits for a line, and runs the command; if Steelyard dies first, no line
# comes. The shell stays as the first process, which no signal from inside can kill: a command must be
# killable. The shell's own messages are discarded.
GATED = (
    f"echo R >&{READY}; read -r word <&{GATE} || exit; exec {GATE}<&- {READY}>&- 6>&2 2>/dev/null; "
    '"$@" 2>&6 6>&-; exit $?'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """How the specification of one OCI runtime differs."""

    opens: str = ""  # shell code that opens the pipes if they are not inherited
    box: str | None = None  # a writable folder of this machine instead of a tmpfs
    mounts: tuple[Json, ...] = ()
    has_temporary: bool = False  # whether `mounts` include `/tmp`
    counts_processes: bool = False  # whether a resource limit limits processes
    own_kernel: bool = False  # whether it implements system calls itself
    read_only: tuple[str, ...] = ("ro",)  # mount options

    @property
    def user(self) -> int:
        """The user of the command: without a user namespace, the same inside and outside."""
        return NOBODY if self.own_kernel else own_user()


RUNC = Runtime(read_only=("ro", ALL_BELOW))
OLD_RUNC = Runtime()  # safe only for binds without submounts


def fill(root: Path, command: Command, runtime: Runtime = RUNC) -> None:
    """Create the file tree of a container; the runtime copies the box into a tmpfs."""
    root.mkdir()
    for path, text in names(runtime.user, runtime.user).items():
        _write(root / path[1:], text.encode(), 0o444)
    for path, target in links():
        (root / path[1:]).symlink_to(target)
    if not shows_temporary(command) and not runtime.has_temporary:
        (root / TEMPORARY[1:]).symlink_to(SANDBOX_ENV["TMPDIR"])
    for folder in ("proc", "dev", *(path[1:] for path in (WORKSPACE, *SANDBOX_ENV.values()))):
        (root / folder).mkdir(parents=True, exist_ok=True)
    for path, content in command.files.items():
        _write(root / WORKSPACE[1:] / path, content, file_mode(command, path))
    for path, _, names_inside in os.walk(root / SANDBOX[1:]):
        for name in (".", *names_inside):
            os.chown(Path(path, name), runtime.user, runtime.user)


def specification(root: Path, command: Command, runtime: Runtime = RUNC) -> Json:
    """Return the `config.json` of a container."""
    env = environment(command)
    if command.channel:
        env[CHANNEL_ENV] = str(CHANNEL)
    return {
        "ociVersion": "1.0.2",
        "annotations": {LABEL: str(os.getpid())},
        "hostname": "box",
        "root": {"path": str(root), "readonly": True},
        "process": {
            "user": {"uid": runtime.user, "gid": runtime.user},
            "cwd": WORKSPACE,
            "args": ["/bin/sh", "-c", runtime.opens + GATED, "sh", *command.argv],
            "env": [f"{name}={value}" for name, value in env.items()],
            "capabilities": {
                kind: [] for kind in ("bounding", "effective", "inheritable", "permitted", "ambient")
            },
            "noNewPrivileges": True,
            "rlimits": _rlimits(command, runtime),
        },
        "mounts": _mounts(root, command, runtime),
        "linux": {
            "namespaces": [{"type": name} for name in NAMESPACES],
            "seccomp": filter_rules(loopback=command.loopback, own_kernel=runtime.own_kernel),
            "maskedPaths": ["/proc/kcore", "/proc/keys", "/proc/timer_list", "/proc/acpi", "/proc/scsi"],
            "readonlyPaths": ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"],
        },
    }


def _mounts(root: Path, command: Command, runtime: Runtime) -> list[Json]:
    return [
        *runtime.mounts,
        {"destination": "/proc", "type": "proc", "source": "proc", "options": QUIET},
        {
            "destination": "/dev",
            "type": "tmpfs",
            "source": "tmpfs",
            "options": ["nosuid", "mode=755", "size=64k"],
        },
        *(bind_mount(path, path, *runtime.read_only) for path in system_folders()),
        *(_writable_mount(folder, command, runtime) for folder in (SANDBOX, *held_folders(command))),
        *(
            bind_mount(f"{root}{WORKSPACE}/{path}", f"{WORKSPACE}/{path}", *runtime.read_only)
            for path in sorted(command.read_only)
        ),
        *(
            bind_mount(
                bind.source,
                bind.source if bind.at is None else f"{WORKSPACE}/{bind.at}",
                *runtime.read_only,
            )
            for bind in command.binds
        ),
    ]


def _writable_mount(folder: str, command: Command, runtime: Runtime) -> Json:
    """Return the mount of a writable folder: a mount point cannot be moved.

    It is a folder of this machine, or a tmpfs filled from the file tree.
    """
    if runtime.box:
        return bind_mount(f"{runtime.box}{folder.removeprefix(SANDBOX)}", folder, "rw")
    size = f"size={command.limits.workspace_bytes}"
    owner = [] if folder == SANDBOX else [f"uid={runtime.user}", f"gid={runtime.user}"]
    options = ["nosuid", "nodev", "tmpcopyup", size, "mode=0777", *owner]
    return {"destination": folder, "type": "tmpfs", "source": "tmpfs", "options": options}


def _rlimits(command: Command, runtime: Runtime) -> list[Json]:
    limits = resource_limits(command.limits, passed_descriptors=0, grouped=True)
    if runtime.counts_processes:
        processes = command.limits.processes + FIRST
        limits["RLIMIT_NPROC"] = (processes, processes)
    return [{"type": name, "soft": soft, "hard": hard} for name, (soft, hard) in limits.items()]


def bind_mount(source: str, target: str, *mode: str) -> Json:
    """Return a bind mount with `rw` or the runtime's read-only options."""
    return {"destination": target, "type": "bind", "source": source, "options": ["rbind", *mode, "nosuid"]}


def _write(path: Path, content: bytes, mode: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(mode)
