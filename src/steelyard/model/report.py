"""The report of a run; its JSON form is public and versioned.

Numbers are made in `metrics/`, put together in `analysis/build.py` and worded by the renderers.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from steelyard.model.benchmark import BenchmarkSummary
from steelyard.model.estimate import Estimate
from steelyard.model.options import Duplicates, Errors, Missing, Scoring, StatisticsLimit
from steelyard.model.report_runs import Frontier, JudgesSummary, RunsSummary, RunTierSpread
from steelyard.model.shown import Tabular
from steelyard.model.state import SubjectKey
from steelyard.model.summary import CostOfPass, Coverage, Grade, Statistics
from steelyard.model.trust import HoneypotSummary, SubjectIntegrity

REPORT_SCHEMA = "steelyard.report/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Every choice that changes what the numbers mean."""

    pass_k: tuple[int, ...]
    scoring: Scoring
    grade_scale: str
    baseline_tier: str
    missing: Missing
    errors: Errors
    duplicates: Duplicates
    spread: StatisticsLimit
    suite_weights: dict[str, float]
    expected_from: str
    level: float
    stop_rule: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AtK:
    """An estimate for one k."""

    k: int
    estimate: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class AtKAndTau:
    """An estimate for one k and one tau, which is the share of the k samples that have to pass."""

    k: int
    tau: float
    estimate: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectAtK:
    """Further figures of one subject for each k from 2 on; empty unless requested."""

    model: str
    tier: str
    g_pass_at_k: tuple[AtKAndTau, ...] = ()
    mg_pass_at_k: tuple[AtK, ...] = ()
    max_at_k: tuple[AtK, ...] = ()


# pass@k of some subjects over k, with intervals for new cases; made for pages, no part of a report.
Curves = Mapping[SubjectKey, Sequence[AtK]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OverallScore:
    """The mean of the suite scores, the same with suite weights, and the mean over all cases at once."""

    macro: Estimate
    weighted: Estimate | None
    pooled: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Spreads:
    """How each quantity spreads over the samples of a subject."""

    pass_rate: Statistics
    score: Statistics
    impl_rate: Statistics
    cost_usd: Statistics
    latency_s: Statistics


@dataclass(frozen=True, slots=True, kw_only=True)
class Flakiness:
    """How much of the variation is chance within a case: `flip_rate` is the chance that two samples differ.

    `icc` is the share of the variance that lies between cases; `flaky_fraction` the share of cases that
    both passed and failed, which grows with the number of samples. None where it cannot be seen.
    """

    flip_rate: float | None
    icc: float | None
    flaky_fraction: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a subject stands among the others: its rank by pass rate, and the range of ranks it may have.

    Where refusing is right, refusals count as passes here.
    `in_top_set` means not shown to be worse than the best. `on_front` is the chance that no subject is both
    cheaper and better; `is_dominated` that another subject almost surely is. None without costs.
    """

    rank: int
    rank_low: int
    rank_high: int
    in_top_set: bool
    on_front: float | None
    is_dominated: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Uplift:
    """How much better a tier is than the baseline tier of the same model.

    `of_median` and `of_mean` are relative (0.2 is 20 % better); `points` is the difference of the means.
    The means are over the `cases` that both tiers have evidence for, and the medians over the same ones.
    """

    baseline_tier: str
    of_median: Estimate
    of_mean: Estimate
    points: Estimate
    cases: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectSummary:
    """One model in one tier.

    `expectation_met` is the share of samples that ended as they should, where that is not always `pass`.
    """

    model: str
    tier: str
    coverage: Coverage
    samples: int
    passed: int
    failures: dict[str, int]
    pass_at_k: tuple[AtK, ...]
    pass_hat_k: tuple[AtK, ...]
    pass_rate: Estimate
    score: Estimate
    overall: OverallScore
    build_rate: Estimate
    test_pass_rate: Estimate
    untested_samples: int
    unlinted_samples: int
    spreads: Spreads
    grade: Grade
    total_cost_usd: Estimate
    unpriced_samples: int
    cost_of_pass: CostOfPass | None
    mean_latency_s: Estimate
    latency_p95_s: Estimate | None = None
    latency_score: Estimate | None
    expectation_met: Estimate | None = None
    tokens_in: int
    tokens_out: int
    flakiness: Flakiness
    standing: Standing | None
    uplift: Uplift | None
    runs: RunsSummary | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TierSpread:
    """How much one model's results differ across tiers."""

    model: str
    tiers: tuple[str, ...]
    pass_rate_variance: Estimate
    cost_variance: Estimate
    cost_delta_usd: Estimate
    over_runs: RunTierSpread | None = None
    score_variance: Estimate | None = None  # None in reports of earlier versions


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteSummary:
    """One suite as one subject answered it; `accuracy` is the suite score of pass or fail."""

    model: str
    tier: str
    suite: str
    cases: int
    samples: int
    passed: int
    failures: dict[str, int]
    accuracy: Estimate
    score: Estimate
    expectation_met: Estimate | None = None


@dataclass(slots=True, kw_only=True)  # a frozen one takes three times as long to make, and there are 10^5
class CaseSummary:
    """One case as one subject answered it; the integers let two reports be compared exactly."""

    model: str
    tier: str
    suite: str
    case: str
    digest: str | None
    n: int
    c: int
    errored: int
    missing: bool
    pass_at_k: tuple[AtK, ...]
    mean_score: float | None
    score_n: int
    score_sum_micro: int
    score_sq_micro: int
    cost_usd: float | None
    mean_latency_s: float | None
    refused: int | None = None  # of the n samples; None where outcomes do not say
    timed: int | None = None  # of the n samples, those with a latency; None in reports of earlier versions
    priced: int | None = None  # samples that `cost_usd` is the sum of, errored ones too; None as above
    repeats: int = 0  # of the n samples, those with the answer and the result of another
    repeats_passed: int = 0
    cluster: str = ""  # cases that are alike share it; "": alone

    def right(self, expects_refusal: Collection[tuple[str, str]]) -> int:
        """How many samples ended as they should: where refusing is right, those are the refusals."""
        is_refused = self.refused is not None and (self.suite, self.case) in expects_refusal
        return (self.refused or 0) if is_refused else self.c

    @property
    def measured(self) -> tuple[object, ...]:
        """What was measured of the case, whatever version and options the report was made with."""
        return (
            *(self.model, self.tier, self.suite, self.case, self.digest, self.n, self.c, self.errored),
            *(self.score_n, self.score_sum_micro, self.score_sq_micro, self.cost_usd, self.mean_latency_s),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class UncheckedSamples:
    """How many answers of a run could not be checked, of how many, and the most frequent reason."""

    unchecked: int
    samples: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Report(Tabular):
    """The report of a run, in a stable order.

    `integrity` is empty where it is known of no sample, `honeypots` where the set has none; `benchmark` is
    there only for runs of a public benchmark. `expects_refusal` names the suite and case of each case in
    which refusing is right. `also_at_k` is empty unless requested. `planned_samples` is
    there only for a run that is not finished, `unchecked` only if more than 5 % of its answers could not be
    checked.
    """

    schema: str = REPORT_SCHEMA
    generator: str
    settings: Settings
    subjects: tuple[SubjectSummary, ...]
    tiers: tuple[TierSpread, ...]
    suites: tuple[SuiteSummary, ...]
    cases: tuple[CaseSummary, ...]
    warnings: tuple[str, ...]
    frontier: Frontier | None = None
    judges: JudgesSummary | None = None
    integrity: tuple[SubjectIntegrity, ...] = ()
    honeypots: tuple[HoneypotSummary, ...] = ()
    benchmark: BenchmarkSummary | None = None
    expects_refusal: tuple[tuple[str, str], ...] = ()
    also_at_k: tuple[SubjectAtK, ...] = ()
    planned_samples: int | None = None
    unchecked: UncheckedSamples | None = None

    @property
    def seen_samples(self) -> int:
        """How many samples were checked, those that ended in infrastructure errors too."""
        return sum(self.seen_samples_of(subject) for subject in self.subjects)

    def seen_samples_of(self, subject: SubjectSummary) -> int:
        """How many samples of one subject were checked, those that ended in infrastructure errors too."""
        is_apart = self.settings.errors is Errors.EXCLUDE  # otherwise they are among the samples
        return subject.samples + is_apart * subject.coverage.errored
