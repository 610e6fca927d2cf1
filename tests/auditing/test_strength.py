"""Mutants of a reference that pass all tests are found and counted."""

from steelyard.auditing.checks import AnswerChecks
from tests.auditing.python_cases import audited, python_case, rules_found

GRADE = (
    "def grade(points):\n    if points < 50:\n        return 'fail'\n"
    "    if points < 90:\n        return 'pass'\n    return 'good'\n"
)
STRONG = "\n".join(
    f"assert grade({points}) == {result!r}"
    for points, result in ((0, "fail"), (49, "fail"), (50, "pass"), (89, "pass"), (90, "good"), (99, "good"))
)
WEAK = "assert grade(10) == 'fail'\nassert grade(70) == 'pass'"


def test_tests_that_miss_a_limit_leave_mutants_with_a_diff(checks: AnswerChecks) -> None:
    audit = audited(
        checks, python_case("weak", GRADE, WEAK), python_case("strong", GRADE, STRONG), mutants=40
    )

    weak, strong = audit.cases
    assert strong.killed == strong.mutants > 10
    assert weak.mutants == strong.mutants
    assert weak.killed < weak.mutants
    (finding,) = audit.findings
    assert (finding.case, finding.rule) == ("weak", "surviving-mutant")
    assert "-    if points < 90:" in finding.evidence
    interval = audit.mutation_score.intervals[0]
    assert audit.mutation_score.value is not None
    assert interval.low is not None
    assert interval.low < audit.mutation_score.value < 1


def test_tests_that_miss_most_mutants_are_an_error(checks: AnswerChecks) -> None:
    idle = python_case("idle", GRADE, "def test_it():\n    assert grade(10) in {'fail', 'pass', 'good'}\n")

    assert ("idle", "weak-tests") in rules_found(audited(checks, idle, mutants=40))


def test_mutants_of_error_messages_and_of_what_the_case_prepends_are_not_made(checks: AnswerChecks) -> None:
    source = "def near(n: int) -> int:\n    if n % 2:\n        raise ValueError('odd')\n    return n + 5\n"
    tests = (
        "import pytest\n\ndef test_it():\n    assert [near(n) for n in (0, 2, 6)] == [5, 7, 11]\n"
        "    with pytest.raises(ValueError):\n        near(3)\n"
    )
    prefix = "LIMIT = 1\nHIGHER = LIMIT + 1\n"
    case = python_case("near", source, tests, settings={"prefix": prefix, "answer": "raw"})

    audit = audited(checks, case, mutants=40)

    assert audit.cases[0].mutants == audit.cases[0].killed > 5
