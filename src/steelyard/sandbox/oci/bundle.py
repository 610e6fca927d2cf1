"""Describe a container for one command in the words of the OCI runtime specification."""

import errno
import os
from dataclasses import dataclass
from pathlib import Path

from steelyard.model.execution import CHANNEL_ENV, Command
from steelyard.sandbox import seccomp
from steelyard.sandbox.cgroups.groups import FIRST
from steelyard.sandbox.layout import (
    BOX,
    BOX_ENV,
    NOBODY,
    TEMPORARY,
    WORKSPACE,
    environment,
    file_mode,
    links,
    names,
    shows_temporary,
    system_folders,
)
from steelyard.sandbox.resource_limits import resource_limits

LABEL = "org.steelyard.sandbox"
GATE, READY, CHANNEL = 3, 4, 5  # the descriptors that a container inherits
NAMESPACES = ("pid", "network", "mount", "ipc", "uts", "cgroup")
QUIET = ["nosuid", "nodev", "noexec"]
SOCKET_KINDS = 64  # more than the kernel has
TYPE_BITS = 0xF  # of the second argument of socketpair; the rest are flags
# Tells that the container is up, waits for a word, and runs the command.
# The shell stays, since the first process of a container cannot be killed by a signal and a command must; it
# keeps its comments on how the command ended to itself.
GATED = (
    f"echo R >&{READY}; read -r word <&{GATE}; exec {GATE}<&- {READY}>&- 6>&2 2>/dev/null; "
    '"$@" 2>&6 6>&-; exit $?'
)

Json = dict[str, object]
HIDDEN_CLONE3: Json = {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": errno.ENOSYS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """In what one OCI runtime needs another specification than the others."""

    opens: str = ""  # what the shell does first, where a container does not inherit its pipes
    box: str | None = None  # the folder of this machine that is the box, or else a file system of its own
    mounts: tuple[Json, ...] = ()
    has_temporary: bool = False  # whether one of them is `/tmp`
    counts_processes: bool = False  # whether it limits processes by a resource limit
    hides_clone3: bool = True  # whether its filter can let a system call look as if there were none


RUNC = Runtime()


def fill(root: Path, command: Command, runtime: Runtime = RUNC) -> None:
    """Make the file tree of a container; what lies below the box is copied into its memory at the start."""
    root.mkdir()
    for path, text in names(NOBODY, NOBODY).items():
        _write(root / path[1:], text.encode(), 0o444)
    for path, target in links():
        (root / path[1:]).symlink_to(target)
    if not shows_temporary(command) and not runtime.has_temporary:
        (root / TEMPORARY[1:]).symlink_to(BOX_ENV["TMPDIR"])
    for folder in ("proc", "dev", *(path[1:] for path in (WORKSPACE, *BOX_ENV.values()))):
        (root / folder).mkdir(parents=True, exist_ok=True)
    for path, content in command.files.items():
        _write(root / WORKSPACE[1:] / path, content, file_mode(command, path))
    for path, _, found in os.walk(root / BOX[1:]):
        for name in (".", *found):
            os.chown(Path(path, name), NOBODY, NOBODY)


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
            "user": {"uid": NOBODY, "gid": NOBODY},
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
            "seccomp": _seccomp(loopback=command.loopback, hides_clone3=runtime.hides_clone3),
            "maskedPaths": ["/proc/kcore", "/proc/keys", "/proc/timer_list", "/proc/acpi", "/proc/scsi"],
            "readonlyPaths": ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"],
        },
    }


def _mounts(root: Path, command: Command, runtime: Runtime) -> list[Json]:
    box = shown(runtime.box, BOX, "rw") if runtime.box else _memory(command.limits.workspace_bytes)
    return [
        *runtime.mounts,
        {"destination": "/proc", "type": "proc", "source": "proc", "options": QUIET},
        {
            "destination": "/dev",
            "type": "tmpfs",
            "source": "tmpfs",
            "options": ["nosuid", "mode=755", "size=64k"],
        },
        *(shown(path, path, "ro") for path in system_folders()),
        box,
        *(
            shown(f"{root}{WORKSPACE}/{path}", f"{WORKSPACE}/{path}", "ro")
            for path in sorted(command.read_only)
        ),
        *(
            shown(bind.source, bind.source if bind.at is None else f"{WORKSPACE}/{bind.at}", "ro")
            for bind in command.binds
        ),
    ]


def _memory(size: int) -> Json:
    """Return the box as a file system in memory that begins with what lies below it."""
    options = ["nosuid", "nodev", "tmpcopyup", f"size={size}", "mode=0777"]
    return {"destination": BOX, "type": "tmpfs", "source": "tmpfs", "options": options}


def _rlimits(command: Command, runtime: Runtime) -> list[Json]:
    wanted = resource_limits(command.limits, handed_over=0, grouped=True)
    if runtime.counts_processes:
        processes = command.limits.processes + FIRST
        wanted["RLIMIT_NPROC"] = (processes, processes)
    return [{"type": name, "soft": soft, "hard": hard} for name, (soft, hard) in wanted.items()]


def shown(source: str, target: str, mode: str) -> Json:
    """Return the mount of something of this machine, `ro` or `rw`."""
    return {"destination": target, "type": "bind", "source": source, "options": ["rbind", mode, "nosuid"]}


def _seccomp(*, loopback: bool, hides_clone3: bool) -> Json:
    """Return the filter of the other sandboxes, as far as its words go."""
    new = [{"index": 0, "value": flag, "valueTwo": flag, "op": "SCMP_CMP_MASKED_EQ"} for flag in _bits()]
    typing = [{"index": 1, "value": value, "op": "SCMP_CMP_EQ"} for value in seccomp.TERMINAL_INPUT]
    refuse = {"action": "SCMP_ACT_ERRNO", "errnoRet": errno.EPERM}
    families = seccomp.LOOPBACK_FAMILIES if loopback else seccomp.SOCKET_FAMILIES
    return {
        "defaultAction": "SCMP_ACT_ALLOW",
        "syscalls": [
            {"names": [*seccomp.REFUSED], **refuse},
            *([HIDDEN_CLONE3] if hides_clone3 else []),
            *({"names": ["clone"], "args": [flag], **refuse} for flag in new),
            *({"names": ["ioctl"], "args": [word], **refuse} for word in typing),
            *({"names": ["socket"], "args": [family], **refuse} for family in _others(families)),
            *({"names": ["socketpair"], "args": [kind], **refuse} for kind in _unconnected_pairs()),
            {
                "names": ["personality"],
                "args": [_differs(value) for value in seccomp.PERSONALITIES],
                **refuse,
            },
        ],
    }


def _bits() -> list[int]:
    """Return the flags of the namespaces one by one."""
    return [1 << place for place in range(32) if seccomp.NEW_NAMESPACES >> place & 1]


def _others(families: tuple[int, ...]) -> list[Json]:
    """Return the kinds of sockets but a few: several conditions on one argument would each be a rule."""
    known = [family for family in range(SOCKET_KINDS) if family not in families]
    equal: list[Json] = [{"index": 0, "value": family, "op": "SCMP_CMP_EQ"} for family in known]
    return [*equal, {"index": 0, "value": SOCKET_KINDS, "op": "SCMP_CMP_GE"}]


def _unconnected_pairs() -> list[Json]:
    """Return the kinds of pairs that do not stay connected, whatever their flags."""
    return [
        {"index": 1, "value": TYPE_BITS, "valueTwo": kind, "op": "SCMP_CMP_MASKED_EQ"}
        for kind in range(TYPE_BITS + 1)
        if kind not in seccomp.PAIR_KINDS
    ]


def _differs(value: int) -> Json:
    return {"index": 0, "value": value, "op": "SCMP_CMP_NE"}


def _write(path: Path, content: bytes, mode: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(mode)
