"""Judge two reports by a policy: every requirement for every pair of subjects, with one error over all.

What each requirement is judged by is in `metrics/gates.py` and `metrics/requirements.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

from steelyard.analysis.gate import (
    gate_by,
    gate_reports,
    one_shot,
    overall,
    subject_gate,
    with_errors_apart,
)
from steelyard.analysis.pairing import PairedCase, Pairing, pair_reports, ref
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.gates import judge_once
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.metrics.requirements import judge_amounts, judge_scores, not_alike, not_measured, not_there
from steelyard.model.comparison import PairedSubject
from steelyard.model.gate import CriticalCase, GateForm, GateReport, SubjectGate
from steelyard.model.policy import GatePolicy, Metric, Requirement
from steelyard.model.report import CaseSummary, Report
from steelyard.model.verdict import GateDecision, GateRule, Verdict

Names = set[tuple[str, str]]

MOST_ALIKE = 1.25  # times as many samples of a case in one run as in the other


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """Which subjects lack some costs, and in which cases refusing is right.

    `apart` has the pairs with all errors as missing samples: an error is neither an answer nor a refusal,
    also where it counts as a failure.
    """

    unpriced: Names
    expects_refusal: Names
    apart: Mapping[PairedSubject, Pairing]


def judge_finished(baseline: Report, current: Report, policy: GatePolicy, *, rule: GateRule) -> GateReport:
    """Judge two finished reports once, by a policy if there is one."""
    if policy.is_empty:
        return gate_reports(baseline, current, rule=rule)
    return gate_by_policy(baseline, current, policy, rule=rule)


def count_tests(pairs: Sequence[Pairing], policy: GatePolicy) -> int:
    """Return how many tests a policy makes: its requirements, for each pair of subjects."""
    return len(pairs) * max(1, len(policy.requirements))


def gate_by_policy(
    baseline: Report, current: Report, policy: GatePolicy, *, rule: GateRule, sharing: int = 1
) -> GateReport:
    """Judge two finished reports once, by all that a policy requires.

    Alpha is split evenly over the requirements of all pairs of subjects, or over `sharing` tests if those are
    more, so that all of them together raise a false alarm at most at the rate alpha. A critical case is no
    test: one failed sample is a fail.
    """
    policy = _with_margins(policy, rule)
    known = _Known(
        unpriced=_unpriced(baseline) | _unpriced(current),
        expects_refusal={*baseline.expects_refusal, *current.expects_refusal},
        apart={
            one.subject: one
            for one in pair_reports(with_errors_apart(baseline), with_errors_apart(current)).pairs
        },
    )

    def judge(pairing: Pairing, share: GateRule) -> Sequence[SubjectGate]:
        if not policy.requirements:
            return [one_shot(pairing, share)]
        return [_judge(pairing, required, share, known) for required in policy.requirements]

    pairs = pair_reports(baseline, current).pairs
    tests = max(sharing, count_tests(pairs, policy))
    found = gate_by(baseline, current, rule, judge, form=GateForm.ONE_SHOT, sharing=tests)
    expects = frozenset(current.expects_refusal)
    critical = [_critical(case, expects) for case in current.cases if _names(case) & set(policy.critical)]
    named = set().union(*(_names(case) for case in current.cases))
    unknown = tuple(name for name in policy.critical if name not in named)
    verdicts = [found.verdict, *(one.verdict for one in critical)]
    return replace(
        found,
        verdict=overall([*verdicts, Verdict.INCONCLUSIVE] if unknown else verdicts),
        critical_cases=tuple(critical),
        unknown_critical=unknown,
        not_judged=_not_judged(pairs, policy),
    )


def _not_judged(pairs: Sequence[Pairing], policy: GatePolicy) -> tuple[Metric, ...]:
    """Return which of passes and scores no requirement is about; without a policy both are judged."""
    required = {one.metric for one in policy.requirements}
    if not required:
        return ()
    there = (Metric.PASS, Metric.SCORE) if any(one.runs().scores for one in pairs) else (Metric.PASS,)
    return tuple(metric for metric in there if metric not in required)


def _with_margins(policy: GatePolicy, rule: GateRule) -> GatePolicy:
    """Return the policy with the margin of the rule where a requirement has none of its own."""
    own = (
        replace(one, margin=rule.margin if one.margin is None else one.margin) for one in policy.requirements
    )
    return replace(policy, requirements=tuple(own))


def _judge(pairing: Pairing, required: Requirement, share: GateRule, known: _Known) -> SubjectGate:
    if required.metric is Metric.REFUSALS:
        pairing = known.apart[pairing.subject]
    part = _part(pairing, required, known.expects_refusal)
    margin = share.margin if required.margin is None else required.margin
    rule = share if required.metric.is_relative else replace(share, margin=margin)
    judged = {pair.current.suite for pair in part.cases}
    if set(required.suites) <= judged:
        decision = _decision(part, required, rule, known.unpriced)
    else:
        decision = not_there(part.runs())
    found = replace(subject_gate(part, decision), requirement=required)
    # The cases are named by their passes, which are not what other requirements are about.
    return found if required.metric is Metric.PASS else replace(found, carried_by=())


def _decision(pairing: Pairing, required: Requirement, rule: GateRule, unpriced: Names) -> GateDecision:
    runs = pairing.runs()
    match required.metric:
        case Metric.PASS:
            return judge_once(replace(runs, scores=None), rule=rule)
        case Metric.SCORE:
            return judge_scores(runs, rule=rule)
        case Metric.REFUSALS:
            answered = _answered(pairing, runs)
            return not_measured(runs) if answered is None else judge_once(answered, rule=rule)
    names = pairing.subject.baseline_model, pairing.subject.baseline_tier
    others = pairing.subject.current_model, pairing.subject.current_tier
    is_cost = required.metric is Metric.COST
    before, after = (
        _amounts([pair.baseline for pair in pairing.cases], is_cost=is_cost),
        _amounts([pair.current for pair in pairing.cases], is_cost=is_cost),
    )
    if before is None or after is None or (is_cost and unpriced & {names, others}):
        return not_measured(runs)
    alike = [_is_alike(pair, is_cost=is_cost) for pair in pairing.cases]
    if alike.count(False) > rule.max_error_share * len(alike):
        return not_alike(runs)
    margin = rule.margin if required.margin is None else required.margin
    old, new = list(compress(before, alike)), list(compress(after, alike))
    return judge_amounts(runs, old, new, margin=margin, rule=rule)


def _part(pairing: Pairing, required: Requirement, expects_refusal: Names) -> Pairing:
    """Return the cases that a requirement is about: of refusals, those in which refusing is not right."""
    right = expects_refusal if required.metric is Metric.REFUSALS else set()

    def concerned(pairs: Sequence[PairedCase]) -> tuple[PairedCase, ...]:
        sides = [
            (pair, pair.current) for pair in pairs if (pair.current.suite, pair.current.case) not in right
        ]
        return tuple(pair for pair, case in sides if not required.suites or case.suite in required.suites)

    return replace(pairing, cases=concerned(pairing.cases), lost=concerned(pairing.lost))


def _answered(pairing: Pairing, runs: PairedRuns) -> PairedRuns | None:
    """Return runs in which every sample passes that is no refusal; None where refusals are not known."""
    sides = [pair.baseline for pair in pairing.cases], [pair.current for pair in pairing.cases]
    if any(case.refused is None for side in sides for case in side):
        return None
    before, after = (
        CaseCounts.of(n=[case.n for case in side], c=[case.n - (case.refused or 0) for case in side])
        for side in sides
    )
    return replace(runs, baseline=before, current=after, scores=None)


def _is_alike(pair: PairedCase, *, is_cost: bool) -> bool:
    """Whether both means are of about equally many samples: amounts are skewed, and so is a mean of few.

    Ten against one, unchanged costs rise in up to 27 of 100 comparisons; five against four in 5.
    """
    one, other = (_priced(case) if is_cost else case.timed for case in (pair.baseline, pair.current))
    return bool(one and other and max(one, other) <= MOST_ALIKE * min(one, other))


def _amounts(cases: Sequence[CaseSummary], *, is_cost: bool) -> list[float] | None:
    """Return what a sample of each case costs or takes on average; None where that is not known of all."""
    if not is_cost and any(case.timed is None or case.timed < case.n for case in cases):
        return None
    found = [_mean_cost(case) if is_cost else case.mean_latency_s for case in cases]
    known = [amount for amount in found if amount is not None]
    return known if len(known) == len(found) else None


def _mean_cost(case: CaseSummary) -> float | None:
    """Return what a sample costs; earlier reports do not say how many errored samples had a price."""
    priced = _priced(case)
    return None if case.cost_usd is None or not priced else case.cost_usd / priced


def _priced(case: CaseSummary) -> int | None:
    return case.n if case.priced is None and not case.errored else case.priced


def _unpriced(report: Report) -> Names:
    return {(one.model, one.tier) for one in report.subjects if one.unpriced_samples}


def _names(case: CaseSummary) -> set[str]:
    return {case.case, f"{case.suite}/{case.case}"}


def _critical(case: CaseSummary, expects_refusal: frozenset[tuple[str, str]]) -> CriticalCase:
    failed = case.n - case.right(expects_refusal)
    is_open = case.errored or not case.n
    verdict = Verdict.FAIL if failed else Verdict.INCONCLUSIVE if is_open else Verdict.PASS
    return CriticalCase(case=ref(case), verdict=verdict, samples=case.n, failed=failed, errored=case.errored)
