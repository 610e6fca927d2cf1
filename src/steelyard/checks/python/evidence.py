"""Decide the sealed assertions of a run by what was reported, and by what the reference's run reported."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from steelyard.checks.python.sealing import (
    Assertion,
    ReportedValue,
    SealedCount,
    SealedTests,
    count,
    decide,
    is_plain,
    seal,
)
from steelyard.checks.python.tests_source import Runner, TestsSource
from steelyard.checks.python.transcript import MODULE, TestResult, Transcript

REMEMBERED = 1024  # cases
MOST_FAILURES = 1000  # decided of one run; a hostile answer may send thousands
MOST_MESSAGES = 3  # of one test
# Where what a test reaches depends on chance or time, reaching an assertion once is enough.
VARYING = frozenset({"hypothesis", "random", "threading", "time", "asyncio"})


ReportKey = tuple[str, int, int | None]  # test, number of the assertion, number of the table's cell


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceRun:
    """What the reference reached: the tests that it passed, and how often they reported each assertion."""

    reports: Mapping[ReportKey, int]
    passed: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedCase:
    """The tests of a case as they enter the sandbox, and what decides their assertions outside."""

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


@lru_cache(maxsize=REMEMBERED)
def seal_case(tests: TestsSource, *, open_numbers: frozenset[int] = frozenset()) -> SealedCase:
    """Seal the tests of a case; assertions with `open_numbers` stay as written."""
    sealed = seal(tests.source, open_numbers=open_numbers)
    return SealedCase(tests=replace(tests, source=sealed.source), sealed=sealed)


class Evidence:
    """The reports of one run."""

    def __init__(self, case: SealedCase, transcript: Transcript) -> None:
        self.case, self._transcript = case, transcript
        self._assertions = {item.number: item for item in case.sealed.assertions if item.is_sealed}
        self._reports = list(self._read_reports())
        self._counts = Counter[ReportKey](
            (test, assertion.number, report.cell if isinstance(report.cell, int) else None)
            for test, assertion, report in self._reports
        )
        self._passed = frozenset(
            name for name, result in transcript.results.items() if result.status == "passed"
        )

    def _read_reports(self) -> Iterator[tuple[str, Assertion, ReportedValue]]:
        known: dict[int, ReportedValue] = {}  # a repeated report is the same object, and decided once
        for test, event in self._transcript.reports:
            match event:
                case [_, int() as number, cell, encoded] if number in self._assertions:
                    report = known.setdefault(id(event), ReportedValue(encoded, cell))
                    yield test, self._assertions[number], report

    def not_plain(self) -> frozenset[int]:
        """Return the assertions whose reported values cannot be compared outside."""
        reports = {id(report): (assertion, report) for _, assertion, report in self._reports}
        return frozenset(assertion.number for assertion, report in reports.values() if not is_plain(report))

    def unmet(self) -> frozenset[int]:
        """Return the assertions that do not hold: of a reference, those that only hold inside."""
        return frozenset(assertion.number for _, assertion, _ in self._mismatches())

    def count(self) -> SealedCount:
        """Count the assertions of this run: without a reference, one with an unreported row is open."""
        if self.case.reference is not None:
            return self.case.count()
        expected = {
            (number, cell)
            for number, assertion in self._assertions.items()
            for cell in (assertion.check and assertion.check.cells) or (None,)
        }
        unreported = expected - {(number, cell) for _, number, cell in self._counts}
        return self.case.count(unreported=frozenset(number for number, _ in unreported))

    def as_reference(self) -> ReferenceRun | None:
        """Return what this run reached, as the measure for other answers; None if it did not end."""
        if not self._transcript.is_complete:
            return None
        varies = bool(self.case.tests.imported & VARYING)
        reports = {
            key: 1 if varies or self._assertions[key[1]].count_may_vary else often
            for key, often in self._counts.items()
            if key[0] in {*self._passed, MODULE}
        }
        return ReferenceRun(reports=reports, passed=self._passed)

    def decided(self) -> Transcript:
        """Return a transcript in which tests with a wrong or missing report have failed."""
        failures: dict[str, list[str]] = {}
        mismatches = ((test, message) for test, _, message in self._mismatches())
        missing = self._below_reference() if self.case.reference else self._unreached()
        for test, message in (*mismatches, *missing):
            failures.setdefault(test, []).append(message)
        results, setup_errors = dict(self._transcript.results), list(self._transcript.setup_errors)
        for test, messages in failures.items():
            shown = "\n".join([*dict.fromkeys(messages)][:MOST_MESSAGES])
            if test == MODULE:
                setup_errors.append(shown)
            else:  # a report comes before whatever the test raised afterwards
                results[test] = TestResult(status="failed", message=shown)
        return replace(self._transcript, results=results, setup_errors=setup_errors)

    def _mismatches(self) -> Iterator[tuple[str, Assertion, str]]:
        failed, held = set[tuple[str, int]](), set[int]()
        for test, assertion, report in self._reports:
            if id(report) in held or (test, assertion.number) in failed:
                continue
            if message := decide(assertion, report):
                failed.add((test, assertion.number))
                yield test, assertion, message
                if len(failed) == MOST_FAILURES:
                    return
            else:
                held.add(id(report))

    def _unreached(self) -> Iterator[tuple[str, str]]:
        """Yield tests that passed without a report that each run of them makes."""
        reached = {(test, number) for test, number, _ in self._counts}
        for assertion in self._assertions.values():
            for test in self._tests_of(assertion) if assertion.is_unconditional else ():
                if (test, assertion.number) not in reached:
                    yield test, _not_reached(assertion)

    def _tests_of(self, assertion: Assertion) -> list[str]:
        """Return the tests that an assertion stands in, as far as they passed."""
        if assertion.test:
            return [name for name in self._passed if name.partition("[")[0] == assertion.test]
        if self.case.tests.runner is Runner.PYTEST:
            return [MODULE] if self._transcript.results else []
        line = max((line for line in self.case.tests.lines if line <= assertion.line), default=0)
        return [f"line {line}"] if f"line {line}" in self._passed else []

    def _below_reference(self) -> Iterator[tuple[str, str]]:
        """Yield tests that passed with fewer reports than the reference's, or did not run."""
        reference = self.case.reference
        if reference is None:
            return
        for key, often in reference.reports.items():
            if key[0] in {*self._passed, MODULE} and self._counts[key] < often:
                yield key[0], _not_reached(self._assertions[key[1]])
        for test in reference.passed:
            result = self._transcript.results.get(test)
            if result is None or result.status == "ignored":
                yield test, "did not run; with the reference it passes"


def _not_reached(assertion: Assertion) -> str:
    return f"line {assertion.line}: `{assertion.text}` was not reached"
