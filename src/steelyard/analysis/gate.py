"""Decide over two finished reports whether the current one has become worse, by a policy if there is one.

The decisions are made in `metrics/gates.py` and `metrics/requirements.py`; here names take the place of rows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from steelyard.analysis.detection import detection
from steelyard.analysis.gate_report import DEFAULT_RULE, GatePairs, overall, subject_gate
from steelyard.analysis.pairing import Pairing, ref
from steelyard.analysis.policy import Known, decide_requirement
from steelyard.metrics.gates import decide_once
from steelyard.model.gate import CriticalCase, GateForm, GateReport, SubjectGate
from steelyard.model.policy import GatePolicy, Metric
from steelyard.model.report import CaseSummary, Report
from steelyard.model.verdict import GateDecision, GateRule, Verdict

NO_POLICY = GatePolicy()


def gate_reports(
    baseline: Report,
    current: Report,
    *,
    rule: GateRule = DEFAULT_RULE,
    policy: GatePolicy = NO_POLICY,
    sharing: int = 1,
) -> GateReport:
    """Decide once over two finished reports: passes and scores, or all that a policy requires.

    Alpha is split evenly over the requirements of all pairs of subjects, or over `sharing` tests if those are
    more, so that all of them together raise a false alarm at most at the rate alpha. A critical case is no
    test: one failed sample is a fail.
    """
    pairs = GatePairs.of(baseline, current, rule)
    pairs = replace(pairs, tests=max(sharing, count_tests(pairs.pairings.pairs, policy)))
    report = pairs.report(list(_decisions(pairs, policy)), form=GateForm.ONE_SHOT)
    expects = frozenset(current.expects_refusal)
    critical = [_critical(case, expects) for case in current.cases if _names(case) & set(policy.critical)]
    named = set().union(*(_names(case) for case in current.cases))
    unknown = tuple(name for name in policy.critical if name not in named)
    verdicts = [report.verdict, *(case.verdict for case in critical)]
    return replace(
        report,
        verdict=overall([*verdicts, Verdict.INCONCLUSIVE] if unknown else verdicts),
        critical_cases=tuple(critical),
        unknown_critical=unknown,
        not_judged=_not_judged(pairs.pairings.pairs, policy),
    )


def count_tests(pairs: Sequence[Pairing], policy: GatePolicy) -> int:
    """Return how many tests a policy makes: its requirements, for each pair of subjects."""
    return len(pairs) * max(1, len(policy.requirements))


def _decisions(pairs: GatePairs, policy: GatePolicy) -> Iterator[SubjectGate]:
    if not policy.requirements:
        yield from (_decide_pair(pairing, pairs.share) for pairing in pairs.pairings.pairs)
        return
    known = Known.of(pairs.baseline, pairs.current)
    for pairing in pairs.pairings.pairs:
        for required in policy.requirements:
            margin = pairs.rule.margin if required.margin is None else required.margin
            yield decide_requirement(pairing, replace(required, margin=margin), pairs.share, known)


def _decide_pair(pairing: Pairing, rule: GateRule) -> SubjectGate:
    """Decide once on the passes and scores of a pair."""
    return subject_gate(pairing, _with_detection(decide_once(pairing.runs(), rule=rule), pairing, rule))


def _with_detection(decision: GateDecision, pairing: Pairing, rule: GateRule) -> GateDecision:
    """Add what the gate would have seen, where it compared two runs and saw nothing."""
    evidence = decision.evidence
    if decision.verdict is Verdict.FAIL or evidence.p_joint is None or pairing.clusters is not None:
        return decision
    chances = detection(pairing, p_score=evidence.p_score, drop=rule.margin, alpha=rule.alpha)
    return replace(decision, evidence=replace(evidence, detection=chances))


def _not_judged(pairs: Sequence[Pairing], policy: GatePolicy) -> tuple[Metric, ...]:
    """Return which of passes and scores no requirement is about; without a policy both are judged."""
    required = {requirement.metric for requirement in policy.requirements}
    if not required:
        return ()
    there = (Metric.PASS, Metric.SCORE) if any(pair.runs().scores for pair in pairs) else (Metric.PASS,)
    return tuple(metric for metric in there if metric not in required)


def _names(case: CaseSummary) -> set[str]:
    return {case.case, f"{case.suite}/{case.case}"}


def _critical(case: CaseSummary, expects_refusal: frozenset[tuple[str, str]]) -> CriticalCase:
    failed = case.n - case.right(expects_refusal)
    is_open = case.errored or not case.n
    verdict = Verdict.FAIL if failed else Verdict.INCONCLUSIVE if is_open else Verdict.PASS
    return CriticalCase(case=ref(case), verdict=verdict, samples=case.n, failed=failed, errored=case.errored)
