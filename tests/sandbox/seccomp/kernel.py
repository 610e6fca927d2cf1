"""A kernel that only follows a filter: what it would make of a system call, on any processor."""

import errno
import struct
from collections.abc import Callable

from steelyard.sandbox.seccomp.calls import calls
from steelyard.sandbox.seccomp.program import (
    ALLOW,
    ARCHITECTURES,
    ERRNO,
    JUMP_ANY_BIT,
    JUMP_AT_LEAST,
    JUMP_EQUAL,
    KILL,
    LOAD,
    RETURN,
    program,
)

DATA = struct.Struct("=IIQ6Q")  # number, architecture, where the program is, six arguments
TESTS: dict[int, Callable[[int, int], bool]] = {
    JUMP_EQUAL: lambda loaded, value: loaded == value,
    JUMP_AT_LEAST: lambda loaded, value: loaded >= value,
    JUMP_ANY_BIT: lambda loaded, value: bool(loaded & value),
}


def answer(code: bytes, number: int, *arguments: int, architecture: int) -> str:
    """Follow a filter and return what it says: `allow`, `kill`, or the name of an error."""
    six = [argument & 0xFFFFFFFFFFFFFFFF for argument in (*arguments, *[0] * 6)][:6]
    data = DATA.pack(number, architecture, 0, *six)
    steps = list(struct.iter_unpack("=HBBI", code))
    place, loaded = 0, 0
    while True:
        kind, if_true, if_false, value = steps[place]
        place += 1
        if kind == RETURN:
            return _word(value)
        if kind == LOAD:
            (loaded,) = struct.unpack_from("=I", data, value)
        else:
            place += if_true if TESTS[kind](loaded, value) else if_false


def asked(machine: str, name: str, *arguments: int, shared: bool = False, loopback: bool = False) -> str:
    """Return what the filter of a processor says to a call by its name."""
    every = calls("allowed", "isolated", "refused", "conditional")
    number = next(call for call in every if call.name == name).number(machine)
    assert number is not None, f"{machine} has no {name}"
    code = program(machine, shared=shared, loopback=loopback)
    return answer(code, number, *arguments, architecture=ARCHITECTURES[machine])


def _word(value: int) -> str:
    if value in {ALLOW, KILL}:
        return "allow" if value == ALLOW else "kill"
    return errno.errorcode[value & ~ERRNO]
