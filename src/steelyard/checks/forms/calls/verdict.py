"""Classify the results of an answer's calls."""

from collections.abc import Container
from dataclasses import dataclass

from steelyard.checks.forms.calls.compare import Rule
from steelyard.checks.forms.calls.results import CallResult, CallResults, Invalid, Opaque, Raised, Returned
from steelyard.checks.forms.calls.values import shown
from steelyard.checks.grading.excerpts import excerpt
from steelyard.model.case import Expectations
from steelyard.model.execution import ExecResult, Limit
from steelyard.model.graded import ANY_ERROR, Compare, FunctionCall
from steelyard.model.outcome import Classification, Facts, Integrity, Outcome

NOT_MADE = Invalid(why="no result")
TOO_LONG = frozenset({Limit.WALL, Limit.CPU})


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A call with its decoded expected value."""

    call: FunctionCall
    value: object
    name: str


def verdict(  # noqa: PLR0913  # everything that determines the outcome
    expectations: Expectations,
    expected: tuple[Expected, ...],
    rule: Rule,
    results: CallResults,
    ended: ExecResult,
    *,
    accepted: Container[int] = (),
) -> Outcome:
    """Return the outcome of the calls of an answer; `accepted` ones are right under any rule."""
    problems = [
        f"{call.name}: {problem}"
        for index, call in enumerate(expected)
        if index not in accepted and (problem := problem_of(call, results.by_call.get(index, NOT_MADE), rule))
    ]
    is_complete = len(results.by_call) == len(expected)
    kind = _classification(expectations, results, ended, is_right=not problems, is_complete=is_complete)
    built = results.build_error is None
    facts = Facts(
        classification=kind,
        built=built,
        tests_passed=len(expected) - len(problems) if built else None,
        tests_failed=len(problems) if built else None,
        tests_ignored=0 if built else None,
    )
    return Outcome(
        facts=facts,
        peak_memory_bytes=ended.peak_memory_bytes,
        integrity=Integrity.SEALED,
        detail=_detail(results, ended, problems),
    )


def differing_results(
    expected: tuple[Expected, ...], rule: Rule, results: CallResults
) -> dict[int, tuple[FunctionCall, object]]:
    """Return the calls with results other than expected, by number."""
    return {
        index: (call.call, result.value)
        for index, call in enumerate(expected)
        if isinstance(result := results.by_call.get(index), Returned)
        and call.call.raises is None
        and not rule.holds(call.value, result.value)
    }


def problem_of(expected: Expected, result: CallResult, rule: Rule) -> str | None:
    """Return the problem of a result, or None."""
    raised_error = expected.call.raises
    expectation = shown(expected.value) if raised_error is None else f"an error ({raised_error})"
    is_right, why = False, ""
    match result:
        case Invalid():
            why = result.why
        case Raised():
            is_right = raised_error is not None and raised_error in {ANY_ERROR, *result.kinds}
            why = f"raised {', '.join(result.kinds[:3])}: {result.message}"
        case Opaque():
            is_right = raised_error is None and rule.compare is Compare.EXISTS and expected.value is True
            why = f"returned a {result.kind}, which is not plain data"
        case Returned():
            is_right = raised_error is None and rule.holds(expected.value, result.value)
            why = f"returned {shown(result.value)}"
    return None if is_right else f"{why}, expected {expectation}"


def _classification(
    expectations: Expectations, results: CallResults, ended: ExecResult, *, is_right: bool, is_complete: bool
) -> Classification:
    if ended.limit in TOO_LONG:
        return Classification.TIMEOUT
    if results.build_error is not None:
        return Classification.BUILD_ERROR if expectations.should_build else Classification.PASS
    if (
        not is_right
        and not is_complete
        and results.load_error is None
        and (ended.limit or ended.exit_code != 0)
    ):
        return Classification.CRASH
    is_good = (
        expectations.should_build
        and results.load_error is None
        and is_right is expectations.should_pass_tests
    )
    return Classification.PASS if is_good else Classification.FAIL


def _detail(results: CallResults, ended: ExecResult, problems: list[str]) -> str:
    lines = [f"limit reached: {ended.limit}"] if ended.limit else []
    lines += [text for text in (results.build_error, results.load_error) if text]
    if results.build_error is None and results.load_error is None:
        lines += problems[:20]
        lines += [f"and {len(problems) - 20} more calls"] if len(problems) > 20 else []  # noqa: PLR2004
    if problems and ended.exit_code != 0:
        lines += [f"exit code {ended.exit_code}", ended.stderr.decoded()]
    return excerpt("\n".join(line for line in lines if line))
