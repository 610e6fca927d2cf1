"""A grader and an answer in two threads of one process, so that what they say can be watched."""

import marshal
import os
import random
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from steelyard.checks.python import job
from steelyard.checks.python.grader_runtime import grade
from steelyard.checks.python.grader_runtime.answer import AnswerLine
from steelyard.checks.python.grader_runtime.handles import TEST_FILES
from steelyard.checks.python.grader_runtime.report import GradeReport
from steelyard.checks.python.grader_runtime.wire import Gone, Wire
from steelyard.checks.python.interpreter import this_interpreter
from steelyard.checks.python.transcript import Transcript, read
from steelyard.model.execution import Stream
from steelyard.model.outcome import Isolation
from tests.checks.python.corpus import Planted

KEY = b"k" * 32
Graded = Callable[[Planted], Transcript]


def served() -> tuple[Wire, threading.Thread]:
    """Return the grader's line to an answer that is served by a thread."""
    (asked, ask), (answered, reply) = os.pipe(), os.pipe()

    def serve() -> None:
        with suppress(Gone):
            AnswerLine(Wire(asked, reply)).serve()
        for descriptor in (asked, reply):
            os.close(descriptor)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    wire = Wire(answered, ask)
    return wire, thread


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[Wire]:
    monkeypatch.setattr(random, "seed", random.seed)  # which the grader replaces
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    known = set(TEST_FILES)
    before = dict(sys.modules)
    line, thread = served()
    yield line
    os.close(line._writing)
    thread.join(10)
    os.close(line._reading)
    TEST_FILES.intersection_update(known)
    for name in set(sys.modules) - set(before):
        if name in {"solution", "calc", "graded_tests", "helper"}:
            del sys.modules[name]


@pytest.fixture
def graded(wire: Wire, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Graded:  # noqa: ANN401  # a Path
    monkeypatch.chdir(tmp_path)

    def run(entry: Planted) -> Transcript:
        for path, text in entry.files.items():
            (tmp_path / path).write_text(text, encoding="utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))
        case, tests = entry.case, job.read_tests(entry.case)
        code = job.read_code(case, entry.answer)
        assert code is not None
        order = job.command(case, code, tests, key=KEY, interpreter=this_interpreter())
        reading, writing = os.pipe()
        report = GradeReport(writing, KEY)
        ordered = marshal.loads(order.stdin)  # noqa: S302  # what we have just made
        if entry.isolation is Isolation.SHARED:
            grade.grade_shared(ordered, report)
        else:
            grade.grade(ordered, wire, report)
        report.tell("end")
        report.flush()
        os.close(writing)
        told = b"".join(iter(lambda: os.read(reading, 1 << 16), b""))
        os.close(reading)
        return read(Stream(text=told, size=len(told)), KEY)

    return run
