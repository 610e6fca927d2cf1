"""Compile the list of system calls into a classic BPF program for the kernel.

Written by hand: a chain of comparisons does not justify a dependency.
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
    Alternative,
    ArgumentTest,
    Condition,
    NoneOfBits,
    Null,
    OneOf,
    OtherThan,
    conditions,
)

LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
ARCHITECTURES = dict(zip(PROCESSORS, (0xC000003E, 0xC00000B7), strict=True))
REFUSED, UNKNOWN = ERRNO | errno.EPERM, ERRNO | errno.ENOSYS


class Goal(Enum):
    """The jump target of a step: the next step, or the end of the test."""

    NEXT = "next"
    MATCH = "match"
    MISMATCH = "mismatch"


class FilterStep(NamedTuple):
    """One instruction of an argument test."""

    code: int
    value: int
    if_true: Goal = Goal.NEXT
    if_false: Goal = Goal.NEXT


def instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """Encode one instruction; the jumps count skipped instructions."""
    return struct.pack("=HBBI", code, if_true, if_false, value)


def checked_call(number: int, condition: Condition) -> bytes:
    """Encode the condition of one call; arguments that match no alternative are refused."""
    code = [instruction(RETURN, ERRNO | condition.error), instruction(RETURN, ALLOW)]
    for alternative in reversed(condition.alternatives):
        code = _alternative(alternative, len(code)) + code
    return instruction(JUMP_EQUAL, number, 0, len(code)) + b"".join(code)


def _alternative(tests: Alternative, after: int) -> list[bytes]:
    """Encode one alternative; of the `after` instructions that follow, the last one allows the call."""
    code: list[bytes] = []
    for test in reversed(tests):
        code = _encode_test(test, match=0 if code else after - 1, mismatch=len(code)) + code
    return code


def _encode_test(test: ArgumentTest, *, match: int, mismatch: int) -> list[bytes]:
    """Encode the test of one argument; `match` and `mismatch` count the instructions to skip after it."""
    steps = _steps(test)
    code = []
    for index, step in enumerate(steps, start=1):
        remaining = len(steps) - index
        jumps = {Goal.NEXT: 0, Goal.MATCH: remaining + match, Goal.MISMATCH: remaining + mismatch}
        code.append(instruction(step.code, step.value, jumps[step.if_true], jumps[step.if_false]))
    return code


def _steps(test: ArgumentTest) -> list[FilterStep]:
    """Return the steps of a test; the kernel uses the lower half of a number and all of a pointer."""
    offset = ARGUMENTS + 8 * test.argument
    load = FilterStep(LOAD, offset)
    match test:
        case OneOf(_, values):
            steps = [FilterStep(JUMP_EQUAL, value, Goal.MATCH) for value in values[:-1]]
            return [load, *steps, FilterStep(JUMP_EQUAL, values[-1], Goal.MATCH, Goal.MISMATCH)]
        case OtherThan(_, value):
            return [load, FilterStep(JUMP_EQUAL, value, Goal.MISMATCH, Goal.MATCH)]
        case NoneOfBits(_, bits):
            return [load, FilterStep(JUMP_ANY_BIT, bits, Goal.MISMATCH, Goal.MATCH)]
        case Null(_):
            lower = [load, FilterStep(JUMP_EQUAL, 0, Goal.NEXT, Goal.MISMATCH)]
            return [
                *lower,
                FilterStep(LOAD, offset + 4),
                FilterStep(JUMP_EQUAL, 0, Goal.MATCH, Goal.MISMATCH),
            ]


def lookup_table(actions: dict[int, int]) -> bytes:
    """Encode the action of each number, as spans of equal actions; other numbers are unknown."""
    spread = [actions.get(number, UNKNOWN) for number in range(max(actions) + 1)]
    ends = [
        end for end, (here, following) in enumerate(pairwise([*spread, None]), start=1) if here != following
    ]
    spans = [instruction(JUMP_AT_LEAST, end, 1, 0) + instruction(RETURN, spread[end - 1]) for end in ends]
    return b"".join([*spans, instruction(RETURN, UNKNOWN)])


@cache
def program(
    machine: str = "", *, shared: bool = False, loopback: bool = False, counted: bool = True
) -> bytes:
    """Return the filter for a processor, by default this machine's; empty for an unknown one.

    Args:
        machine: The processor, as `platform.machine` names it.
        shared: For commands with shared namespaces: no sockets but pairs.
        loopback: For commands that use internet protocols in a network of their own.
        counted: Whether a control group limits their memory.
    """
    machine = machine or platform.machine()
    if machine not in ARCHITECTURES:
        return b""
    number = _numbers(calls("conditional"), machine)
    actions = dict.fromkeys(_numbers(allowed(shared=shared, counted=counted), machine).values(), ALLOW)
    actions |= dict.fromkeys(_numbers(calls("refused"), machine).values(), REFUSED)
    rules = conditions(shared=shared, loopback=loopback)
    return b"".join(
        [
            instruction(LOAD, ARCHITECTURE),
            instruction(JUMP_EQUAL, ARCHITECTURES[machine], 1, 0),
            instruction(RETURN, KILL),  # numbers of another processor, which would bypass the filter
            instruction(LOAD, NUMBER),
            *(checked_call(number[condition.call], condition) for condition in rules),
            lookup_table(actions),
        ]
    )


def _numbers(listed: list[SystemCall], machine: str) -> dict[str, int]:
    """Return the numbers of the calls that a processor has, by name."""
    numbers = {call.name: call.number(machine) for call in listed}
    return {name: number for name, number in numbers.items() if number is not None}
