"""Word the grounds of a gate's decision for one pair of subjects."""

from collections.abc import Iterator, Sequence

from steelyard.model.comparison import CaseRef
from steelyard.model.gate import GateReport, SubjectGate
from steelyard.model.verdict import GateEvidence, GateRule, Ground, Verdict
from steelyard.render.document.blocks import Name, Piece, listed
from steelyard.render.document.pair_labels import PairLabels
from steelyard.render.document.requirements import requirement_name, requirement_reason
from steelyard.render.document.result_sentence import sentence_of_gate
from steelyard.render.numbers import level, once_in, p_value, size_in_points
from steelyard.render.words import counted

CASES_NAMED = 10

Sentence = tuple[Piece, ...]


def headline(subject: SubjectGate, labels: PairLabels, rule: GateRule) -> Sentence:
    """Return the meaning of a verdict on one pair."""
    if subject.requirement is None:
        return sentence_of_gate(subject, labels, rule.margin)
    ends = {Verdict.PASS: "is met", Verdict.FAIL: "is not met"}
    end = ends.get(subject.decision.verdict, "is not shown to be met")
    return (
        "the requirement on the ",
        *requirement_name(subject.requirement, labels.pair(subject.pair)),
        f" {end}",
    )


def reasons(subject: SubjectGate, gate: GateReport) -> Iterator[Sentence]:
    """Yield the grounds, each as a sentence."""
    if subject.requirement is not None:
        yield requirement_reason(subject, subject.requirement)
        return
    for ground in subject.decision.grounds:
        yield _reason(ground, subject, gate)
    evidence = subject.decision.evidence
    is_open = Ground.TO_BE_CONFIRMED in subject.decision.grounds
    if gate.is_confirmed and subject.decision.verdict is not Verdict.FAIL and not is_open:
        yield ("the resampled cases show no drop",)
    elif subject.decision.grounds == (Ground.BROKEN_CASES,) and not gate.is_confirmed:
        alone = ", which alone does not fail the gate" if (evidence.drop or 0) > 0 else ""
        yield (f"{_change(evidence)}{alone}{_p(evidence, gate)}",)


def _reason(  # noqa: C901, PLR0911, PLR0912  # a sentence for each ground
    ground: Ground, subject: SubjectGate, gate: GateReport
) -> Sentence:
    evidence, rule = subject.decision.evidence, gate.rule
    match ground:
        case Ground.OVERALL_DROP:
            return (_overall(evidence, gate),)
        case Ground.BROKEN_CASES:
            return _broken(subject, gate)
        case Ground.SEVERAL_CASES:
            together = "together, several cases fell more than noise explains"
            return (f"{_change(evidence)}; {together}{_joint(evidence)}",)
        case Ground.SCORE_DROP:
            return (_score(evidence, gate),)
        case Ground.WITHIN_MARGIN:
            return (_within(evidence, gate),)
        case Ground.NOT_RULED_OUT:
            return (_not_ruled_out(evidence, gate),)
        case Ground.CASES_STAND_OUT:
            names = _names(subject.standing_out)
            return (
                "noise hardly explains the drop of ",
                *names,
                "; inspect them, or generate more samples",
            )
        case Ground.TOO_FEW_SAMPLES:
            return (_too_few(evidence, gate),)
        case Ground.DEPENDENT_SAMPLES:
            return (_dependent(evidence),)
        case Ground.TOO_MANY_ERRORS:
            allowed = f"more than the allowed {level(rule.max_error_share)}"
            share = f"{level(round(evidence.error_share, 3))} of a report's samples"
            return (f"{share} ended in infrastructure errors, {allowed}; rerun these first",)
        case Ground.TO_BE_CONFIRMED:
            return (f"{_within(evidence, gate)}; some cases still lack fresh samples",)
        case Ground.MISSING_CASES:
            shared = f"{_change(evidence)} in both reports; {_largest(evidence, rule)}"
            return (f"{shared}; run the missing cases, or accept the gap with --allow-missing",)
        case Ground.UNFINISHED:
            so_far = f"{_change(evidence)} so far; {_largest(evidence, rule)}"
            return (f"{so_far}; finish the run, or accept the gap with --allow-missing",)
    return ("no case has evidence in both reports",)


def _overall(evidence: GateEvidence, gate: GateReport) -> str:
    if gate.is_sequential:
        beyond = "the pairs of all rounds are beyond the bound for stopping here"
        return f"{_in_round(gate)}{_change(evidence)}; {beyond}"
    p = evidence.p_overall
    chance = _false_alarm(p, "rarely occur")
    if gate.is_confirmed:  # the drop is from the first stage; p may be from the second
        return f"taken together the cases dropped{chance}"
    return f"{_change(evidence)}{_but(evidence.drop)}{chance}"


def _false_alarm(p: float | None, otherwise: str) -> str:
    """Return how often so large a drop occurs by chance."""
    often = f"occur {once_in(p)} comparisons ({p_value(p)})" if p is not None else otherwise
    return f"; if nothing had changed, a drop this large would {often}" if often else ""


def _dependent(evidence: GateEvidence) -> str:
    both = "some cases fell and others rose, both more than independent samples explain"
    return f"{_change(evidence)}; {both}; store the answers, or compare one sample of each case"


def _joint(evidence: GateEvidence) -> str:
    return "" if evidence.p_joint is None else f" ({p_value(evidence.p_joint)})"


def _but(drop: float | None) -> str:
    """Explain a drop that the mean over cases does not show: the test weights cases by samples."""
    return "" if (drop or 0) > 0 else ", yet it fell in the cases with most samples"


def _broken(subject: SubjectGate, gate: GateReport) -> Sentence:
    names = _names(subject.broken_cases)
    if gate.is_confirmed:
        return ("the fresh samples confirm a drop of ", *names)
    p = subject.decision.evidence.p_joint
    corrected = f", even among {counted(subject.decision.evidence.cases, 'case')}"
    corrected += "" if p is None else f" ({p_value(p)})"
    return ("noise does not explain the drop of ", *names, corrected)


def _within(evidence: GateEvidence, gate: GateReport) -> str:
    if gate.is_sequential:  # pairs of all rounds decide, not the samples of the last one
        margin = size_in_points(gate.rule.margin)
        return f"{_in_round(gate)}{_changes(evidence)}; the pairs of all rounds rule out a drop of {margin}"
    return f"{_change(evidence)}{_p(evidence, gate)}; {_largest(evidence, gate.rule)}"


def _not_ruled_out(evidence: GateEvidence, gate: GateReport) -> str:
    margin = size_in_points(gate.rule.margin)
    end = f"more samples would hardly show a drop, but one of {margin} is not ruled out"
    return f"{_in_round(gate)}{_changes(evidence)}; {end}"


def _too_few(evidence: GateEvidence, gate: GateReport) -> str:
    if gate.is_sequential:
        change = f"{_in_round(gate)}{_changes(evidence)}"
        return f"{change}; not enough to decide: generate the next samples and run the gate again"
    change = f"{_change(evidence)}{_p(evidence, gate)}"
    requested = counted(evidence.more_samples or 0, "more sample")
    decide = f"; about {requested} per case in both runs would decide" if evidence.more_samples else ""
    return f"{change}; {_largest(evidence, gate.rule)}{decide}"


def _in_round(gate: GateReport) -> str:
    """Return a prefix if the change of the mean is only that of the last round."""
    return "in this round, " if gate.is_sequential else ""


def _change(evidence: GateEvidence) -> str:
    """Return the change of the mean pass rate."""
    return _moved("pass rate", evidence.drop, evidence)


def _changes(evidence: GateEvidence) -> str:
    """Return the change of the pass rate, and of the score where it differs."""
    score = evidence.score_drop
    return _change(evidence) + ("" if score is None else f" and the mean score {_motion(score)}")


def _moved(what: str, drop: float | None, evidence: GateEvidence) -> str:
    return f"over {counted(evidence.cases, 'case')} the {what} {_motion(drop)}"


def _motion(drop: float | None) -> str:
    if not drop:
        return "did not change"
    return f"{'fell' if drop > 0 else 'rose'} by {size_in_points(drop)}"


def _p(evidence: GateEvidence, gate: GateReport) -> str:
    """Return the p-value, which is valid for a single test only."""
    if evidence.p_overall is None or gate.is_sequential:
        return ""
    return f" ({p_value(evidence.p_overall)})"


def _score(evidence: GateEvidence, gate: GateReport) -> str:
    """Return the change of the mean score, and how often chance explains it."""
    p, drop = evidence.p_score, evidence.score_drop
    if gate.is_sequential:
        return f"{_moved('mean score', drop, evidence)}, beyond the bound for stopping here"
    return f"{_moved('mean score', drop, evidence)}{_but(drop)}{_false_alarm(p, '')}"


def _largest(evidence: GateEvidence, rule: GateRule) -> str:
    """Return the largest plausible drop of the pass rate, and of the score where it differs."""
    passes, scores = evidence.largest_plausible_drop, evidence.largest_plausible_score_drop
    missing = counted(evidence.missing_samples, "missing sample")
    at_worst = f", assuming the worst for {missing}" if evidence.missing_samples else ""
    if scores is None:
        return f"{_plausible('drop', passes, rule)}{at_worst}"
    of_passes = _plausible("drop of the pass rate", passes, rule)
    return f"{of_passes}; {_plausible('drop of the score', scores, rule)}{at_worst}"


def _plausible(what: str, largest: float | None, rule: GateRule) -> str:
    if largest is None:
        return f"the largest plausible {what} is unknown"
    margin = size_in_points(rule.margin)
    if largest <= 0:
        return f"a {what} is not plausible; the margin is {margin}"
    order = "below" if largest < rule.margin else "above" if largest > rule.margin else "at"
    size = size_in_points(largest, beside=rule.margin)
    return f"the largest plausible {what} is {size}, {order} the margin of {margin}"


def _names(cases: Sequence[CaseRef]) -> Sentence:
    return listed([(Name(case.case),) for case in cases], limit=CASES_NAMED)
