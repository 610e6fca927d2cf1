"""Decide what the results of an answer's calls amount to."""

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
    """A call with what is expected of it, decoded."""

    call: FunctionCall
    value: object
    name: str


def verdict(  # noqa: PLR0913  # all that an outcome hangs on
    expectations: Expectations,
    expected: tuple[Expected, ...],
    rule: Rule,
    found: CallResults,
    ended: ExecResult,
    *,
    also_right: Container[int] = (),
) -> Outcome:
    """Return the outcome of the calls of one answer; `also_right` are right whatever the rule says."""
    problems = [
        f"{item.name}: {problem}"
        for index, item in enumerate(expected)
        if index not in also_right and (problem := problem_of(item, found.by_call.get(index, NOT_MADE), rule))
    ]
    is_complete = len(found.by_call) == len(expected)
    kind = _classification(expectations, found, ended, is_right=not problems, is_complete=is_complete)
    built = found.build_error is None
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
        detail=_detail(found, ended, problems),
    )


def in_doubt(
    expected: tuple[Expected, ...], rule: Rule, found: CallResults
) -> dict[int, tuple[FunctionCall, object]]:
    """Return the calls that returned something else than expected, with their results, by number."""
    return {
        index: (item.call, result.value)
        for index, item in enumerate(expected)
        if isinstance(result := found.by_call.get(index), Returned)
        and item.call.raises is None
        and not rule.holds(item.value, result.value)
    }


def problem_of(expected: Expected, result: CallResult, rule: Rule) -> str | None:
    """Return what is wrong with a result, or None."""
    raised_error = expected.call.raises
    hope = shown(expected.value) if raised_error is None else f"an error ({raised_error})"
    is_right, why = False, ""
    match result:
        case Invalid():
            why = result.why
        case Raised():
            is_right = raised_error is not None and raised_error in {ANY_ERROR, *result.kinds}
            why = f"raised {', '.join(result.kinds[:3])}: {result.message}"
        case Opaque():
            is_right = raised_error is None and rule.compare is Compare.EXISTS and expected.value is True
            why = f"returned a {result.kind}, which is no plain data"
        case Returned():
            is_right = raised_error is None and rule.holds(expected.value, result.value)
            why = f"returned {shown(result.value)}"
    return None if is_right else f"{why}, expected {hope}"


def _classification(
    expectations: Expectations, found: CallResults, ended: ExecResult, *, is_right: bool, is_complete: bool
) -> Classification:
    if ended.limit in TOO_LONG:
        return Classification.TIMEOUT
    if found.build_error is not None:
        return Classification.BUILD_ERROR if expectations.should_build else Classification.PASS
    if (
        not is_right
        and not is_complete
        and found.load_error is None
        and (ended.limit or ended.exit_code != 0)
    ):
        return Classification.CRASH
    is_good = (
        expectations.should_build and found.load_error is None and is_right is expectations.should_pass_tests
    )
    return Classification.PASS if is_good else Classification.FAIL


def _detail(found: CallResults, ended: ExecResult, problems: list[str]) -> str:
    lines = [f"limit reached: {ended.limit}"] if ended.limit else []
    lines += [text for text in (found.build_error, found.load_error) if text]
    if found.build_error is None and found.load_error is None:
        lines += problems[:20]
        lines += [f"and {len(problems) - 20} more calls"] if len(problems) > 20 else []  # noqa: PLR2004
    if problems and ended.exit_code != 0:
        lines += [f"exit code {ended.exit_code}", ended.stderr.decoded()]
    return excerpt("\n".join(line for line in lines if line))
