"""Compare what an answer's tests came to with what they come to for the reference.

An answer can lack what a test is skipped without, or made from, or give a loop nothing to go through. Nothing
of that fails by itself.
"""

from collections import Counter

from steelyard.checks.python.job import Tests
from steelyard.checks.python.transcript import TestResult, Transcript


def is_doubtful(tests: Tests, reported: Transcript) -> bool:
    """Whether tests that all passed or were skipped may have shown less than they should."""
    return tests.may_vary or any(_shows_nothing(tests, result) for result in reported.results.values())


def fall_short(reported: Transcript, reference: Transcript, tests: Tests) -> None:
    """Let a test fail that asserts nothing where it does with the reference, and one that is not there."""
    for name, result in list(reported.results.items()):
        wanted = reference.results.get(name)
        if wanted and wanted.asserted and wanted.status == "passed" and _shows_nothing(tests, result):
            _fail(reported, name, "met no assertion, and meets some with the reference")
    passed = _passed(reported)
    for name, often in _passed(reference).items():
        if passed[name] < often:
            _fail(reported, name, f"{passed[name]} of the {often} tests passed that pass with the reference")


def _shows_nothing(tests: Tests, result: TestResult) -> bool:
    return result.status == "ignored" or (
        result.status == "passed" and bool(tests.asserts) and not result.asserted
    )


def _passed(reported: Transcript) -> Counter[str]:
    """Return how many tests passed of each function; `test_it[1]` and `test_it[2]` are of one."""
    return Counter(
        name.partition("[")[0] for name, result in reported.results.items() if result.status == "passed"
    )


def _fail(reported: Transcript, name: str, why: str) -> None:
    reported.results[name] = TestResult(status="failed", message=why)
