"""Write values of well-known library types in plain words, and read them back."""

import datetime as dt
import fractions
import pathlib
import sys
import uuid
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from steelyard.checks.python.grader_runtime.plain import Distrusted

# For each type: what it is made of, as a list of values of any kind, and how to make it again.
Words = Callable[[Any], list[object]]
Maker = Callable[..., object]

STANDARD: dict[type, tuple[Words, Maker]] = {
    complex: (lambda v: [v.real, v.imag], complex),
    range: (lambda v: [v.start, v.stop, v.step], range),
    slice: (lambda v: [v.start, v.stop, v.step], slice),
    bytearray: (lambda v: [bytes(v)], bytearray),
    Decimal: (lambda v: [str(v)], Decimal),
    fractions.Fraction: (lambda v: [v.numerator, v.denominator], fractions.Fraction),
    dt.date: (lambda v: [v.isoformat()], dt.date.fromisoformat),
    dt.time: (lambda v: [v.isoformat()], dt.time.fromisoformat),
    dt.datetime: (lambda v: [v.isoformat()], dt.datetime.fromisoformat),
    dt.timedelta: (lambda v: [v.days, v.seconds, v.microseconds], dt.timedelta),
    dt.timezone: (
        lambda v: [v.utcoffset(None)],
        lambda offset: dt.timezone(offset) if offset else dt.UTC,
    ),
    uuid.UUID: (lambda v: [v.hex], uuid.UUID),
    pathlib.PosixPath: (lambda v: [str(v)], pathlib.PosixPath),
    pathlib.PurePosixPath: (lambda v: [str(v)], pathlib.PurePosixPath),
    # These four hold other values, and may hold themselves: they are made empty and filled afterwards.
    OrderedDict: (lambda v: [[*pair] for pair in v.items()], OrderedDict),
    Counter: (lambda v: [[*pair] for pair in v.items()], Counter),
    defaultdict: (lambda v: [[*pair] for pair in v.items()], defaultdict),
    deque: (list, deque),
}
FILLED = frozenset({OrderedDict, Counter, defaultdict, deque})
BY_NAME = {f"{kind.__module__}.{kind.__name__}": kind for kind in STANDARD}
NAMES = {kind: name for name, kind in BY_NAME.items()}
CONSTANTS: dict[str, object] = {"NotImplemented": NotImplemented, "...": ...}

# Types that may travel by name to whoever trusts nobody: they make plain values, whatever they are given.
HARMLESS = {
    kind.__name__: kind
    for kind in (bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, object, range)
}


def made(name: str, words: list[object]) -> object:
    """Return the value of a well-known type that some words describe."""
    kind = BY_NAME.get(name)
    if kind is None or kind in FILLED:
        raise Distrusted(f"no such type: {name}")
    try:
        return STANDARD[kind][1](*words)
    except (TypeError, ValueError, ArithmeticError) as error:
        raise Distrusted(f"no {name}: {error}") from error


def fill(container: Any, words: list[Any]) -> None:  # noqa: ANN401  # one of FILLED
    """Put into an empty container what some words say it holds."""
    if type(container) is deque:
        container.extend(words)
        return
    for key, value in words:
        container[key] = value


def is_of_library(thing: object) -> bool:
    """Whether a class or function is the standard library's, found there under its own name."""
    module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str):
        return False
    if module.partition(".")[0] not in sys.stdlib_module_names:
        return False
    found: object = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is thing
