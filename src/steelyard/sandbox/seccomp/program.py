"""Write the list of system calls as a program for the kernel: classic BPF, by hand.

A chain of comparisons is no reason for a dependency. What a call may do is not decided here.
"""

import errno
import platform
import struct
from enum import Enum
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from steelyard.sandbox.seccomp.calls import PROCESSORS, SystemCall, allowed, calls
from steelyard.sandbox.seccomp.conditions import (
    ArgumentTest,
    Condition,
    NoneOfBits,
    Null,
    OneOf,
    OtherThan,
    Way,
    conditions,
)

LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
ARCHITECTURES = dict(zip(PROCESSORS, (0xC000003E, 0xC00000B7), strict=True))
REFUSED, UNKNOWN = ERRNO | errno.EPERM, ERRNO | errno.ENOSYS


class Goal(Enum):
    """Where a test of an argument goes on: within itself, or where it leads when it fits or does not."""

    NEXT = "next"
    FITS = "fits"
    MISSES = "misses"


class FilterStep(NamedTuple):
    """One instruction of the judgement of a call."""

    code: int
    value: int
    if_true: Goal = Goal.NEXT
    if_false: Goal = Goal.NEXT


def instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """Return one instruction; the jumps count how many instructions to leave out."""
    return struct.pack("=HBBI", code, if_true, if_false, value)


def judged(number: int, condition: Condition) -> bytes:
    """Judge one call by its arguments; what fits none of the ways is refused."""
    code = [instruction(RETURN, ERRNO | condition.error), instruction(RETURN, ALLOW)]
    for way in reversed(condition.ways):
        code = _way(way, len(code)) + code
    return instruction(JUMP_EQUAL, number, 0, len(code)) + b"".join(code)


def _way(tests: Way, after: int) -> list[bytes]:
    """Return the tests of one way; of what comes after it, the first begins the next way, the last allows."""
    code: list[bytes] = []
    for test in reversed(tests):
        code = _tested(test, fits=0 if code else after - 1, misses=len(code)) + code
    return code


def _tested(test: ArgumentTest, *, fits: int, misses: int) -> list[bytes]:
    """Return the test of one argument, with how many instructions after it to leave out in either case."""
    steps = _steps(test)
    code = []
    for place, step in enumerate(steps, start=1):
        left = len(steps) - place
        jumps = {Goal.NEXT: 0, Goal.FITS: left + fits, Goal.MISSES: left + misses}
        code.append(instruction(step.code, step.value, jumps[step.if_true], jumps[step.if_false]))
    return code


def _steps(test: ArgumentTest) -> list[FilterStep]:
    """Return the steps of a test; the kernel reads the lower half of a number, all of a pointer."""
    place = ARGUMENTS + 8 * test.argument
    load = FilterStep(LOAD, place)
    match test:
        case OneOf(_, values):
            steps = [FilterStep(JUMP_EQUAL, value, Goal.FITS) for value in values[:-1]]
            return [load, *steps, FilterStep(JUMP_EQUAL, values[-1], Goal.FITS, Goal.MISSES)]
        case OtherThan(_, value):
            return [load, FilterStep(JUMP_EQUAL, value, Goal.MISSES, Goal.FITS)]
        case NoneOfBits(_, bits):
            return [load, FilterStep(JUMP_ANY_BIT, bits, Goal.MISSES, Goal.FITS)]
        case Null(_):
            lower = [load, FilterStep(JUMP_EQUAL, 0, Goal.NEXT, Goal.MISSES)]
            return [*lower, FilterStep(LOAD, place + 4), FilterStep(JUMP_EQUAL, 0, Goal.FITS, Goal.MISSES)]


def looked_up(actions: dict[int, int]) -> bytes:
    """Give each number its action and every other number the unknown one, from the lowest number upwards."""
    every = [actions.get(number, UNKNOWN) for number in range(max(actions) + 1)]
    ends = [place for place, (one, other) in enumerate(pairwise([*every, None]), start=1) if one != other]
    spans = [instruction(JUMP_AT_LEAST, end, 1, 0) + instruction(RETURN, every[end - 1]) for end in ends]
    return b"".join([*spans, instruction(RETURN, UNKNOWN)])


@cache
def program(
    machine: str = "", *, shared: bool = False, loopback: bool = False, counted: bool = True
) -> bytes:
    """Return the filter for this machine's processor, or nothing when we do not know its numbers.

    `shared` is for commands that have some namespaces in common: they get no sockets but pairs. `loopback` is
    for those that talk to themselves by the internet's protocols, in a network of their own. `counted` is
    whether a control group counts their memory.
    """
    machine = machine or platform.machine()
    if machine not in ARCHITECTURES:
        return b""
    number = _numbers(calls("judged"), machine)
    actions = dict.fromkeys(_numbers(allowed(shared=shared, counted=counted), machine).values(), ALLOW)
    actions |= dict.fromkeys(_numbers(calls("refused"), machine).values(), REFUSED)
    wanted = conditions(shared=shared, loopback=loopback)
    return b"".join(
        [
            instruction(LOAD, ARCHITECTURE),
            instruction(JUMP_EQUAL, ARCHITECTURES[machine], 1, 0),
            instruction(RETURN, KILL),  # numbers of another processor, by which all of this could be avoided
            instruction(LOAD, NUMBER),
            *(judged(number[condition.call], condition) for condition in wanted),
            looked_up(actions),
        ]
    )


def _numbers(listed: list[SystemCall], machine: str) -> dict[str, int]:
    """Return the numbers of those that a processor has."""
    found = {call.name: call.number(machine) for call in listed}
    return {name: number for name, number in found.items() if number is not None}
