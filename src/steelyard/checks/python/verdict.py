"""Turn the grader's transcript and the sandbox's exit status into facts."""

import re
from dataclasses import dataclass

from steelyard.checks.demands import verdict_of_tests
from steelyard.checks.excerpts import excerpt
from steelyard.checks.python.transcript import TestResult, Transcript
from steelyard.model.case import Expectations
from steelyard.model.execution import ExecResult, Limit
from steelyard.model.outcome import Classification, Facts, NoTests

ADDRESS = re.compile(r"\b0x[0-9a-f]{6,16}\b")  # where an object lay, which differs from run to run
TOO_LONG = frozenset({Limit.WALL, Limit.CPU})
NOT_RUN = TestResult(status="failed", message="not run")


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedFacts:
    """The facts, and a few words on how they came about."""

    facts: Facts
    detail: str = ""


def verdict(
    expectations: Expectations, names: tuple[str, ...], reported: Transcript, ended: ExecResult
) -> GradedFacts:
    """Return what came of a check; `names` are the tests that should have run."""
    results = _results(names, reported)
    kind = _classification(expectations, results, reported, ended)
    counts = {
        status: sum(result.status == status for result in results.values())
        for status in ("passed", "failed", "ignored")
    }
    has_tests = bool(names) and reported.built is True
    facts = Facts(
        classification=kind,
        built=reported.built,
        tests_passed=counts["passed"] if has_tests else None,
        tests_failed=counts["failed"] if has_tests else None,
        tests_ignored=counts["ignored"] if has_tests else None,
        no_tests=_no_tests(names, results, reported),
    )
    return GradedFacts(facts=facts, detail=_detail(results, reported, ended))


def _results(names: tuple[str, ...], reported: Transcript) -> dict[str, TestResult]:
    """Return a result for every test there should be: one without a report has failed."""
    wanted = dict.fromkeys((*(reported.names or names), *reported.results))
    return {name: reported.results.get(name, NOT_RUN) for name in wanted}


def _classification(
    expectations: Expectations, results: dict[str, TestResult], reported: Transcript, ended: ExecResult
) -> Classification:
    if ended.limit in TOO_LONG:
        return Classification.TIMEOUT
    if reported.built is False:
        return Classification.PASS if not expectations.should_build else Classification.BUILD_ERROR
    if reported.death or (ended.limit is not None and not reported.is_complete):
        return Classification.CRASH
    if reported.built is None:
        # The grader tells whether an answer compiles before that can do anything: silence is our own failure.
        return Classification.CRASH if reported.has_begun else Classification.ERROR
    if not reported.is_complete:
        return Classification.CRASH
    return Classification.PASS if _is_good(expectations, results, reported) else Classification.FAIL


def _is_good(expectations: Expectations, results: dict[str, TestResult], reported: Transcript) -> bool:
    if not expectations.should_build or not reported.is_loaded or reported.missing:
        return False
    if not results:
        return True
    ran = [result for result in results.values() if result.status != "ignored"]
    if reported.setup_error:
        return False
    failed = sum(result.status == "failed" for result in ran)
    should_pass, passed = expectations.should_pass_tests, len(ran) - failed
    kind = verdict_of_tests(should_pass=should_pass, passed=passed, failed=failed)
    return kind is Classification.PASS


def _no_tests(names: tuple[str, ...], results: dict[str, TestResult], reported: Transcript) -> NoTests | None:
    if not names:
        return NoTests.NONE_DEFINED
    if (
        reported.is_complete
        and reported.is_loaded
        and all(result.status == "ignored" for result in results.values())
    ):
        return NoTests.NONE_COLLECTED
    return None


def _detail(results: dict[str, TestResult], reported: Transcript, ended: ExecResult) -> str:
    lines = [f"stopped by its limit on {ended.limit}"] if ended.limit else []
    lines += [
        text
        for text in (reported.build_error, reported.load_error, reported.setup_error, reported.death)
        if text
    ]
    lines += [f"{name} is not defined" for name in reported.missing]
    failed = [(name, result) for name, result in results.items() if result.status == "failed"]
    if reported.built is not False:
        lines += [f"{name}: {result.message}" for name, result in failed]
    if reported.built is None and ended.limit is None:
        lines += [f"the grader ended with exit code {ended.exit_code}", ended.stderr.decoded()]
    return excerpt(ADDRESS.sub("0x…", "\n".join(lines)))
