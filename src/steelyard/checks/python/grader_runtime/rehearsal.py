"""Grade a made-up answer when imported, so that forks of a warm interpreter find the grader's code run in.

An interpreter rewrites code as it runs it for the first times. Once that has happened before the fork, no
fork needs to do it again, nor to copy the memory that it changes. Nothing of the rehearsal is left but that.
"""

import marshal
import os
import sys
from contextlib import suppress

from steelyard.checks.python.grader_runtime import grade
from steelyard.checks.python.grader_runtime.answer import PRINTED, AnswerProxy
from steelyard.checks.python.grader_runtime.collect import COUNT, TESTS_FILE
from steelyard.checks.python.grader_runtime.link import Link
from steelyard.checks.python.grader_runtime.report import GradeReport
from steelyard.checks.python.grader_runtime.wire import Wire

TIMES = 20  # code is rewritten after eight calls, and settles a few later
PREFIX = '''
from typing import List

def add(numbers: List[float], more: float = 0) -> float:
    """Add up numbers."""
'''
ANSWER = f"{PREFIX}    numbers.sort()\n    return sum(numbers) + more\n"
TESTS = f"""
def check(candidate):
    assert candidate([1, 2], 3) == 6, "some"
    {COUNT}()
    assert abs(candidate([1.0, 2.5], more=3) - 6.5) < 1e-6
    {COUNT}()

def test_none():
    assert add([]) == 1
"""
NAMES = ["check", "test_none"]


class Turns(Wire):
    """The grader's end of a line whose other end is in the same process, and has its turn before we wait."""

    other: Link

    def receive(self) -> bytes:
        """Let the other end do what it is asked for, then return what it says."""
        with suppress(BlockingIOError):
            self.other.serve()
        return super().receive()


def _job() -> dict[str, object]:
    steps = [("", compile(TESTS, TESTS_FILE, "exec", dont_inherit=True))]
    return {
        "code": ANSWER,
        "module": "solution",
        "tests": TESTS,
        "runner": "direct",
        "entry_point": "add",
        "prefix": PREFIX,
        "names": NAMES,
        "steps": marshal.dumps(steps),
        "library": [],
        "wanted": ["add"],
        "demanded": ["add"],
        "classes": [],
        "files": {},
        "search": [],
    }


def rehearse() -> None:
    """Grade the made-up answer once."""
    (asked, ask), (answered, reply) = os.pipe(), os.pipe()
    os.set_blocking(asked, False)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    answer, link, wire = AnswerProxy(), Link(Wire(asked, reply)), Turns(answered, ask)
    link.handlers.update(compile=answer.compile, run=answer.run)
    link.printed = PRINTED.take
    wire.other = link
    report = GradeReport(nowhere, "")
    grade.grade(marshal.loads(marshal.dumps(_job())), wire, report)  # noqa: S302  # what we have just made
    report.flush()
    for descriptor in (asked, ask, answered, reply, nowhere):
        os.close(descriptor)


def _leaving_no_trace() -> None:
    search, finders, modules = sys.path[:], sys.meta_path[:], set(sys.modules)
    for _ in range(TIMES):
        rehearse()
        sys.path[:], sys.meta_path[:] = search, finders
        for name in set(sys.modules) - modules:
            del sys.modules[name]


_leaving_no_trace()
