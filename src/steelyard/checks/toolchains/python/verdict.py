"""Turn a transcript and the sandbox's exit status into facts."""

import re
from collections.abc import Mapping

from steelyard.checks.grading.demands import verdict_of_tests
from steelyard.checks.grading.excerpts import excerpt
from steelyard.checks.toolchains.python.transcript import TestResult, Transcript
from steelyard.model.case import Expectations
from steelyard.model.execution import ExecResult, Limit
from steelyard.model.outcome import Classification, Facts, NoTests, Outcome

ADDRESS = re.compile(r"\b0x[0-9a-f]{6,16}\b")  # of an object: differs from run to run
TIME_LIMITS = frozenset({Limit.WALL, Limit.CPU})
NOT_RUN = TestResult(status="failed", message="did not run to its end")
MISSING_MODULE = re.compile(r"^ModuleNotFoundError: No module named '([\w.]+)'", re.MULTILINE)
STATUSES = ("passed", "failed", "ignored")
Results = Mapping[str, TestResult]


def outcome_of(
    expectations: Expectations, names: tuple[str, ...], transcript: Transcript, ended: ExecResult
) -> Outcome:
    """Return the facts and detail of a check; `names` are the tests in the source."""
    # A test without a result has failed.
    expected = dict.fromkeys((*(transcript.names or names), *transcript.results))
    results = {name: transcript.results.get(name, NOT_RUN) for name in expected}
    counts = {status: sum(result.status == status for result in results.values()) for status in STATUSES}
    has_tests = bool(results) and transcript.built is True
    facts = Facts(
        classification=_classification(expectations, results, counts, transcript, ended),
        built=transcript.built,
        tests_passed=counts["passed"] if has_tests else None,
        tests_failed=counts["failed"] if has_tests else None,
        tests_ignored=counts["ignored"] if has_tests else None,
        no_tests=_no_tests(results, transcript),
    )
    return Outcome(facts=facts, detail=_detail(expectations, results, transcript, ended))


def _classification(  # noqa: PLR0911  # one return for each way to end
    expectations: Expectations,
    results: Results,
    counts: Mapping[str, int],
    transcript: Transcript,
    ended: ExecResult,
) -> Classification:
    current = results.get(transcript.current_test, NOT_RUN)
    if not transcript.is_complete and current.status == "failed" and current is not NOT_RUN:
        return Classification.FAIL  # unsealed, its first failed assertion would have ended the test
    if ended.limit in TIME_LIMITS:
        return Classification.TIMEOUT
    if transcript.built is False:
        return Classification.BUILD_ERROR if expectations.should_build else Classification.PASS
    if not transcript.has_started and ended.limit is None:
        return Classification.ERROR  # the runtime reports its start before any code of the answer runs
    if not transcript.is_complete:
        return Classification.CRASH
    if not expectations.should_build or transcript.missing:
        return Classification.FAIL
    should_pass = expectations.should_pass_tests
    if transcript.setup_errors:
        return Classification.FAIL if should_pass or not counts["failed"] else Classification.PASS
    if not results:
        return Classification.PASS
    return verdict_of_tests(should_pass=should_pass, passed=counts["passed"], failed=counts["failed"])


def _no_tests(results: Results, transcript: Transcript) -> NoTests | None:
    if not results:
        return NoTests.NONE_DEFINED
    is_unused = all(result.status == "ignored" for result in results.values())
    return NoTests.NONE_COLLECTED if transcript.is_complete and transcript.built and is_unused else None


def _detail(expectations: Expectations, results: Results, transcript: Transcript, ended: ExecResult) -> str:
    lines = [f"stopped by its limit on {ended.limit}"] if ended.limit else []
    lines += [transcript.build_error] if transcript.build_error else []
    lines += transcript.setup_errors
    lines += [f"{name} is not defined" for name in transcript.missing]
    missing = MISSING_MODULE.search("\n".join(transcript.setup_errors))
    if missing and "module" not in expectations.settings:
        lines.append(f'If `{missing[1]}` is the answer, set `settings.module = "{missing[1]}"` in the case.')
    if transcript.built is not False and not transcript.setup_errors:
        failed = {name: result for name, result in results.items() if result.status == "failed"}
        lines += [f"{name}: {result.message}" for name, result in failed.items()]
    if not transcript.is_complete and ended.limit is None:
        lines += [f"the process ended early with exit code {ended.exit_code}", ended.stderr.decoded()]
    return excerpt(ADDRESS.sub("0x…", "\n".join(lines)))
