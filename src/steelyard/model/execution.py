"""Hold a command to run in a sandbox, its limits and its result.

A failing command is a result like any other; only a sandbox that cannot run it at all raises an error.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB

# Where tools of this machine are started: in the folder that we are in, a file may say what they run.
NEUTRAL_FOLDER = "/"
CHANNEL_ENV = "STEELYARD_CHANNEL"  # the channel's descriptor, for commands with a channel


class Limit(StrEnum):
    """A limit that ended a command, or left its mark on it."""

    WALL = "wall"  # ran too long
    CPU = "cpu"  # computed too long
    MEMORY = "memory"  # wanted more memory
    PROCESSES = "processes"  # wanted more processes or threads
    FILE_SIZE = "file_size"  # wrote too large a file
    OUTPUT = "output"  # printed too much


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one command, with everything it starts, may use."""

    wall_s: float = 30.0
    busy_wall_s: float = 0.0  # up to this, if above `wall_s`, a command goes on that waits for a processor
    cpu_s: float = 30.0
    memory_bytes: int = GIB
    processes: int = 64  # threads count too
    file_bytes: int = 256 * MIB  # of a single file
    workspace_bytes: int = 512 * MIB  # of all files together
    open_files: int = 256  # of a single process
    output_bytes: int = MIB  # kept of each stream; what follows is counted and thrown away
    output_total_bytes: int = 64 * MIB  # of all streams together; a command that prints more is stopped
    keep_bytes: int = 64 * MIB  # of all files brought back together


@dataclass(frozen=True, slots=True, kw_only=True)
class Bind:
    """A file or folder of this machine that the command may read and not change.

    It is seen at `at`, relative to the workspace, or, without it, at the very path it has on this machine.
    """

    source: str
    at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A program, what it may see, and what it may use.

    It starts in an empty folder of its own, the workspace, that holds `files`. Paths in `files`, `keep` and
    `argv` are relative to it; where it lies differs from sandbox to sandbox. The environment is `env` and a
    few harmless defaults such as `PATH`; nothing is inherited.
    """

    argv: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)
    executable: frozenset[str] = frozenset()  # which of `files` may be run
    read_only: frozenset[str] = frozenset()  # which of `files` the command can neither change nor delete
    binds: tuple[Bind, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    stdin: bytes = b""
    # Whether there is a pipe whose text comes back apart from the output; the variable `STEELYARD_CHANNEL`
    # holds its descriptor. To know that the harness and not the answer wrote it, pass the harness a nonce as
    # the first line of `stdin` and let it read that line before it loads the answer: what has been read from
    # a pipe is in no file, in no environment and in no other process.
    channel: bool = False
    keep: tuple[str, ...] = ()  # files to bring back; the command may or may not have written them
    # More files to bring back, new ones and changed ones, by patterns such as `*.py`, in which `*` stands for
    # slashes too; a pattern that begins with `!` leaves out what it matches.
    keep_matching: tuple[str, ...] = ()
    # Whether it may open sockets of the internet's kinds. It has no network in any case: they lead to itself.
    loopback: bool = False
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """The beginning of what a command wrote, and how much it wrote in all."""

    text: bytes = b""
    size: int = 0

    @property
    def truncated(self) -> bool:
        """Whether there was more than was kept.

        >>> Stream(text=b"ab", size=5).truncated
        True
        """
        return self.size > len(self.text)

    def decoded(self) -> str:
        """Return the text, with a replacement mark for what is not UTF-8.

        >>> Stream(text="naïve".encode() + bytes([255]), size=7).decoded()
        'naïve�'
        """
        return self.text.decode("utf-8", errors="replace")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecResult:
    """How a command ended and what it left; a figure that the machine cannot measure is None."""

    # As a shell would put it, a program that leaves with 128 + N itself reads as killed by signal N.
    exit_code: int | None
    signal: int | None = None
    limit: Limit | None = None
    stdout: Stream = field(default_factory=Stream)
    stderr: Stream = field(default_factory=Stream)
    channel: Stream = field(default_factory=Stream)
    wall_s: float = 0.0
    cpu_s: float | None = None
    peak_memory_bytes: int | None = None
    had_longer: bool = False  # than `wall_s`, since others had the processors
    files: Mapping[str, bytes] = field(default_factory=dict)  # those of `keep` that are plain files
    refused: Mapping[str, str] = field(default_factory=dict)  # those of `keep` that are not, and why

    @property
    def succeeded(self) -> bool:
        """Whether the command left with 0 and no limit was hit.

        >>> ExecResult(exit_code=0).succeeded, ExecResult(exit_code=0, limit=Limit.MEMORY).succeeded
        (True, False)
        """
        return self.exit_code == 0 and self.limit is None
