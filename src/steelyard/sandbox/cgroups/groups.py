"""Limit the memory and processes of commands by control groups of version 1 or 2.

Groups of version 1 are reused: otherwise the kernel would keep thousands of dead groups, each held by a
cached page of the toolchain.
"""

import itertools
import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from steelyard.errors import SandboxError
from steelyard.model.execution import Limits

PREFIX = "steelyard-"
PROCESSES = "cgroup.procs"
MICROSECONDS, NANOSECONDS = 1e-6, 1e-9
FIRST = 1  # the first process of a sandbox belongs to Steelyard and does not count


def group_prefix(pid: int | str = "") -> str:
    """Return the prefix of the names of a process's groups.

    It includes the pid namespace: containers that share a tree may have equal pids.
    """
    return f"{PREFIX}{Path('/proc/self/ns/pid').stat().st_ino}-{pid}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupUsage:
    """The resource usage of a command, None where unknown."""

    cpu_s: float | None = None
    peak_memory_bytes: int | None = None
    out_of_memory: bool = False
    out_of_processes: bool = False


class Group(Protocol):
    """A control group for one command at a time."""

    @property
    def name(self) -> str:
        """The name of the group."""

    def begin(self, limits: Limits) -> None:
        """Set the limits for the next command and reset the counters."""

    def join(self, pid: int) -> None:
        """Add a process, and its future descendants, to the group."""

    def cgroup_files(self) -> list[Path]:
        """Return the files to which a process writes 0 to join the group."""

    def cpu_s(self) -> float:
        """Return the processor time used so far."""

    def usage(self) -> GroupUsage:
        """Return the usage so far."""

    def members(self) -> list[int]:
        """Return the processes in the group."""

    def reusable(self) -> bool:
        """Whether the counters can be reset for another command."""

    def remove(self) -> None:
        """Remove the group, which must be empty."""


def read(path: Path) -> bytes:
    """Read a small file; called several times for each command, so without buffering."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, 1 << 16)
    finally:
        os.close(descriptor)


def read_count(path: Path, key: bytes | None = None) -> int:
    """Return the number in a file, or in its line with this key; 0 if missing."""
    try:
        text = read(path)
    except OSError:
        return 0
    if key is None:
        return int(text)
    return next((int(line.split()[1]) for line in text.splitlines() if line.startswith(key + b" ")), 0)


def write(path: Path, value: int) -> None:
    """Write a number to a kernel file in a single write."""
    descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC)
    try:
        os.write(descriptor, b"%d" % value)
    finally:
        os.close(descriptor)


def members(folder: Path) -> list[int]:
    """Return the processes in a group."""
    return [int(pid) for pid in read(folder / PROCESSES).split()]


@dataclass(slots=True, kw_only=True)
class GroupV1:
    """A group in the separate trees of version 1."""

    memory: Path
    pids: Path
    cpuacct: Path
    cpu: Path  # equal shares of the processors; often the same tree as `cpuacct`
    _kills: int = 0
    _refusals: int = 0
    _cpu_ns: int = 0
    _resident: int = 0
    _limits: Limits | None = None  # the current ones

    @property
    def name(self) -> str:
        """The name of the group."""
        return self.memory.name

    @property
    def _folders(self) -> Iterable[Path]:
        return dict.fromkeys((self.memory, self.pids, self.cpuacct, self.cpu))

    def begin(self, limits: Limits) -> None:
        """Set the limits for the next command and reset the counters."""
        if limits != self._limits:
            self._set(limits)
        write(self.memory / "memory.max_usage_in_bytes", 0)
        self._resident = read_count(self.memory / "memory.usage_in_bytes")
        self._kills = read_count(self.memory / "memory.oom_control", b"oom_kill")
        self._refusals = read_count(self.pids / "pids.events", b"max")
        self._cpu_ns = read_count(self.cpuacct / "cpuacct.usage")

    def _set(self, limits: Limits) -> None:
        with suppress(OSError):  # memsw may never be below memory, so it is lifted first
            write(self.memory / "memory.memsw.limit_in_bytes", -1)
        write(self.memory / "memory.limit_in_bytes", limits.memory_bytes)
        with suppress(OSError):  # exists only if swap is counted
            write(self.memory / "memory.memsw.limit_in_bytes", limits.memory_bytes)
        write(self.pids / "pids.max", limits.processes + FIRST)
        self._limits = limits

    def join(self, pid: int) -> None:
        """Add a process, and its future descendants, to the group."""
        for file in self.cgroup_files():
            write(file, pid)

    def cgroup_files(self) -> list[Path]:
        """Return the files to which a process writes 0 to join the group."""
        return [folder / PROCESSES for folder in self._folders]

    def cpu_s(self) -> float:
        """Return the processor time used so far."""
        return (read_count(self.cpuacct / "cpuacct.usage") - self._cpu_ns) * NANOSECONDS

    def usage(self) -> GroupUsage:
        """Return the usage so far."""
        peak = read_count(self.memory / "memory.max_usage_in_bytes")
        return GroupUsage(
            cpu_s=self.cpu_s(),
            peak_memory_bytes=max(peak - self._resident, 0),
            out_of_memory=read_count(self.memory / "memory.oom_control", b"oom_kill") > self._kills,
            out_of_processes=read_count(self.pids / "pids.events", b"max") > self._refusals,
        )

    def members(self) -> list[int]:
        """Return the processes in the group."""
        return members(self.memory)

    def reusable(self) -> bool:
        """Whether the counters can be reset for another command."""
        return True

    def remove(self) -> None:
        """Remove the group, which must be empty."""
        for folder in self._folders:
            with suppress(FileNotFoundError):
                folder.rmdir()


@dataclass(slots=True, kw_only=True)
class GroupV2:
    """A group in the one tree of version 2."""

    folder: Path
    _kills: int = 0
    _refusals: int = 0
    _cpu_us: int = 0

    @property
    def name(self) -> str:
        """The name of the group."""
        return self.folder.name

    def begin(self, limits: Limits) -> None:
        """Set the limits for the next command and reset the counters."""
        write(self.folder / "memory.max", limits.memory_bytes)
        for name, value in (("memory.swap.max", 0), ("memory.oom.group", 1)):
            with suppress(OSError):
                write(self.folder / name, value)
        write(self.folder / "pids.max", limits.processes + FIRST)
        self._kills = read_count(self.folder / "memory.events", b"oom_kill")
        self._refusals = read_count(self.folder / "pids.events", b"max")
        self._cpu_us = read_count(self.folder / "cpu.stat", b"usage_usec")

    def join(self, pid: int) -> None:
        """Add a process, and its future descendants, to the group."""
        write(self.folder / PROCESSES, pid)

    def cgroup_files(self) -> list[Path]:
        """Return the files to which a process writes 0 to join the group."""
        return [self.folder / PROCESSES]

    def cpu_s(self) -> float:
        """Return the processor time used so far."""
        return (read_count(self.folder / "cpu.stat", b"usage_usec") - self._cpu_us) * MICROSECONDS

    def usage(self) -> GroupUsage:
        """Return the usage so far."""
        return GroupUsage(
            cpu_s=self.cpu_s(),
            peak_memory_bytes=read_count(self.folder / "memory.peak") or None,
            out_of_memory=read_count(self.folder / "memory.events", b"oom_kill") > self._kills,
            out_of_processes=read_count(self.folder / "pids.events", b"max") > self._refusals,
        )

    def members(self) -> list[int]:
        """Return the processes in the group."""
        return members(self.folder)

    def reusable(self) -> bool:
        """Return False: memory.peak cannot be reset."""
        return False

    def remove(self) -> None:
        """Remove the group, which must be empty."""
        with suppress(FileNotFoundError):
            self.folder.rmdir()


@dataclass(frozen=True, slots=True)
class TreesV1:
    """Where groups of version 1 are created."""

    memory: Path
    pids: Path
    cpuacct: Path
    cpu: Path

    @property
    def folders(self) -> Iterable[Path]:
        """The folders of our groups."""
        return dict.fromkeys((self.memory, self.pids, self.cpuacct, self.cpu))

    def make(self, name: str) -> Group:
        """Create a group in all trees or in none."""
        group = GroupV1(
            memory=self.memory / name,
            pids=self.pids / name,
            cpuacct=self.cpuacct / name,
            cpu=self.cpu / name,
        )
        try:
            for folder in self.folders:
                (folder / name).mkdir()
        except OSError:
            group.remove()
            raise
        return group


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeV2:
    """Where groups of version 2 are created."""

    folder: Path

    @property
    def folders(self) -> Iterable[Path]:
        """The folders of our groups."""
        return (self.folder,)

    def make(self, name: str) -> Group:
        """Create a group."""
        (self.folder / name).mkdir()
        return GroupV2(folder=self.folder / name)


Trees = TreesV1 | TreeV2


@dataclass(slots=True)
class GroupPool:
    """Lends groups, each to one command at a time; thread-safe."""

    trees: Trees
    _idle: list[Group] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _names: Iterator[int] = field(default_factory=itertools.count)

    @contextmanager
    def taken(self, limits: Limits) -> Iterator[Group]:
        """Lend an empty group with limits for one command."""
        group = self._limited(limits)
        try:
            yield group
        finally:
            self._give_back(group)

    def _limited(self, limits: Limits) -> Group:
        """Return a group with limits: an idle one, or a new one if that refuses them.

        Version 1 refuses a limit below the memory that is still charged to the group; shared memory stays
        charged for a while after a command ends.
        """
        try:
            with suppress(OSError):
                return self._begun(self._take(), limits)
            return self._begun(self._make(), limits)
        except OSError as error:
            raise SandboxError(f"no control group could be created: {error}") from error

    def _begun(self, group: Group, limits: Limits) -> Group:
        try:
            group.begin(limits)
        except OSError:
            with suppress(OSError):
                group.remove()
            raise
        return group

    def _take(self) -> Group:
        with self._lock:
            if self._idle:
                return self._idle.pop(0)  # the longest idle: most likely uncharged
        return self._make()

    def _make(self) -> Group:
        with self._lock:
            number = next(self._names)
        return self.trees.make(f"{group_prefix(os.getpid())}-{id(self):x}-{number}")

    def _give_back(self, group: Group) -> None:
        if not group.reusable():
            group.remove()
            return
        with self._lock:
            self._idle.append(group)

    def close(self) -> None:
        """Remove every idle group."""
        with self._lock:
            while self._idle:
                self._idle.pop().remove()
