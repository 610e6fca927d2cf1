"""No line of the report can be written, changed, moved or repeated without the key."""

import os

from steelyard.checks.python.grader_runtime.report import GradeReport
from steelyard.checks.python.transcript import Transcript, read
from steelyard.model.execution import Stream

KEY, OTHER = b"k" * 32, b"o" * 32
PASSED = {"status": "passed", "message": "", "asserted": 1}


def told(key: bytes) -> list[bytes]:
    reading, writing = os.pipe()
    report = GradeReport(writing, key)
    report.tell("built", error=None)
    report.tell("test", name="one", **PASSED)
    report.tell("test", name="two", **{**PASSED, "status": "failed"})
    report.tell("end")
    report.flush()
    os.close(writing)
    lines = os.read(reading, 1 << 16).splitlines(keepends=True)
    os.close(reading)
    return lines


def seen(*lines: bytes) -> Transcript:
    text = b"".join(lines)
    return read(Stream(text=text, size=len(text)), KEY)


def statuses(report: Transcript) -> dict[str, str]:
    return {name: result.status for name, result in report.results.items()}


def test_the_whole_report_is_read_as_it_was_told() -> None:
    report = seen(*told(KEY))

    assert (report.built, statuses(report), report.is_complete) == (
        True,
        {"one": "passed", "two": "failed"},
        True,
    )


def test_a_line_of_another_key_is_not_taken() -> None:
    built, _, two, _ = told(KEY)

    assert statuses(seen(built, told(OTHER)[1], two)) == {}


def test_a_line_is_not_taken_twice_nor_in_another_place() -> None:
    built, one, two, end = told(KEY)

    assert statuses(seen(built, two, one)) == {"one": "passed"}
    assert not seen(built, one, end).is_complete
    assert not seen(built, one, one, end).is_complete


def test_a_changed_line_is_not_taken() -> None:
    built, one, two, _ = told(KEY)

    assert statuses(seen(built, one, two.replace(b"failed", b"passed"))) == {"one": "passed"}


def test_what_is_no_line_is_passed_over() -> None:
    built, one, _, _ = told(KEY)

    assert statuses(seen(b"noise\n", built, b'{"event": "end"}\n', one)) == {"one": "passed"}
