"""Decide the sealed assertions of a run by its reports, and by how often the reference reached each."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from steelyard.checks.toolchains.python.job import MAX_CACHED_CASES
from steelyard.checks.toolchains.python.sealing import (
    Assertion,
    SealedCount,
    SealedTests,
    count,
    decide,
    is_plain,
    seal,
)
from steelyard.checks.toolchains.python.tests_source import Runner, TestsSource
from steelyard.checks.toolchains.python.transcript import MODULE_LEVEL, TestResult, Transcript

MAX_FAILURES = 1000  # per run; a hostile answer may send thousands
MAX_MESSAGES = 3  # per test
# With these modules, chance or time decides how often a test reaches an assertion: once is enough.
VARYING = frozenset({"hypothesis", "random", "threading", "time", "asyncio"})

ReportKey = tuple[str, int, int | None]  # test, number of the assertion, number of the table's cell


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceRun:
    """The tests that the reference passed, and how often they reported each assertion."""

    reports: Mapping[ReportKey, int]
    passed: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedCase:
    """The tests of a case as they enter the sandbox, with their assertions."""

    tests: TestsSource  # with the sealed source
    sealed: SealedTests
    reference: ReferenceRun | None = None

    def count(self, *, unreported: frozenset[int] = frozenset()) -> SealedCount:
        """Count sealed and open assertions; those that were not reported are open."""
        assertions = [
            replace(assertion, check=None) if assertion.number in unreported else assertion
            for assertion in self.sealed.assertions
        ]
        return count(assertions, others=len(self.sealed.silent_tests) + self.tests.helper_assertions)


@lru_cache(maxsize=MAX_CACHED_CASES)
def seal_case(tests: TestsSource, *, open_numbers: frozenset[int] = frozenset()) -> SealedCase:
    """Seal the tests of a case, except assertions with `open_numbers`."""
    sealed = seal(tests.source, open_numbers=open_numbers)
    return SealedCase(tests=replace(tests, source=sealed.source), sealed=sealed)


class Evidence:
    """The reports of one run."""

    def __init__(self, case: SealedCase, transcript: Transcript) -> None:
        self.case, self._transcript = case, transcript
        self._assertions = {item.number: item for item in case.sealed.assertions if item.is_sealed}
        self._reports = [item for item in transcript.reports if item[1].number in self._assertions]
        self._counts = Counter[ReportKey](
            (test, report.number, report.cell if isinstance(report.cell, int) else None)
            for test, report in self._reports
        )
        self._passed = frozenset(
            name for name, result in transcript.results.items() if result.status == "passed"
        )

    def not_plain(self) -> frozenset[int]:
        """Return the assertions whose reported values cannot be compared outside."""
        reports = {id(report): report for _, report in self._reports}
        return frozenset(report.number for report in reports.values() if not is_plain(report))

    def unmet(self) -> frozenset[int]:
        """Return the assertions with a wrong report; of a reference, those that only hold inside."""
        return frozenset(number for _, number, _ in self._mismatches())

    def count(self) -> SealedCount:
        """Count the assertions of this run; without a reference, unreported ones are open."""
        if self.case.reference is not None:
            return self.case.count()
        expected = {
            (number, cell)
            for number, assertion in self._assertions.items()
            for cell in (assertion.check and assertion.check.cells) or (None,)
        }
        reported = {(number, cell) for _, number, cell in self._counts}
        return self.case.count(unreported=frozenset(number for number, _ in expected - reported))

    def as_reference(self) -> ReferenceRun | None:
        """Return this run as the reference for other answers; None if it did not end."""
        if not self._transcript.is_complete:
            return None
        varies = bool(self.case.tests.imported & VARYING)
        reports = {
            key: 1 if varies or self._assertions[key[1]].count_may_vary else times
            for key, times in self._counts.items()
            if key[0] in {*self._passed, MODULE_LEVEL}
        }
        return ReferenceRun(reports=reports, passed=self._passed)

    def decided(self) -> Transcript:
        """Return the transcript with tests failed that have a wrong or missing report."""
        failures: dict[str, list[str]] = {}
        mismatches = ((test, message) for test, _, message in self._mismatches())
        missing = self._below_reference() if self.case.reference else self._unreached()
        for test, message in (*mismatches, *missing):
            failures.setdefault(test, []).append(message)
        results, setup_errors = dict(self._transcript.results), list(self._transcript.setup_errors)
        for test, messages in failures.items():
            message = "\n".join([*dict.fromkeys(messages)][:MAX_MESSAGES])
            if test == MODULE_LEVEL:
                setup_errors.append(message)
            else:  # replaces a later exception of the test
                results[test] = TestResult(status="failed", message=message)
        return replace(self._transcript, results=results, setup_errors=setup_errors)

    def _mismatches(self) -> Iterator[tuple[str, int, str]]:
        """Yield the test, assertion number and message of wrong reports, one per test and assertion."""
        failed, met = set[tuple[str, int]](), set[int]()
        for test, report in self._reports:
            if id(report) in met or (test, report.number) in failed:
                continue
            if message := decide(self._assertions[report.number], report):
                failed.add((test, report.number))
                yield test, report.number, message
                if len(failed) == MAX_FAILURES:
                    return
            else:
                met.add(id(report))

    def _unreached(self) -> Iterator[tuple[str, str]]:
        """Yield tests that passed without reporting an unconditional assertion."""
        reached = {(test, number) for test, number, _ in self._counts}
        for assertion in self._assertions.values():
            for test in self._tests_of(assertion) if assertion.is_unconditional else ():
                if (test, assertion.number) not in reached:
                    yield test, _not_reached(assertion)

    def _tests_of(self, assertion: Assertion) -> list[str]:
        """Return the passed tests that contain an assertion."""
        if assertion.test:
            return [name for name in self._passed if name.partition("[")[0] == assertion.test]
        if self.case.tests.runner is Runner.PYTEST:
            return [MODULE_LEVEL] if self._transcript.results else []
        line = max((line for line in self.case.tests.lines if line <= assertion.line), default=0)
        return [f"line {line}"] if f"line {line}" in self._passed else []

    def _below_reference(self) -> Iterator[tuple[str, str]]:
        """Yield tests that passed with fewer reports than the reference, or did not run."""
        reference = self.case.reference
        if reference is None:
            return
        for key, times in reference.reports.items():
            if key[0] in {*self._passed, MODULE_LEVEL} and self._counts[key] < times:
                yield key[0], _not_reached(self._assertions[key[1]])
        for test in reference.passed:
            result = self._transcript.results.get(test)
            if result is None or result.status == "ignored":
                yield test, "did not run; with the reference it passes"


def _not_reached(assertion: Assertion) -> str:
    return f"line {assertion.line}: `{assertion.text}` was not reached"
