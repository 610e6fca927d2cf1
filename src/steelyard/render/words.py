"""Word the reasons of missing numbers, and the effects of policies."""

from collections.abc import Mapping

from steelyard.model.estimate import Reason
from steelyard.model.options import Duplicates, Errors, Missing, Scoring, StatisticsLimit
from steelyard.model.outcome import Classification

WHY: Mapping[Reason, str] = {
    Reason.K_EXCEEDS_N: "there are fewer than k samples",
    Reason.NO_SAMPLES: "samples are missing",
    Reason.NO_CASES: "there are no cases",
    Reason.NOT_MEASURED: "the outcomes have no such data",
    Reason.PARTLY_MEASURED: "only some samples have it",
    Reason.NO_PASSES: "nothing passed",
    Reason.BASELINE_ZERO: "the baseline is 0, so the relative change is undefined",
    Reason.BASELINE_MISSING: "the baseline tier has no result to compare with",
    Reason.TOO_MANY_VALUES: "skipped for so many samples; --statistics full computes it",
    Reason.OTHER_CASES: "the two tiers do not have the same cases",
    Reason.OPTIONAL_STOPPING: "sampling stopped at a certain result, which would bias the number",
}

DONE_WITH_MISSING: Mapping[Missing, str] = {
    Missing.FAIL: "counted as failures",
    Missing.SKIP: "left out of the means",
    Missing.ERROR: "not allowed",
}
DONE_WITH_ERRORED: Mapping[Errors, str] = {
    Errors.EXCLUDE: "left out",
    Errors.FAIL: "counted as failures",
}
DONE_WITH_DUPLICATES: Mapping[Duplicates, str] = {
    Duplicates.ERROR: "dropped",
    Duplicates.FIRST: "the first counts",
    Duplicates.LAST: "the last counts",
}

MISSING_RULE: Mapping[Missing, str] = {
    Missing.FAIL: "missing cases count as failures",
    Missing.SKIP: "missing cases are left out of the means",
    Missing.ERROR: "missing cases stop the report",
}
ERRORS_RULE: Mapping[Errors, str] = {
    Errors.EXCLUDE: "errored samples are left out",
    Errors.FAIL: "errored samples count as failures",
}
DUPLICATES_RULE: Mapping[Duplicates, str] = {
    Duplicates.ERROR: "contradicting duplicates stop the report",
    Duplicates.FIRST: "of contradicting duplicates the first counts",
    Duplicates.LAST: "of contradicting duplicates the last counts",
}
SPREAD_RULE: Mapping[StatisticsLimit, str] = {
    StatisticsLimit.AUTO: "medians up to two million samples",
    StatisticsLimit.FULL: "medians at any size",
}

KIND_OF_FAILURE: Mapping[str, str] = {
    Classification.FAIL: "wrong",
    Classification.BUILD_ERROR: "no build",
    Classification.TIMEOUT: "timeout",
    Classification.CRASH: "crash",
    Classification.REFUSAL: "refusal",
    Classification.WRONG_FORMAT: "wrong format",
    Classification.POLICY_VIOLATION: "policy violation",
}


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless it is 1.

    >>> counted(1, "case"), counted(20_000, "sample")
    ('1 case', '20,000 samples')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def why(reason: Reason | None, detail: str | None = None) -> str:
    """Return why a number is undefined: the detail, if there is one, else the reason.

    >>> why(Reason.K_EXCEEDS_N, "3 of 10 cases have fewer than 10 samples")
    '3 of 10 cases have fewer than 10 samples'
    >>> why(Reason.NO_CASES)
    'there are no cases'
    """
    if detail is not None:
        return detail
    return "no reason was recorded" if reason is None else WHY[reason]


def described(scoring: Scoring) -> str:
    """Return a scoring rule with its version and parameters.

    >>> described(Scoring(name="composite", version=1, parameters={"pass_weight": "1/2"}))
    'composite/1 (pass_weight = 1/2)'
    """
    parameters = ", ".join(f"{name} = {value}" for name, value in sorted(scoring.parameters.items()))
    return f"{scoring.name}/{scoring.version}" + (f" ({parameters})" if parameters else "")
