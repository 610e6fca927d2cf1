"""Put counted evidence together into a report.

Composes what `subjects` lines up and `figures` computes; the renderers choose the words.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache

from steelyard.analysis import figures, uncertainty
from steelyard.analysis.also_at_k import also_at_k
from steelyard.analysis.case_means import (
    kind_shares,
    left_open,
    pass_shares,
    score_share,
    score_shares,
    stop_rule,
)
from steelyard.analysis.frontier import frontier
from steelyard.analysis.grading import grade_of_cases
from steelyard.analysis.runs import runs_summary
from steelyard.analysis.shared_cases import shared_cases
from steelyard.analysis.subjects import SubjectCases, subjects
from steelyard.analysis.tiers import tier_spreads, with_run_uplifts, with_uplifts
from steelyard.analysis.trust import honeypot_summaries, honeypot_warnings, integrity_counts
from steelyard.analysis.warnings import warnings_of
from steelyard.errors import DomainError, UserError
from steelyard.metrics.latency import latency_score
from steelyard.metrics.stopping import StopRule
from steelyard.metrics.suites import overall_score
from steelyard.model.estimate import Estimate, Reason
from steelyard.model.options import ReportOptions
from steelyard.model.outcome import Classification
from steelyard.model.report import (
    AtK,
    CaseSummary,
    OverallScore,
    Report,
    Settings,
    SubjectSummary,
    SuiteSummary,
)
from steelyard.model.state import CaseState, Evidence, ExpectedCase, Repeats
from steelyard.model.units import MICRO_POINTS, MICROSECONDS, NANO_USD
from steelyard.model.version import GENERATOR

NO_EVIDENCE = Estimate.undefined(Reason.NO_SAMPLES, "some suite has a case without evidence")


def build_report(
    evidence: Evidence, options: ReportOptions, expected: frozenset[ExpectedCase] | None = None
) -> Report:
    """Return everything that can be said about the evidence, in a stable order."""
    lined_up = subjects(evidence, expected, options)
    shared, refusing = shared_cases(lined_up), _expects_refusal(lined_up, options)
    ranks = uncertainty.ranking(lined_up, shared, refusing=refusing if evidence.names_refusals else ())
    suites = [[_suite(subject, suite) for suite in subject.suites] for subject in lined_up]
    summaries = [
        replace(_summary(subject, result, evidence), standing=standing)
        for subject, result, standing in zip(lined_up, suites, ranks, strict=True)
    ]
    honeypots = honeypot_summaries(evidence)
    return Report(
        generator=GENERATOR,
        settings=_settings(evidence, options, expected),
        subjects=with_run_uplifts(with_uplifts(summaries, lined_up), lined_up, options.baseline_tier),
        tiers=tier_spreads(summaries),
        suites=tuple(summary for result in suites for summary in result),
        cases=tuple(case for subject in lined_up for case in _cases(subject, evidence)),
        warnings=(*honeypot_warnings(honeypots), *warnings_of(summaries, evidence, options)),
        frontier=frontier(lined_up, shared),
        integrity=integrity_counts(evidence),
        honeypots=honeypots,
        expects_refusal=refusing,
        also_at_k=also_at_k(lined_up, evidence, options),
    )


def _expects_refusal(lined_up: Sequence[SubjectCases], options: ReportOptions) -> tuple[tuple[str, str], ...]:
    """Return the suite and case of each case in which refusing is right."""
    kinds = options.expected_kinds.items()
    refusing = {case for case, kind in kinds if kind is Classification.REFUSAL}
    if not refusing:
        return ()
    cases = {(state.suite, state.case) for subject in lined_up for state in subject.states}
    return tuple(sorted(refusing & cases))


def _settings(
    evidence: Evidence, options: ReportOptions, expected: frozenset[ExpectedCase] | None
) -> Settings:
    return Settings(
        pass_k=options.ks,
        scoring=evidence.scoring,
        grade_scale=options.grade_scale,
        baseline_tier=options.baseline_tier,
        missing=options.missing,
        errors=options.errors,
        duplicates=options.duplicates,
        spread=options.spread,
        suite_weights={suite: float(weight) for suite, weight in sorted(options.suite_weights.items())},
        expected_from="cases seen in any subject" if expected is None else "a list of cases",
        level=options.level,
        stop_rule=options.stop_rule,
    )


def _summary(subject: SubjectCases, suites: Sequence[SuiteSummary], evidence: Evidence) -> SubjectSummary:
    whole, counted, rule = subject.total, subject.counted, stop_rule(subject.options.stop_rule)
    scores, pooled = cache(lambda: score_shares(counted, rule)), _rate(subject, counted)
    mean = figures.mean_score(counted, rule, scores)
    score = uncertainty.with_share_interval(mean, scores, subject, counted)
    latency = figures.mean_latency(whole)
    return SubjectSummary(
        model=subject.key.model,
        tier=subject.key.tier,
        coverage=subject.coverage,
        samples=whole.n,
        passed=whole.c,
        failures=figures.failures(whole),
        pass_at_k=_pass_at_ks(subject),
        pass_hat_k=_pass_hat_ks(subject),
        pass_rate=replace(pooled, intervals=()),
        score=score,
        overall=_overall(subject, suites, pooled),
        build_rate=figures.build_rate(whole, rule),
        test_pass_rate=figures.pass_rate_of_tests(subject.states, rule),
        untested_samples=whole.n_untested,
        unlinted_samples=whole.n_unlinted,
        spreads=figures.spreads(subject, evidence),
        grade=grade_of_cases(subject, score, scores),
        total_cost_usd=figures.total_cost(whole),
        unpriced_samples=whole.n_unpriced,
        cost_of_pass=uncertainty.with_cost_interval(figures.cost_of_pass(subject), subject),
        mean_latency_s=figures.estimate(latency, Reason.NOT_MEASURED),
        latency_p95_s=figures.latency_p95(subject, evidence),
        latency_score=_latency_score(latency, subject.options),
        expectation_met=_expectation_met(subject, subject.counted),
        tokens_in=whole.tokens_in_sum,
        tokens_out=whole.tokens_out_sum,
        flakiness=uncertainty.flakiness(subject),
        standing=None,
        uplift=None,
        runs=runs_summary(subject, evidence),
    )


def _pass_at_ks(subject: SubjectCases) -> tuple[AtK, ...]:
    result = {k: figures.mean_pass_at(subject, k) for k in subject.options.ks}
    add = uncertainty.with_pass_at_k_intervals
    return tuple(AtK(k=k, estimate=add(estimate, subject, k)) for k, estimate in result.items())


def _pass_hat_ks(subject: SubjectCases) -> tuple[AtK, ...]:
    result = {k: figures.mean_pass_hat(subject, k) for k in subject.options.ks}
    add = uncertainty.with_pass_hat_k_intervals
    return tuple(AtK(k=k, estimate=add(estimate, subject, k)) for k, estimate in result.items())


def _latency_score(latency: Fraction | None, options: ReportOptions) -> Estimate | None:
    if options.latency is None:
        return None
    if latency is None:
        return Estimate.undefined(Reason.NOT_MEASURED)
    bounds = options.latency
    return Estimate.of(float(latency_score(latency, good_s=bounds.good_s, bad_s=bounds.bad_s)))


def _suite(subject: SubjectCases, suite: str) -> SuiteSummary:
    states, whole = subject.suites[suite].states, subject.suites[suite].total
    rule = stop_rule(subject.options.stop_rule)
    return SuiteSummary(
        model=subject.key.model,
        tier=subject.key.tier,
        suite=suite,
        cases=len(states),
        samples=whole.n,
        passed=whole.c,
        failures=figures.failures(whole),
        accuracy=_rate(subject, states),
        score=figures.mean_score(states, rule),
        expectation_met=_expectation_met(subject, states),
    )


def _rate(subject: SubjectCases, states: Sequence[CaseState]) -> Estimate:
    """Return the pass rate of some cases with its interval."""
    rule = stop_rule(subject.options.stop_rule)
    shares = cache(lambda: pass_shares(states, rule))  # a case left open has none
    estimate = figures.mean_over_cases(states, shares, rule)
    return uncertainty.with_share_interval(estimate, shares, subject, states)


def _expectation_met(subject: SubjectCases, states: Sequence[CaseState]) -> Estimate | None:
    """Return the share of samples that ended as they should, or None where that is the accuracy."""
    kinds = subject.options.expected_kinds
    if not kinds or not any((state.suite, state.case) in kinds for state in states):
        return None
    rule = stop_rule(subject.options.stop_rule)
    classifications = [kinds.get((state.suite, state.case), Classification.PASS) for state in states]
    shares = cache(lambda: kind_shares(states, classifications, rule))
    estimate = figures.mean_over_cases(states, shares, rule)
    return uncertainty.with_share_interval(estimate, shares, subject, states)


def _overall(subject: SubjectCases, suites: Sequence[SuiteSummary], pooled: Estimate) -> OverallScore:
    accuracies = {summary.suite: summary.accuracy.value for summary in suites}
    weights = dict(subject.options.suite_weights)
    if any(summary.cases and summary.accuracy.value is None for summary in suites):
        undefined = left_open(subject.counted, stop_rule(subject.options.stop_rule)) or NO_EVIDENCE
        return OverallScore(macro=undefined, weighted=undefined if weights else None, pooled=undefined)
    macro = figures.estimate(overall_score(accuracies))
    weighted = figures.estimate(_weighted_mean(accuracies, weights)) if weights else None
    add = uncertainty.with_suites_interval
    return OverallScore(
        macro=add(macro, subject, weights=None),
        weighted=None if weighted is None else add(weighted, subject, weights=weights),
        pooled=pooled,
    )


def _weighted_mean(
    accuracies: Mapping[str, float | None], weights: Mapping[str, Fraction]
) -> Fraction | None:
    try:
        return overall_score(accuracies, weights)
    except DomainError as error:
        raise UserError(f"`suite_weight`: {error}; the suites are {', '.join(accuracies)}") from None


def _cases(subject: SubjectCases, evidence: Evidence) -> list[CaseSummary]:
    states, options = subject.states, subject.options
    if subject.missing:
        states = tuple(sorted((*states, *subject.missing)))
    at_ks = {
        (n, c): tuple(
            AtK(k=k, estimate=figures.estimate_pass_at(n, c, k, options.stop_rule)) for k in options.ks
        )
        for n, c in {(state.n, state.c) for state in states}
    }
    scores = _case_scores(states, stop_rule(options.stop_rule))
    named = evidence.names_refusals
    return [
        _case(state, at_ks[state.n, state.c], score, evidence, named=named)
        for state, score in zip(states, scores, strict=True)
    ]


def _case(
    state: CaseState, at_ks: tuple[AtK, ...], score: float | None, evidence: Evidence, *, named: bool
) -> CaseSummary:
    repeats = evidence.repeats.get(state.key, Repeats())
    return CaseSummary(
        model=state.model,
        tier=state.tier,
        suite=state.suite,
        case=state.case,
        digest=state.digest,
        n=state.n,
        c=state.c,
        errored=state.n_error,
        missing=state.is_missing,
        pass_at_k=at_ks,
        mean_score=score,
        score_n=state.score_n,
        score_sum_micro=state.score_sum,
        score_sq_micro=state.score_sq,
        cost_usd=state.cost_sum / NANO_USD if state.cost_n else None,
        mean_latency_s=state.latency_sum / (state.latency_n * MICROSECONDS) if state.latency_n else None,
        refused=state.n_refusal if named else None,
        timed=state.latency_n,
        priced=state.cost_n,
        repeats=repeats.samples,
        repeats_passed=repeats.passed,
        cluster=evidence.clusters.get((state.suite, state.case), ""),
    )


def _case_scores(states: Sequence[CaseState], rule: StopRule | None) -> list[float | None]:
    """Return the mean score of each case; under a stop rule only if every sample has one."""
    if rule is None:
        return [
            case_state.score_sum / (case_state.score_n * MICRO_POINTS) if case_state.score_n else None
            for case_state in states
        ]
    return [_stopped_score(state, rule) for state in states]


def _stopped_score(state: CaseState, rule: StopRule) -> float | None:
    if not state.score_n or state.score_n != state.n or left_open([state], rule):
        return None
    part, whole = score_share(state, rule)
    return part / whole
