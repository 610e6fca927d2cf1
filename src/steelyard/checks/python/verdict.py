"""Turn a transcript and the sandbox's exit status into facts."""

import re
from collections.abc import Mapping

from steelyard.checks.demands import verdict_of_tests
from steelyard.checks.excerpts import excerpt
from steelyard.checks.python.transcript import TestResult, Transcript
from steelyard.model.case import Expectations
from steelyard.model.execution import ExecResult, Limit
from steelyard.model.outcome import Classification, Facts, NoTests, Outcome

ADDRESS = re.compile(r"\b0x[0-9a-f]{6,16}\b")  # of an object: differs from run to run
TIME_LIMITS = frozenset({Limit.WALL, Limit.CPU})
NOT_RUN = TestResult(status="failed", message="did not run to its end")


def outcome_of(
    expectations: Expectations, names: tuple[str, ...], transcript: Transcript, ended: ExecResult
) -> Outcome:
    """Return facts and detail of a check; `names` are the tests that the source shows."""
    results = results_of(names, transcript)
    has_tests = bool(results) and transcript.built is True
    counts = {
        status: _count(results, status) if has_tests else None for status in ("passed", "failed", "ignored")
    }
    facts = Facts(
        classification=_classification(expectations, results, transcript, ended),
        built=transcript.built,
        tests_passed=counts["passed"],
        tests_failed=counts["failed"],
        tests_ignored=counts["ignored"],
        no_tests=_no_tests(names, results, transcript),
    )
    return Outcome(facts=facts, detail=_detail(results, transcript, ended))


def results_of(names: tuple[str, ...], transcript: Transcript) -> dict[str, TestResult]:
    """Return a result for each test that should have run: one without a result has failed."""
    expected = dict.fromkeys((*(transcript.names or names), *transcript.results))
    return {name: transcript.results.get(name, NOT_RUN) for name in expected}


def _count(results: Mapping[str, TestResult], status: str) -> int:
    return sum(result.status == status for result in results.values())


def _classification(
    expectations: Expectations, results: Mapping[str, TestResult], transcript: Transcript, ended: ExecResult
) -> Classification:
    current = results.get(transcript.current_test)
    if (
        not transcript.is_complete
        and current is not None
        and current.status == "failed"
        and current is not NOT_RUN
    ):
        return Classification.FAIL  # its first failed assertion would have ended the test
    if ended.limit in TIME_LIMITS:
        return Classification.TIMEOUT
    if transcript.built is False:
        return Classification.BUILD_ERROR if expectations.should_build else Classification.PASS
    if not transcript.has_started and ended.limit is None:
        return Classification.ERROR  # the runtime reports its start before any code of the answer runs
    if not transcript.is_complete:
        return Classification.CRASH
    return Classification.PASS if _is_good(expectations, results, transcript) else Classification.FAIL


def _is_good(expectations: Expectations, results: Mapping[str, TestResult], transcript: Transcript) -> bool:
    if not expectations.should_build or transcript.missing:
        return False
    failed = _count(results, "failed")
    if transcript.setup_errors:
        return not expectations.should_pass_tests and failed > 0
    if not results:
        return True
    verdict = verdict_of_tests(
        should_pass=expectations.should_pass_tests, passed=_count(results, "passed"), failed=failed
    )
    return verdict is Classification.PASS


def _no_tests(
    names: tuple[str, ...], results: Mapping[str, TestResult], transcript: Transcript
) -> NoTests | None:
    if not (names or results):
        return NoTests.NONE_DEFINED
    is_unused = all(result.status == "ignored" for result in results.values())
    return NoTests.NONE_COLLECTED if transcript.is_complete and transcript.built and is_unused else None


def _detail(results: Mapping[str, TestResult], transcript: Transcript, ended: ExecResult) -> str:
    lines = [f"stopped by its limit on {ended.limit}"] if ended.limit else []
    lines += [transcript.build_error] if transcript.build_error else []
    lines += transcript.setup_errors
    lines += [f"{name} is not defined" for name in transcript.missing]
    if transcript.built is not False and not transcript.setup_errors:
        failed = {name: result for name, result in results.items() if result.status == "failed"}
        lines += [f"{name}: {result.message}" for name, result in failed.items()]
    if not transcript.is_complete and ended.limit is None:
        lines += [f"the process ended early with exit code {ended.exit_code}", ended.stderr.decoded()]
    return excerpt(ADDRESS.sub("0x…", "\n".join(lines)))
