"""Decide by expected test ids, as SWE-bench does."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from steelyard.model.task import ExpectedTests

# An unexpected pass is no pass there.
PASSED = frozenset({"passed", "xfailed"})
KEPT = PASSED | {"skipped"}
MOST_NAMED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedResult:
    """How the expected tests ended."""

    passed: int
    problems: tuple[str, ...]
    matched: tuple[str, ...] = ()  # ids that are cut off in the data, found by their beginnings


def decide_expected(expected: ExpectedTests, results: Mapping[str, str]) -> ExpectedResult:
    """Return which expected tests passed; those that reported nothing have failed."""
    rules = [(test_id, PASSED) for test_id in expected.fail_to_pass]
    rules += [(test_id, KEPT) for test_id in expected.pass_to_pass]
    statuses = [(test_id, allowed, find_status(test_id, results)) for test_id, allowed in rules]
    problems = tuple(
        f"{test_id}: {status or 'reported no result'}"
        for test_id, allowed, status in statuses
        if status not in allowed
    )
    matched = tuple(
        test_id for test_id, _, status in statuses if status is not None and test_id not in results
    )
    return ExpectedResult(passed=len(rules) - len(problems), problems=problems, matched=matched)


def passing(test_ids: Iterable[str], results: Mapping[str, str]) -> tuple[str, ...]:
    """Return the tests that pass or are skipped."""
    return tuple(test_id for test_id in test_ids if find_status(test_id, results) in KEPT)


def find_status(test_id: str, results: Mapping[str, str]) -> str | None:
    """Return how a test ended; an id cut off in its parameters is found if all candidates agree.

    >>> find_status("a.py::test[1-", {"a.py::test[1-2]": "passed", "a.py::test[1-3]": "passed"})
    'passed'
    """
    if test_id in results:
        return results[test_id]
    if "[" not in test_id or test_id.endswith("]"):
        return None
    candidates = {status for name, status in results.items() if name.startswith(test_id)}
    return candidates.pop() if len(candidates) == 1 else None
