"""Read the list of system calls, with their numbers on each processor that we know; judge none of them."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

PROCESSORS = ("x86_64", "aarch64")  # in the order of the numbers in the list
NOWHERE = "-"


class SystemCall(NamedTuple):
    """A system call, with its number on each processor; None where there is none."""

    name: str
    numbers: tuple[int | None, ...]

    def number(self, machine: str) -> int | None:
        """Return the number on a processor."""
        return self.numbers[PROCESSORS.index(machine)]


class CallGroup(NamedTuple):
    """Some system calls that are treated alike, and why."""

    why: str
    calls: tuple[SystemCall, ...]


@cache
def groups(kind: str) -> tuple[CallGroup, ...]:
    """Return the groups of a kind: `allowed`, `apart`, `counted`, `refused` or `judged`."""
    text = files("steelyard.sandbox.seccomp").joinpath("system_calls.toml").read_text(encoding="utf-8")
    return tuple(
        CallGroup(group["why"], tuple(map(_call, group["calls"])))
        for group in tomllib.loads(text)[kind].values()
    )


def calls(*kinds: str) -> list[SystemCall]:
    """Return the system calls of some kinds."""
    return [call for kind in kinds for group in groups(kind) for call in group.calls]


def allowed(*, shared: bool, counted: bool = True) -> list[SystemCall]:
    """Return the calls that are allowed with any arguments; see `program` for the parameters."""
    kinds = ["allowed"]
    kinds += [] if shared else ["apart"]
    kinds += ["counted"] if counted else []
    return calls(*kinds)


def _call(line: str) -> SystemCall:
    name, *numbers = line.split()
    return SystemCall(name, tuple(None if word == NOWHERE else int(word) for word in numbers))
