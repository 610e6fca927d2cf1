"""Describe a container for one command in the words of the OCI runtime specification."""

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
# Reports that the container is up, waits for a line, and runs the command; if we die first, no line comes.
# The shell stays, since the first process of a container cannot be killed by a signal and a command must; it
# keeps its comments on how the command ended to itself.
GATED = (
    f"echo R >&{READY}; read -r word <&{GATE} || exit; exec {GATE}<&- {READY}>&- 6>&2 2>/dev/null; "
    '"$@" 2>&6 6>&-; exit $?'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """In what one OCI runtime needs another specification than the others."""

    opens: str = ""  # what the shell does first, where a container does not inherit its pipes
    box: str | None = None  # a folder of this machine to write in, in place of a file system in memory
    mounts: tuple[Json, ...] = ()
    has_temporary: bool = False  # whether one of them is `/tmp`
    counts_processes: bool = False  # whether it limits processes by a resource limit
    own_kernel: bool = False  # whether it answers system calls itself
    read_only: tuple[str, ...] = ("ro",)  # its mount option for read-only

    @property
    def user(self) -> int:
        """Who the command is: without a user namespace, the same inside and on this machine."""
        return NOBODY if self.own_kernel else own_user()


RUNC = Runtime(read_only=("ro", ALL_BELOW))
OLD_RUNC = Runtime()  # where nothing is mounted below what is shown, the same


def fill(root: Path, command: Command, runtime: Runtime = RUNC) -> None:
    """Make the file tree of a container; what lies below the box is copied into its memory at the start."""
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
    for path, _, found in os.walk(root / SANDBOX[1:]):
        for name in (".", *found):
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
        *(shown(path, path, *runtime.read_only) for path in system_folders()),
        *(_own(folder, command, runtime) for folder in (SANDBOX, *held_folders(command))),
        *(
            shown(f"{root}{WORKSPACE}/{path}", f"{WORKSPACE}/{path}", *runtime.read_only)
            for path in sorted(command.read_only)
        ),
        *(
            shown(
                bind.source,
                bind.source if bind.at is None else f"{WORKSPACE}/{bind.at}",
                *runtime.read_only,
            )
            for bind in command.binds
        ),
    ]


def _own(folder: str, command: Command, runtime: Runtime) -> Json:
    """Return the mount of a writable folder, which as a mount point cannot be moved.

    Its content is a folder of this machine, or a file system in memory that begins with what lies below.
    """
    if runtime.box:
        return shown(f"{runtime.box}{folder.removeprefix(SANDBOX)}", folder, "rw")
    size = f"size={command.limits.workspace_bytes}"
    owner = [] if folder == SANDBOX else [f"uid={runtime.user}", f"gid={runtime.user}"]
    options = ["nosuid", "nodev", "tmpcopyup", size, "mode=0777", *owner]
    return {"destination": folder, "type": "tmpfs", "source": "tmpfs", "options": options}


def _rlimits(command: Command, runtime: Runtime) -> list[Json]:
    wanted = resource_limits(command.limits, passed_descriptors=0, grouped=True)
    if runtime.counts_processes:
        processes = command.limits.processes + FIRST
        wanted["RLIMIT_NPROC"] = (processes, processes)
    return [{"type": name, "soft": soft, "hard": hard} for name, (soft, hard) in wanted.items()]


def shown(source: str, target: str, *mode: str) -> Json:
    """Return the mount of something of this machine, `rw` or by the runtime's option for read-only."""
    return {"destination": target, "type": "bind", "source": source, "options": ["rbind", *mode, "nosuid"]}


def _write(path: Path, content: bytes, mode: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(mode)
