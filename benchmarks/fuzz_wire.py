"""Send the Python grader's end of the line whatever a hostile answer might, and see that no test passes.

Each round runs one test against a function of the answer, whose replies are made up: bytes of chance, honest
messages with bytes changed, and well-formed messages with values, tags and numbers of chance. The test
expects a number that no message holds. A round is good if it ends, and if the test has failed.
Run: python -m benchmarks.fuzz_wire [--messages 1e6] [--seed 0]
"""

import argparse
import builtins
import io
import os
import random
import resource
import sys
import time
import types
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from functools import partial
from pathlib import Path
from unittest.mock import patch

from typing_extensions import override

from steelyard.checks.python.grader_runtime import plain
from steelyard.checks.python.grader_runtime.direct import TestRun
from steelyard.checks.python.grader_runtime.handles import DUNDERS
from steelyard.checks.python.grader_runtime.line import GraderLine
from steelyard.checks.python.grader_runtime.report import GradeReport
from steelyard.checks.python.grader_runtime.values import MAKERS
from steelyard.checks.python.grader_runtime.wire import Gone, Wire

EXPECTED = 7_340_961_528  # a number that no message holds
ROOM = 256 << 20  # bytes that a message may make the grader want, in the place of a sandbox's limit
REPLIES = 3  # messages that the answer has to offer for one call
TAGS = (*MAKERS, "handle", "more", "awaitable", "kind", "error", "mine", "again", "yours", "name", "callback")
KINDS = ("returned", "raised", "callback", "input", "line", "get", "do", "set", "done", "failed")
NAMES = sorted(DUNDERS)
WORDS = (
    *("builtins", "unittest.case", "unittest.mock", "json.decoder", "SkipTest", "ANY", "KeyError", "int"),
    *("tuple", "list", "dict", "str", "object", "type", "Stack", "__class__", "x", "", "\ud800", "a\x00b"),
    *("2024-02-29", "1e9", "BaseException", "SystemExit", "KeyboardInterrupt", "Exit", *NAMES),
)


class MadeUpWire(Wire):
    """A line whose other end says what was made up for it, and listens to nothing."""

    def __init__(self, bodies: list[bytes]) -> None:
        super().__init__(-1, -1)
        self._bodies = bodies

    @override
    def send(self, body: bytes) -> None:
        """Forget what is sent."""

    @override
    def receive(self) -> bytes:
        """Return the next message."""
        if not self._bodies:
            raise Gone("nothing more to say")
        return self._bodies.pop()


class MessageMaker:
    """Makes messages up; equal seeds make equal messages."""

    def __init__(self, seed: int) -> None:
        self._luck = random.Random(seed)
        self._honest = [_tree(self._message(depth)) for depth in (1, 2, 3) for _ in range(20)]

    def body(self) -> bytes:
        """Return the bytes of one message."""
        match self._luck.randrange(8):
            case 0:
                return self._luck.randbytes(self._luck.randrange(60))
            case 1 | 2:
                return self._changed(bytearray(self._luck.choice(self._honest)))
            case 3:
                return plain.dumps((False, self._message(0)))
            case 4 | 5:
                return _tree(self._message(self._luck.randrange(4)))
        return self._reply(self._value(self._luck.randrange(4)), self._changes())

    def _reply(self, value: object, changed: object) -> bytes:
        if isinstance(value, tuple) and value[0] == "error" and self._chance(50):
            return _tree(("raised", value, None, changed, ""))
        if self._chance(10):
            return _tree(("callback", 0, ("tuple", [value]), ("dict", []), self._numbers(), ""))
        return _tree(("returned", value, self._luck.choice((None, self._numbers())), changed, ""))

    def _numbers(self) -> object:
        """Return numbers for containers of a value, by their places; mostly none."""
        pairs = [(self._luck.randrange(3), self._luck.randrange(9)) for _ in range(self._luck.randrange(3))]
        return ("list", [("tuple", [*pair]) for pair in pairs])

    def _changes(self) -> object:
        """Return what became of containers that have numbers; mostly nothing."""
        few = self._luck.choice((0, 0, 0, 1))
        return ("list", [("tuple", [-self._luck.randrange(9), self._value(1)]) for _ in range(few)])

    def _value(self, depth: int) -> object:
        """Return a tree that can be read, of an object that may well lie."""
        luck = self._luck
        within = [self._value(depth - 1) for _ in range(luck.randrange(3))] if depth else []
        match luck.randrange(9):
            case 0 | 1 | 2:
                dunders = [*luck.sample(NAMES, luck.randrange(9)), "__eq__"]
                name = luck.choice(("Yes", "Stack"))
                return (
                    "handle",
                    (luck.randrange(99), luck.randrange(99), name, dunders, luck.choice(("", "list"))),
                )
            case 3:
                own, value = luck.sample(NAMES, luck.randrange(9)), luck.choice((5, "x", ("tuple", within)))
                return ("more", (luck.randrange(100, 199), luck.randrange(100, 199), "Yes", own, value))
            case 4:
                return (luck.choice(("list", "tuple")), within)
            case 5:
                return ("dict", [part for value in within for part in (luck.randrange(9), value)])
            case 6:
                kind: object = (
                    "kind",
                    (luck.randrange(200, 299), "builtins", luck.choice(("KeyError", "Odd", "Exit")), []),
                )
                attributes = ("dict", [luck.choice(("code", "__cause__")), self._atom()])
                return ("error", (luck.randrange(99), kind, ("tuple", within), "text", attributes))
        return self._atom()

    def _chance(self, percent: int) -> bool:
        return self._luck.randrange(100) < percent

    def _changed(self, body: bytearray) -> bytes:
        for _ in range(self._luck.randint(1, 4)):
            place = self._luck.randrange(len(body))
            match self._luck.randrange(3):
                case 0:
                    body[place] = self._luck.randrange(256)
                case 1:
                    del body[place : place + self._luck.randrange(4)]
                case 2:
                    body[place:place] = self._luck.randbytes(self._luck.randrange(4))
            if not body:
                break
        return bytes(body)

    def _message(self, depth: int) -> tuple[object, ...]:
        kind = self._luck.choice(KINDS)
        printed = self._luck.choice(("", "printed", "\ud800"))
        match kind, self._luck.randrange(8):
            case _, 0:
                return tuple(self._node(depth) for _ in range(self._luck.randrange(6)))
            case "returned" | "raised", _:
                place = self._luck.choice((None, None, 0, 1, -1, 9, "0"))
                changed: object = [(0, self._node(depth))] if self._chance(30) else []
                changed = ("list", changed) if depth else changed
                return (
                    kind,
                    self._error(depth) if kind == "raised" else self._node(depth),
                    place,
                    changed,
                    printed,
                )
            case "callback", _:
                number = self._luck.choice((0, 0, 1, -1, True, None, "0", 10**30))
                given = _node("tuple", self._node(depth)), _node("dict")
                numbers = self._numbers() if depth else []
                return (kind, number, *(given if depth else ((1,), {})), numbers, printed)
        return (kind, self._luck.choice(WORDS), printed)

    def _node(self, depth: int) -> object:
        if depth <= 0 or self._chance(20):
            return self._atom()
        if self._chance(30):
            return self._object(depth)
        words = [self._node(depth - 1) for _ in range(self._luck.randrange(4))]
        return (self._luck.choice(TAGS), words if self._chance(80) else tuple(words))

    def _atom(self) -> object:
        luck = self._luck
        return luck.choice((None, True, 0, 1, -1, 3.5, b"x", 10**30, luck.randrange(9), luck.choice(WORDS)))

    def _object(self, depth: int) -> object:
        luck = self._luck
        number, kind, name = luck.randrange(9), luck.randrange(9), luck.choice(WORDS)
        match luck.randrange(3):
            case 0:
                dunders = luck.sample(NAMES, luck.randrange(9))
                return ("handle", (number, kind, name, dunders, luck.choice(("", "list", "dict", "int"))))
            case 1:
                own = luck.sample(NAMES, luck.randrange(9))
                return ("more", (number, kind, name, own, self._node(depth - 1)))
        return self._error(depth)

    def _error(self, depth: int) -> object:
        luck = self._luck
        base: object = ("kind", (luck.randrange(9), "builtins", luck.choice(WORDS), []))
        kind = ("kind", (luck.randrange(9), luck.choice(WORDS), luck.choice(WORDS), [base]))
        arguments, attributes = (
            ("tuple", [self._node(depth - 1)]),
            ("dict", [luck.choice(("x", "__cause__")), 1]),
        )
        return ("error", (luck.randrange(9), kind, arguments, luck.choice(WORDS), attributes))


def _node(tag: str, *words: object) -> object:
    return (tag, [*words])


def _tree(message: tuple[object, ...]) -> bytes:
    return plain.dumps((True, message))


class Noted(GradeReport):
    """A report that counts what is told instead of telling it."""

    def __init__(self) -> None:
        super().__init__(-1, b"")
        self.statuses: Counter[object] = Counter()

    @override
    def tell(self, event: str, **details: object) -> None:
        """Count how tests ended."""
        self.statuses[details.get("status", event)] += 1

    @override
    def flush(self) -> None:
        """Do nothing: there is nobody to tell."""


@contextmanager
def bounded_memory() -> Iterator[None]:
    """Let this process have little more memory than it has: a few bytes can ask pickle for a great deal."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + ROOM, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def fuzz(messages: int, seed: int = 0) -> Counter[object]:
    """Make up as many messages; return how the tests against them ended."""
    made, report = MessageMaker(seed), Noted()
    with (
        redirect_stdout(io.StringIO()),
        patch.object(builtins, "input", lambda _: "typed"),
        warnings.catch_warnings(),
        bounded_memory(),
    ):
        warnings.simplefilter("ignore")
        for _ in range(0, messages, REPLIES):
            line = GraderLine(MadeUpWire([made.body() for _ in range(REPLIES)]))
            run = TestRun(report, "", types.ModuleType("graded_tests"), line)
            try:
                run.attempt("it", partial(_test, line))
            except Gone:
                report.statuses["gone"] += 1
            sys.stdout.truncate(sys.stdout.seek(0))
    return report.statuses


def _test(line: GraderLine) -> None:
    given = [1, 2]
    result = line.request("do", 0, "__call__", (given, _callback), {})
    assert result == EXPECTED or EXPECTED in [result, given] or [result, given] == [EXPECTED, given]


def _callback(value: object) -> object:
    return [value]


def main() -> int:
    """Fuzz, and tell by the exit code whether no test passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=float, default=1e6)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4)))
    options = parser.parse_args()
    began = time.perf_counter()
    ends = fuzz(int(options.messages), options.seed)
    took = time.perf_counter() - began
    print(f"{int(options.messages):,} messages, seed {options.seed}, {took:.0f} s: {dict(ends)}")
    print(f"forged: {ends['passed'] + ends['ignored']}")
    return int(bool(ends["passed"] + ends["ignored"]))


if __name__ == "__main__":
    raise SystemExit(main())
