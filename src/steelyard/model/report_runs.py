"""Report records of runs, judges and the frontier cost of pass.

A run is one sample of every case: the samples of a subject that have the same attempt number.
"""

from dataclasses import dataclass, field

from steelyard.model.estimate import Estimate
from steelyard.model.summary import CostOfPass, Grade, Statistics


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFigures:
    """One run: all cases once.

    Rates and score are means over the cases, cost and duration are sums. `is_whole` tells that every case
    has evidence in it; other runs are listed, and enter no statistics.
    """

    run: str
    cases: int
    passed: int
    is_whole: bool
    pass_rate: float | None
    impl_rate: float | None
    score: float | None
    cost_usd: float | None
    duration_s: float | None
    cost_of_pass: CostOfPass | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSpreads:
    """How each quantity spreads over the whole runs; an infinite cost of pass is above all others."""

    pass_rate: Statistics
    impl_rate: Statistics
    score: Statistics
    cost_usd: Statistics
    duration_s: Statistics
    cost_of_pass: Statistics


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsSummary:
    """The runs of one subject; the grade is that of their median score.

    `uplift_of_median` is how much better the median score is than the baseline tier's.
    """

    runs: tuple[RunFigures, ...]
    whole: int
    spreads: RunSpreads
    grade: Grade
    uplift_of_median: Estimate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTierSpread:
    """How much the medians over runs differ across the tiers of one model."""

    pass_rate_variance: Estimate
    cost_variance: Estimate
    cost_delta_usd: Estimate
    score_variance: Estimate | None = None  # None in reports of earlier versions


@dataclass(frozen=True, slots=True, kw_only=True)
class Frontier:
    """What a pass costs if every case goes to the subject that solves it most cheaply, or else to an expert.

    `value` takes pass rates as they were seen: where none passed, the expert's price, for `capped` of the
    cases, or it is infinite. `smoothed` adds half a pass to one sample more, and errs the other way. Two
    frontiers compare only if both were made with the same number of samples of each case.
    """

    value: float | None
    smoothed: float | None
    infinite: bool
    expert_usd: float | None
    cases: int
    capped: int
    unsolved: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSubject:
    """How the answers of one subject were judged, equal ones each.

    `unrated` answers got no usable reply, or nothing in the rubric applied; the readings of `disagreeing`
    ones still disagreed at the end; `saw_tampering` counts those flagged by a judge for manipulation.
    `unusable` replies about them are no evidence; None in reports of earlier versions.
    """

    model: str
    tier: str
    answers: int
    unrated: int
    disagreeing: int
    saw_tampering: int
    unusable: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictsOfTwo:
    """How far exactly two judges agree on who passes; kappa misleads without the shares beside it."""

    answers: int
    agreement: float
    kappa: Estimate
    passed_by_first: float
    passed_by_second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgesSummary:
    """Who judged by which rubric, how far they agree, and what it took.

    Equal answers to one case are judged once, and count once. `alpha` is about ratings of single items by
    different judges, `repeat` by one judge in different readings. `disagreeing` counts answers whose readings
    still disagreed at the end, or where a judge is missing; `totals_off` replies whose own total is not
    what their ratings come to. `unusable_by_judge` counts replies, `missing_by_judge` answers about which a
    judge gave no usable reading. Agreement is that of `compared` answers.
    """

    judges: tuple[str, ...]
    rubric: str
    rubric_digest: str
    answers: int
    replies: int
    unusable: int
    disagreeing: int
    totals_off: int
    cost_usd: float | None
    unusable_by_judge: dict[str, int] = field(default_factory=dict)
    missing_by_judge: dict[str, int] = field(default_factory=dict)
    compared: int | None = None
    alpha: Estimate
    repeat: dict[str, float | None] = field(default_factory=dict)
    verdicts: VerdictsOfTwo | None = None
    subjects: tuple[JudgedSubject, ...] = ()
