"""Build reports for the tests of the renderers: small, plausible, and changed with `replace`.

The numbers need not follow from each other; renderers do not compute.
"""

from collections.abc import Sequence
from dataclasses import replace

from steelyard.model.estimate import Estimate, Interval, Reason, Target
from steelyard.model.options import Duplicates, Errors, Missing, Scoring, StatisticsLimit
from steelyard.model.report import (
    AtK,
    CaseSummary,
    Flakiness,
    OverallScore,
    Report,
    Settings,
    Spreads,
    Standing,
    SubjectSummary,
    SuiteSummary,
    TierSpread,
    Uplift,
)
from steelyard.model.summary import CostOfPass, Coverage, Grade, GradeBasis, Statistics

KS = (1, 5)
CASE_MEAN = GradeBasis.CASE_MEAN
NOT_MEASURED = Estimate.undefined(Reason.NOT_MEASURED)
NO_STATISTICS = Statistics(
    median=None, mean=None, mode=None, min=None, max=None, std_dev=None, count=0, reason=Reason.NOT_MEASURED
)
TOO_FEW = Estimate.undefined(Reason.K_EXCEEDS_N, "3 of 10 cases have fewer than 10 samples")

SETTINGS = Settings(
    pass_k=KS,
    scoring=Scoring(name="build-test-lint", version=1, parameters={"build": "2/5", "tests": "1/2"}),
    grade_scale="letters-95",
    baseline_tier="T0",
    missing=Missing.FAIL,
    errors=Errors.EXCLUDE,
    duplicates=Duplicates.ERROR,
    spread=StatisticsLimit.AUTO,
    suite_weights={},
    expected_from="a list of cases",
    level=0.95,
    stop_rule=None,
)


def interval(low: float | None, high: float | None, target: Target = Target.NEW_CASES) -> Interval:
    return Interval(low=low, high=high, level=0.95, target=target, method="a formula")


def rerun(low: float | None, high: float | None) -> Interval:
    return interval(low, high, Target.RERUN)


def standing(
    rank: int,
    low: int | None = None,
    high: int | None = None,
    *,
    top: bool = False,
    front: float | None = None,
) -> Standing:
    """Return a rank with its range, and perhaps the chance to be on the front."""
    return Standing(
        rank=rank,
        rank_low=low or rank,
        rank_high=high or rank,
        in_top_set=top,
        on_front=front,
        is_dominated=None if front is None else front < 0.05,
    )


def at_ks(*values: float | None, ks: Sequence[int] = KS) -> tuple[AtK, ...]:
    """Return an estimate for each k; None for one with too few samples."""
    return tuple(
        AtK(k=k, estimate=TOO_FEW if value is None else Estimate.of(value))
        for k, value in zip(ks, values, strict=True)
    )


def statistics(middle: float, *, count: int = 60) -> Statistics:
    return Statistics(
        median=middle,
        mean=middle * 0.9,
        mode=middle,
        min=0.0,
        max=middle * 2,
        std_dev=middle / 3,
        count=count,
    )


def subject(model: str = "acme/large", tier: str = "T0", *, score: float = 0.855) -> SubjectSummary:
    """Return a subject that was measured in every way."""
    return SubjectSummary(
        model=model,
        tier=tier,
        coverage=Coverage(expected=12, seen=12, missing=0, unknown=0, duplicate=0, errored=2),
        samples=60,
        passed=46,
        failures={"fail": 9, "build_error": 3, "timeout": 2},
        pass_at_k=(
            AtK(k=1, estimate=Estimate.of(0.77, interval(0.61, 0.93), rerun(0.738, 0.802))),
            AtK(k=5, estimate=Estimate.of(0.999678, interval(0.8, 1.0))),
        ),
        pass_hat_k=at_ks(0.77, 0.25),
        pass_rate=Estimate.of(0.77),
        score=Estimate.of(score, interval(0.7, 0.96)),
        overall=OverallScore(macro=Estimate.of(0.85), weighted=None, pooled=Estimate.of(13 / 15)),
        build_rate=Estimate.of(0.95),
        test_pass_rate=Estimate.of(0.9),
        untested_samples=0,
        unlinted_samples=0,
        spreads=Spreads(
            pass_rate=statistics(1.0),
            score=statistics(score),
            impl_rate=NO_STATISTICS,
            cost_usd=statistics(0.0069),
            latency_s=statistics(1.25),
        ),
        grade=Grade(letter="B", scale="letters-95", probabilities={"A": 0.39, "B": 0.61}, of=CASE_MEAN),
        total_cost_usd=Estimate.of(0.412),
        unpriced_samples=0,
        cost_of_pass=CostOfPass(value=0.412 / 46, interval=interval(0.0071, 0.0112)),
        mean_latency_s=Estimate.of(1.2),
        latency_score=None,
        tokens_in=12_000,
        tokens_out=34_000,
        flakiness=Flakiness(flip_rate=0.124, icc=0.701, flaky_fraction=0.25),
        standing=None,
        uplift=None,
    )


def bare_subject(model: str = "acme/large", tier: str = "T0", *, score: float = 0.77) -> SubjectSummary:
    """Return a subject of which nothing is known but which samples passed."""
    return replace(
        subject(model, tier, score=score),
        coverage=Coverage(expected=12, seen=12, missing=0, unknown=0, duplicate=0, errored=0),
        failures={"fail": 14},
        pass_at_k=at_ks(0.77, 0.999678),
        score=Estimate.of(score),
        grade=Grade(letter="B", scale="letters-95", probabilities={"B": 1.0}, of=CASE_MEAN),
        build_rate=NOT_MEASURED,
        test_pass_rate=NOT_MEASURED,
        spreads=Spreads(
            pass_rate=statistics(1.0),
            score=statistics(score),
            impl_rate=NO_STATISTICS,
            cost_usd=NO_STATISTICS,
            latency_s=NO_STATISTICS,
        ),
        total_cost_usd=NOT_MEASURED,
        cost_of_pass=None,
        mean_latency_s=NOT_MEASURED,
    )


def undefined_subject(model: str = "acme/none", tier: str = "T0") -> SubjectSummary:
    """Return a subject without a single sample."""
    nothing = Estimate.undefined(Reason.NO_SAMPLES)
    return replace(
        bare_subject(model, tier),
        coverage=Coverage(expected=0, seen=0, missing=0, unknown=0, duplicate=0, errored=0),
        samples=0,
        passed=0,
        failures={},
        pass_at_k=tuple(AtK(k=k, estimate=nothing) for k in KS),
        pass_hat_k=tuple(AtK(k=k, estimate=nothing) for k in KS),
        pass_rate=nothing,
        score=nothing,
        overall=OverallScore(macro=nothing, weighted=None, pooled=nothing),
        grade=Grade(letter=None, scale="letters-95", probabilities={}),
        spreads=Spreads(
            pass_rate=NO_STATISTICS,
            score=NO_STATISTICS,
            impl_rate=NO_STATISTICS,
            cost_usd=NO_STATISTICS,
            latency_s=NO_STATISTICS,
        ),
    )


def suite(name: str, *, model: str = "acme/large", tier: str = "T0", score: float = 0.9) -> SuiteSummary:
    return SuiteSummary(
        model=model,
        tier=tier,
        suite=name,
        cases=6,
        samples=30,
        passed=23,
        failures={"fail": 7},
        accuracy=Estimate.of(0.75),
        score=Estimate.of(score),
    )


def case(name: str, *, model: str = "acme/large", tier: str = "T0", suite: str = "basics") -> CaseSummary:
    return CaseSummary(
        model=model,
        tier=tier,
        suite=suite,
        case=name,
        digest=None,
        n=5,
        c=3,
        errored=0,
        missing=False,
        pass_at_k=at_ks(0.6, 1.0),
        mean_score=0.8,
        score_n=5,
        score_sum_micro=4_000_000,
        score_sq_micro=3_400_000_000_000,
        cost_usd=0.0123,
        mean_latency_s=1.5,
    )


def report(
    *subjects: SubjectSummary,
    suites: Sequence[SuiteSummary] = (),
    cases: Sequence[CaseSummary] = (),
    warnings: Sequence[str] = (),
    settings: Settings = SETTINGS,
) -> Report:
    return Report(
        generator="steelyard 0.0.0",
        settings=settings,
        subjects=subjects,
        tiers=(),
        suites=tuple(suites),
        cases=tuple(cases),
        warnings=tuple(warnings),
    )


def tiered_report() -> Report:
    """Return two models in two tiers over two suites: every table of a page is there."""
    uplift = Uplift(
        baseline_tier="T0",
        of_median=Estimate.of(0.2),
        of_mean=Estimate.of(0.125, interval(0.02, 0.31)),
        points=Estimate.of(0.095),
    )
    subjects = [
        replace(
            subject("acme/large", "T0"),
            spreads=_judged(0.855),
            standing=standing(2, 1, 3, top=True, front=0.9),
        ),
        replace(
            subject("acme/large", "T1", score=0.95),
            uplift=uplift,
            standing=standing(1, 1, 2, top=True, front=1),
        ),
        replace(subject("acme/small", "T0", score=0.61), standing=standing(3, 2, 3, front=0.3)),
        replace(
            subject("acme/small", "T1", score=0.59),
            uplift=replace(uplift, points=Estimate.of(-0.02)),
            standing=standing(4, front=0.01),
        ),
    ]
    spread = TierSpread(
        model="acme/large",
        tiers=("T0", "T1"),
        pass_rate_variance=Estimate.of(0.0025),
        cost_variance=NOT_MEASURED,
        cost_delta_usd=Estimate.of(0.0031),
    )
    suites = [
        suite(name, model=one.model, tier=one.tier) for one in subjects for name in ("basics", "concurrency")
    ]
    cases = [
        case(name, model=one.model, tier=one.tier) for one in subjects for name in ("fizzbuzz", "lru_cache")
    ]
    whole = report(*subjects, suites=suites, cases=cases, warnings=["acme/large (T0): 2 samples errored"])
    return replace(whole, tiers=(spread, replace(spread, model="acme/small")))


def _judged(score: float) -> Spreads:
    return replace(subject(score=score).spreads, impl_rate=statistics(0.7))
