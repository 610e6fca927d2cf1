"""Send the Python grader's end of the line whatever a hostile answer might, and see that no test passes.

Each round runs one test against a function of the answer, whose replies are made up by `fuzz_messages`. The
tests expect a number that no message holds, or hand over a function whose assertion cannot hold, and do with
what they get what tests do: compare it, look into it, catch errors. A round is good if it ends, and if the
test has failed. A message that is refused ends its round; how many were read is told.
Run: python -m benchmarks.fuzz_wire [--messages 1e6] [--seed 0]
"""

import argparse
import io
import os
import resource
import sys
import time
import types
import unittest
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path

from typing_extensions import override

from benchmarks.fuzz_messages import MessageMaker
from steelyard.checks.python.grader_runtime import plain
from steelyard.checks.python.grader_runtime.collect import TESTS, TESTS_FILE
from steelyard.checks.python.grader_runtime.direct import TestRun
from steelyard.checks.python.grader_runtime.line import GraderLine
from steelyard.checks.python.grader_runtime.plain import Distrusted
from steelyard.checks.python.grader_runtime.report import GradeReport
from steelyard.checks.python.grader_runtime.wire import Gone, Wire

EXPECTED = 7_340_961_528  # a number that no message holds
ROOM = 256 << 20  # bytes that a message may make the grader want, in the place of a sandbox's limit
REPLIES = 12  # messages that the answer has to offer for one test

# What a test asserts of a result. None of it holds without the number, whatever the result is.
USES = (
    *("result == EXPECTED", "EXPECTED == result", "not result != EXPECTED", "result in [EXPECTED]"),
    *("[result, given] == [EXPECTED, given]", "{'a': result} == {'a': EXPECTED}", "EXPECTED in result"),
    *("EXPECTED <= result <= EXPECTED", "result - EXPECTED == 0", "EXPECTED - result == 0"),
    *(
        "result.x == EXPECTED",
        "result.x() == EXPECTED",
        "result[0] == EXPECTED",
        "list(result) == [EXPECTED]",
    ),
    *("result == (EXPECTED,)", "result == [EXPECTED]", "result == {EXPECTED}", "result == str(EXPECTED)"),
    *("str(result) == str(EXPECTED)", "f'{result}' == f'{EXPECTED}'", "len(result) == EXPECTED"),
    *("dict(result) == {'a': EXPECTED}", "{result: 1} == {EXPECTED: 1}", "{EXPECTED: 1}[result]"),
    *(
        "result + 1 == EXPECTED + 1",
        "sorted([result, EXPECTED]) == [EXPECTED] * 2",
        "next(result) == EXPECTED",
    ),
    *(
        "abs(result) == EXPECTED",
        "int(result) == EXPECTED",
        "result.count(1) == EXPECTED",
        "given == [EXPECTED]",
    ),
    *(
        "result | {0} == {0, EXPECTED}",
        "isinstance(result, int) and result == EXPECTED",
        "hash(result) == EXPECTED",
    ),
    *("max(result, EXPECTED) == min(result, EXPECTED)", "[*map(float, result)] == [EXPECTED]"),
)
UNITTEST = (
    *("Equal(result, EXPECTED)", "AlmostEqual(result, EXPECTED)", "SequenceEqual(result, [EXPECTED])"),
    *("CountEqual(result, [EXPECTED])", "In(EXPECTED, result)", "ListEqual(result, [EXPECTED])"),
    *("TupleEqual(result, (EXPECTED,))", "DictEqual(result, {'a': EXPECTED})", "Equal([EXPECTED], result)"),
)
AROUND = """
def echo(value): return [value]
def use(call, ask):
    given = [1, 2]
    result = call(given, echo)
    {use}
def catch_all(call, ask):
    given = [1, 2]
    try:
        result = call(given, echo)
        {use}
    except Exception: pass
    assert given == [EXPECTED]
"""
# The function is called, or the test fails by its last line; if it is called, its assertion fails.
CALLBACK = """
def called(call, ask):
    calls = []
    def look(value):
        calls.append(value)
        assert value == EXPECTED
    try: call([1, 2], look)
    except BaseException: pass
    assert calls
"""
# An error's name of the answer's own must not be one that catches a failed assertion.
CAUGHT = """
def caught(call, ask):
    kind, seen = ask('Error'), repr(call([1, 2], abs))
    try: assert seen == EXPECTED
    except kind: pass
"""


class MadeUpWire(Wire):
    """A line whose other end makes up what it says, and listens only to what it is asked for."""

    def __init__(self, made: MessageMaker) -> None:
        super().__init__(-1, -1)
        self._made = made
        self._asked = ("", 0, "")
        self.left = REPLIES
        made.begin()

    @override
    def send(self, body: bytes) -> None:
        """Note what is asked for, so that a reply may fit."""
        match plain.loads(body):
            case (bool(), (str(operation), int(number), *rest)) if operation not in {"done", "failed"}:
                self._asked = (operation, number, next((one for one in rest if type(one) is str), ""))

    @override
    def receive(self) -> bytes:
        """Return the next message."""
        if not self.left:
            raise Gone("nothing more to say")
        self.left -= 1
        return self._made.body(*self._asked)


class Noted(GradeReport):
    """A report that counts what is told instead of telling it."""

    def __init__(self) -> None:
        super().__init__(-1, b"")
        self.statuses: Counter[str] = Counter()

    @override
    def tell(self, event: str, **details: object) -> None:
        """Count how tests ended."""
        self.statuses[str(details.get("status", event))] += 1

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


def tests() -> list[tuple[str, types.FunctionType]]:
    """Return the tests, each with its source."""
    wanted = [f"assert {use}" for use in USES] + [f"T.assert{use}" for use in UNITTEST]
    sources = [*[CALLBACK, CAUGHT] * 10, *(AROUND.format(use=use) for use in wanted)]
    made = []
    for source in sources:
        names = {"EXPECTED": EXPECTED, "T": unittest.TestCase(), "__name__": TESTS}
        exec(compile(source, TESTS_FILE, "exec"), names)  # noqa: S102  # ours, just above
        found = (names.get(name) for name in ("use", "catch_all", "called", "caught"))
        made += [(source, test) for test in found if isinstance(test, types.FunctionType)]
    return made


def fuzz(messages: int, seed: int = 0) -> Counter[str]:
    """Make up as many messages; return how the tests against them ended, and what became of the messages."""
    made, report, told = MessageMaker(seed), Noted(), io.StringIO()
    every, sent, turn = tests(), 0, 0
    with redirect_stdout(told), redirect_stderr(told), warnings.catch_warnings(), bounded_memory():
        warnings.simplefilter("ignore")
        while sent < messages:
            source, test = every[turn % len(every)]
            wire, turn = MadeUpWire(made), turn + 1
            line = GraderLine(wire, {TESTS_FILE: source})
            line.module = 0
            run = TestRun(report, {"tests": source, "files": {}}, types.ModuleType(TESTS), line)
            try:
                run.attempt(
                    test.__name__, partial(test, partial(_call, line), partial(line.request, "get", 0))
                )
            except Gone as gone:
                report.statuses["refused"] += isinstance(gone.__cause__, Distrusted)
            sent += REPLIES - wire.left
            sys.stdout.truncate(sys.stdout.seek(0))
    report.statuses["read"] = sent - report.statuses["refused"]
    return report.statuses


def _call(line: GraderLine, *given: object) -> object:
    return line.request("call", 0, "__call__", given, {})


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
