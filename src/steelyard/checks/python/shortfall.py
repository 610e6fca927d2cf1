"""Compare what an answer's tests came to with what they come to for the reference.

An answer can cut a test short, by catching an exception or by giving a loop nothing to go through; it can
lack what a test is skipped without, or made from. Nothing of that fails by itself.
"""

from collections import Counter
from collections.abc import Mapping

from steelyard.checks.python.job import Tests
from steelyard.checks.python.transcript import TestResult, Transcript


def is_doubtful(tests: Tests, reported: Transcript) -> bool:
    """Whether tests that all passed or were skipped may have shown less than they should."""
    return tests.may_vary or _is_cut(tests, reported.outside) or bool(_doubtful(tests, reported))


def fall_short(reported: Transcript, reference: Transcript, tests: Tests) -> None:
    """Let what shows less than with the reference fail.

    Each line counts by itself: a loop over what the answer gave can meet one as often as the answer likes.
    """
    for name in _doubtful(tests, reported):
        _hold(reported, name, _missed(reference.results.get(name), reported.results[name]))
    if _is_cut(tests, reported.outside):
        reported.setup_error = _missed(reference.outside, reported.outside)
    passed = _passed(reported)
    for name, often in _passed(reference).items():
        if passed[name] < often:
            _hold(reported, name, f"{passed[name]} of the {often} tests passed that pass with the reference")


def _doubtful(tests: Tests, reported: Transcript) -> list[str]:
    """Return the tests that assert nothing, in which the answer caught an exception, or that were skipped."""
    return [
        name
        for name, result in reported.results.items()
        if result.status == "ignored" or (result.status == "passed" and tests.asserts and _has_gap(result))
    ]


def _is_cut(tests: Tests, outside: TestResult) -> bool:
    return tests.asserts_outside and _has_gap(outside)


def _has_gap(result: TestResult) -> bool:
    return not result.asserted or bool(result.caught)


def _missed(reference: TestResult | None, result: TestResult) -> str:
    """Return how many assertions of the reference were not met; nothing if there are none."""
    wanted: Mapping[str, int] = reference.asserted if reference else {}
    met = sum(min(often, result.asserted.get(line, 0)) for line, often in wanted.items())
    every = sum(wanted.values())
    return f"met {met} of the {every} assertions that the reference meets" if met < every else ""


def _passed(reported: Transcript) -> Counter[str]:
    """Return how many tests passed of each function; `test_it[1]` and `test_it[2]` are of one."""
    return Counter(
        name.partition("[")[0] for name, result in reported.results.items() if result.status == "passed"
    )


def _hold(reported: Transcript, name: str, problem: str) -> None:
    if problem:
        reported.results[name] = TestResult(status="failed", message=problem)
