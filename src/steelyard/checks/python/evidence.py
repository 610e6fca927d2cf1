"""Decide the sealed assertions of a run by what was reported, and by what the reference's run reported."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from steelyard.checks.python.sealing import Assertion, ReportedValue, SealedTests, decide, is_plain, seal
from steelyard.checks.python.sealing.integrity import SealedCount, integrity
from steelyard.checks.python.tests_source import Runner, TestsSource
from steelyard.checks.python.transcript import MODULE, TestResult, Transcript

REMEMBERED = 1024  # cases
MOST_FAILURES = 100  # decided of one run; a hostile answer may send thousands
MOST_MESSAGES = 3  # of one test
# Where what a test reaches depends on chance or time, reaching an assertion once is enough.
VARYING = frozenset({"hypothesis", "random", "threading", "time", "asyncio"})


ReportKey = tuple[str, int, int | None]  # test, number of the assertion, number of the table's cell


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceRun:
    """What the reference reached: how often it reported what, and the tests that it passed."""

    reports: Mapping[ReportKey, int]
    passed: frozenset[str]


@dataclass(frozen=True, kw_only=True)
class SealedCase:
    """The tests of a case as they enter the sandbox, and what decides their assertions outside."""

    tests: TestsSource  # with the sealed source
    sealed: SealedTests
    reference: ReferenceRun | None = None

    @property
    def count(self) -> SealedCount:
        """How many assertions are sealed and open."""
        return self._counted(self.sealed.assertions)

    def _counted(self, assertions: Iterable[Assertion]) -> SealedCount:
        others = len(self.sealed.silent_tests) + self.tests.helper_assertions
        return integrity(assertions, silent_tests=others)

    def count_of(self, transcript: Transcript) -> SealedCount:
        """Return the counts of a run: without a reference, an assertion that was not reported is open."""
        if self.reference is not None:
            return self.count
        cells = defaultdict[int, set[int | None]](set)
        for _, number, cell in self._counts(transcript):
            cells[number].add(cell)
        assertions = [
            assertion
            if assertion.check is not None
            and assertion.number in cells
            and assertion.check.cells.keys() <= cells[assertion.number]
            else replace(assertion, check=None)
            for assertion in self.sealed.assertions
        ]
        return self._counted(assertions)

    @cached_property
    def _by_number(self) -> dict[int, Assertion]:
        return {assertion.number: assertion for assertion in self.sealed.assertions if assertion.is_sealed}

    def not_plain(self, transcript: Transcript) -> frozenset[int]:
        """Return the assertions whose reported values cannot be compared outside."""
        reports = ((assertion, report) for _, assertion, report in self._reports(transcript))
        return frozenset(assertion.number for assertion, report in reports if not is_plain(report))

    def decide(self, transcript: Transcript) -> Transcript:
        """Return a transcript in which tests with a wrong or missing report have failed."""
        failures: dict[str, list[str]] = {}
        failed = set[tuple[str, int]]()
        for test, assertion, report in self._reports(transcript):
            if (test, assertion.number) in failed:
                continue
            if message := decide(assertion, report):
                failed.add((test, assertion.number))
                if len(failed) == MOST_FAILURES:
                    break
                failures.setdefault(test, []).append(message)
        for test, message in (*self._unreached(transcript), *self._below_reference(transcript)):
            failures.setdefault(test, []).append(message)
        return _with_failures(transcript, failures)

    def reached(self, transcript: Transcript) -> ReferenceRun:
        """Return what a run reached, as the measure for other answers."""
        counts = self._counts(transcript)
        passed = {name for name, result in transcript.results.items() if result.status == "passed"}
        varies = bool(self.tests.imported & VARYING)
        reports = {
            key: 1 if varies or self._by_number[key[1]].count_may_vary else often
            for key, often in counts.items()
        }
        return ReferenceRun(reports=reports, passed=frozenset(passed))

    def _counts(self, transcript: Transcript) -> Counter[ReportKey]:
        return Counter(
            (test, assertion.number, report.cell if isinstance(report.cell, int) else None)
            for test, assertion, report in self._reports(transcript)
        )

    def _reports(self, transcript: Transcript) -> Iterator[tuple[str, Assertion, ReportedValue]]:
        for test, event in transcript.reports:
            match event:
                case [_, int() as number, cell, encoded] if number in self._by_number:
                    yield (
                        test,
                        self._by_number[number],
                        ReportedValue(encoded, cell),
                    )

    def _unreached(self, transcript: Transcript) -> Iterator[tuple[str, str]]:
        """Yield tests that passed without a report that each run of them makes."""
        reached = defaultdict[tuple[str, int], set[int | None]](set)
        for test, number, cell in self._counts(transcript):
            reached[test, number].add(cell)
        for assertion in self._by_number.values():
            if not assertion.is_unconditional:
                continue
            for test in self._tests_of(assertion, transcript):
                cells = reached[test, assertion.number]
                if not cells or not _rows_of(assertion, test) <= cells:
                    yield test, _not_reached(assertion)

    def _tests_of(self, assertion: Assertion, transcript: Transcript) -> list[str]:
        """Return the tests that an assertion stands in, as far as they passed."""
        if assertion.test:
            names = [name for name in transcript.results if name.partition("[")[0] == assertion.test]
        elif self.tests.runner is Runner.PYTEST:
            return [MODULE] if transcript.results else []
        else:
            line = max((line for line in self.tests.lines if line <= assertion.line), default=0)
            names = [f"line {line}"]
        return [
            name
            for name in names
            if name in transcript.results and transcript.results[name].status == "passed"
        ]

    def _below_reference(self, transcript: Transcript) -> Iterator[tuple[str, str]]:
        """Yield tests that passed with fewer reports than the reference's, or did not run."""
        if self.reference is None:
            return
        counts = self._counts(transcript)
        for key, often in self.reference.reports.items():
            result = transcript.results.get(key[0])
            has_passed = result is not None and result.status == "passed"
            if has_passed and counts[key] < often and key[0] in self.reference.passed:
                yield key[0], _not_reached(self._by_number[key[1]])
        for test in self.reference.passed:
            result = transcript.results.get(test)
            if result is None or result.status == "ignored":
                yield test, "did not run; with the reference it passes"


@lru_cache(maxsize=REMEMBERED)
def seal_case(tests: TestsSource, *, open_numbers: frozenset[int] = frozenset()) -> SealedCase:
    """Seal the tests of a case; assertions with `open_numbers` stay as written."""
    sealed = seal(tests.source, open_numbers=open_numbers)
    return SealedCase(tests=replace(tests, source=sealed.source), sealed=sealed)


def _rows_of(assertion: Assertion, test: str) -> set[int]:
    """Return the rows of an assertion's table; each row of `parametrize` is a test of its own."""
    return set() if assertion.check is None or "[" in test else set(assertion.check.cells)


def _not_reached(assertion: Assertion) -> str:
    return f"line {assertion.line}: `{assertion.text}` was not reached"


def _with_failures(transcript: Transcript, failures: Mapping[str, list[str]]) -> Transcript:
    results, setup_errors = dict(transcript.results), list(transcript.setup_errors)
    for test, messages in failures.items():
        distinct = list(dict.fromkeys(messages))
        shown = "\n".join(distinct[:MOST_MESSAGES])
        if test == MODULE:
            setup_errors.append(shown)
            continue
        # A report comes before whatever the test raised afterwards.
        results[test] = TestResult(status="failed", message=shown)
    return replace(transcript, results=results, setup_errors=setup_errors)
