"""Turn what the grader told, and how its sandbox ended, into facts."""

import re
from dataclasses import dataclass

from steelyard.checks.excerpts import excerpt
from steelyard.checks.python.transcript import TestResult, Transcript
from steelyard.model.case import Expectations
from steelyard.model.classification import Classification
from steelyard.model.execution import ExecResult, Limit
from steelyard.model.facts import Facts, NoTests

ADDRESS = re.compile(r"\b0x[0-9a-f]{6,16}\b")  # where an object lay, which differs from run to run
TOO_LONG = frozenset({Limit.WALL, Limit.CPU})
NOT_RUN = TestResult(status="failed", message="not run")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The facts, and a few words on how they came about."""

    facts: Facts
    detail: str = ""


def verdict(
    expectations: Expectations, names: tuple[str, ...], told: Transcript, ended: ExecResult
) -> Verdict:
    """Return what came of a check; `names` are the tests that should have run."""
    results = _results(names, told)
    kind = _classification(expectations, results, told, ended)
    counts = {
        status: sum(result.status == status for result in results.values())
        for status in ("passed", "failed", "ignored")
    }
    has_tests = bool(names) and told.built is True
    facts = Facts(
        classification=kind,
        built=told.built,
        tests_passed=counts["passed"] if has_tests else None,
        tests_failed=counts["failed"] if has_tests else None,
        tests_ignored=counts["ignored"] if has_tests else None,
        no_tests=_no_tests(names, results, told),
    )
    return Verdict(facts=facts, detail=_detail(results, told, ended))


def _results(names: tuple[str, ...], told: Transcript) -> dict[str, TestResult]:
    """Return a result for every test there should be: one that was not told of has failed."""
    wanted = dict.fromkeys((*(told.names or names), *told.results))
    return {name: told.results.get(name, NOT_RUN) for name in wanted}


def _classification(
    expectations: Expectations, results: dict[str, TestResult], told: Transcript, ended: ExecResult
) -> Classification:
    if ended.limit in TOO_LONG:
        return Classification.TIMEOUT
    if told.built is False:
        return Classification.PASS if not expectations.should_build else Classification.BUILD_ERROR
    if told.death or (ended.limit is not None and not told.is_complete):
        return Classification.CRASH
    if told.built is None:
        # The grader tells whether an answer compiles before that can do anything: silence is our own failure.
        return Classification.ERROR
    if not told.is_complete:
        return Classification.CRASH
    return Classification.PASS if _is_good(expectations, results, told) else Classification.FAIL


def _is_good(expectations: Expectations, results: dict[str, TestResult], told: Transcript) -> bool:
    if not expectations.should_build or not told.is_loaded or told.missing:
        return False
    if not expectations.should_pass_tests or not results:
        return True
    ran = [result for result in results.values() if result.status != "ignored"]
    return bool(ran) and not told.setup_error and all(result.status == "passed" for result in ran)


def _no_tests(names: tuple[str, ...], results: dict[str, TestResult], told: Transcript) -> NoTests | None:
    if not names:
        return NoTests.NONE_DEFINED
    if told.is_complete and told.is_loaded and all(result.status == "ignored" for result in results.values()):
        return NoTests.NONE_COLLECTED
    return None


def _detail(results: dict[str, TestResult], told: Transcript, ended: ExecResult) -> str:
    lines = [f"stopped by its limit on {ended.limit}"] if ended.limit else []
    lines += [text for text in (told.build_error, told.load_error, told.setup_error, told.death) if text]
    lines += [f"{name} is not defined" for name in told.missing]
    failed = [(name, result) for name, result in results.items() if result.status == "failed"]
    if told.built is not False:
        lines += [f"{name}: {result.message}" for name, result in failed]
    if told.built is None and ended.limit is None:
        lines += [f"the grader ended with exit code {ended.exit_code}", ended.stderr.decoded()]
    return excerpt(ADDRESS.sub("0x…", "\n".join(lines)))
