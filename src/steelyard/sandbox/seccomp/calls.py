"""Read the list of system calls with their numbers on each known processor."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

PROCESSORS = ("x86_64", "aarch64")  # in the order of the numbers in the file
NOWHERE = "-"


class SystemCall(NamedTuple):
    """A system call with its number on each processor, None if it has none."""

    name: str
    numbers: tuple[int | None, ...]

    def number(self, machine: str) -> int | None:
        """Return the number on a processor."""
        return self.numbers[PROCESSORS.index(machine)]


class CallGroup(NamedTuple):
    """System calls with equal treatment, and the reason."""

    why: str
    calls: tuple[SystemCall, ...]


@cache
def groups(kind: str) -> tuple[CallGroup, ...]:
    """Return the groups of a kind: `allowed`, `isolated`, `counted`, `refused` or `conditional`."""
    text = files("steelyard.sandbox.seccomp").joinpath("system_calls.toml").read_text(encoding="utf-8")
    return tuple(
        CallGroup(group["why"], tuple(map(_call, group["calls"])))
        for group in tomllib.loads(text)[kind].values()
    )


def calls(*kinds: str) -> list[SystemCall]:
    """Return the system calls of the given kinds."""
    return [call for kind in kinds for group in groups(kind) for call in group.calls]


def allowed(*, shared: bool, counted: bool = True) -> list[SystemCall]:
    """Return the calls allowed with any arguments; parameters as for `program`."""
    kinds = ["allowed"]
    kinds += [] if shared else ["isolated"]
    kinds += ["counted"] if counted else []
    return calls(*kinds)


def _call(line: str) -> SystemCall:
    name, *numbers = line.split()
    return SystemCall(name, tuple(None if word == NOWHERE else int(word) for word in numbers))
