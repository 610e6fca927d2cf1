"""Decide on one requirement of a policy for one pair of subjects.

What each requirement is decided by is in `metrics/gates.py` and `metrics/requirements.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

from steelyard.analysis.case_counts import case_clusters
from steelyard.analysis.gate_report import subject_gate, with_errors_apart
from steelyard.analysis.pairing import PairedCase, Pairing, pair_reports
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.clusters import cluster_totals
from steelyard.metrics.gates import decide_once
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.metrics.requirements import decide_amounts, decide_scores, not_alike, not_measured, not_there
from steelyard.model.comparison import PairedSubject
from steelyard.model.gate import SubjectGate
from steelyard.model.policy import Metric, Requirement
from steelyard.model.report import CaseSummary, Report
from steelyard.model.verdict import GateDecision, GateRule

Names = set[tuple[str, str]]

MOST_ALIKE = 1.25  # times as many samples of a case in one run as in the other


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Which subjects lack some costs, and in which cases refusing is right.

    `apart` has the pairs with all errors as missing samples: an error is neither an answer nor a refusal,
    also where it counts as a failure.
    """

    unpriced: Names
    expects_refusal: Names
    apart: Mapping[PairedSubject, Pairing]

    @classmethod
    def of(cls, baseline: Report, current: Report) -> "Known":
        """Look these up in two reports."""
        apart = pair_reports(with_errors_apart(baseline), with_errors_apart(current)).pairs
        return cls(
            unpriced=_unpriced(baseline) | _unpriced(current),
            expects_refusal={*baseline.expects_refusal, *current.expects_refusal},
            apart={pairing.subject: pairing for pairing in apart},
        )


def decide_requirement(pairing: Pairing, required: Requirement, share: GateRule, known: Known) -> SubjectGate:
    """Decide on one requirement, which has a margin."""
    if required.metric is Metric.REFUSALS:
        pairing = known.apart[pairing.subject]
    part = _part(pairing, required, known.expects_refusal)
    margin = share.margin if required.margin is None else required.margin
    rule = share if required.metric.is_relative else replace(share, margin=margin)
    suites = {pair.current.suite for pair in part.cases}
    if set(required.suites) <= suites:
        decision = _decision(part, required, rule, known.unpriced)
    else:
        decision = not_there(part.runs())
    gate = replace(subject_gate(part, decision), requirement=required)
    # The cases are named by their passes, which are not what other requirements are about.
    return gate if required.metric is Metric.PASS else replace(gate, carried_by=())


def _decision(pairing: Pairing, required: Requirement, rule: GateRule, unpriced: Names) -> GateDecision:
    runs = pairing.runs()
    match required.metric:
        case Metric.PASS:
            return decide_once(replace(runs, scores=None), rule=rule)
        case Metric.SCORE:
            return decide_scores(runs, rule=rule)
        case Metric.REFUSALS:
            answered = _answered(pairing, runs)
            return not_measured(runs) if answered is None else decide_once(answered, rule=rule)
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
    clusters = case_clusters(list(compress(pairing.current, alike)))
    old, new = (cluster_totals(list(compress(amounts, alike)), clusters) for amounts in (before, after))
    return decide_amounts(runs, old, new, margin=margin, rule=rule)


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
    item, other = (_priced(case) if is_cost else case.timed for case in (pair.baseline, pair.current))
    return bool(item and other and max(item, other) <= MOST_ALIKE * min(item, other))


def _amounts(cases: Sequence[CaseSummary], *, is_cost: bool) -> list[float] | None:
    """Return what a sample of each case costs or takes on average; None where that is not known of all."""
    if not is_cost and any(case.timed is None or case.timed < case.n for case in cases):
        return None
    result = [_mean_cost(case) if is_cost else case.mean_latency_s for case in cases]
    known = [amount for amount in result if amount is not None]
    return known if len(known) == len(result) else None


def _mean_cost(case: CaseSummary) -> float | None:
    """Return what a sample costs; earlier reports do not say how many errored samples had a price."""
    priced = _priced(case)
    return None if case.cost_usd is None or not priced else case.cost_usd / priced


def _priced(case: CaseSummary) -> int | None:
    return case.n if case.priced is None and not case.errored else case.priced


def _unpriced(report: Report) -> Names:
    return {(subject.model, subject.tier) for subject in report.subjects if subject.unpriced_samples}
