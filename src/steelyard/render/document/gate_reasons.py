"""Say in words why a gate decided as it did, for one pair of subjects."""

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
    """Return what a verdict on a single pair means, as the sentence after the verdict."""
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
    """Return the grounds, each as a sentence."""
    if subject.requirement is not None:
        yield requirement_reason(subject, subject.requirement)
        return
    for ground in subject.decision.grounds:
        yield _reason(ground, subject, gate)
    evidence = subject.decision.evidence
    is_open = Ground.TO_BE_CONFIRMED in subject.decision.grounds
    if gate.is_confirmed and subject.decision.verdict is not Verdict.FAIL and not is_open:
        yield ("the cases resampled do not show a drop of their own",)
    elif subject.decision.grounds == (Ground.BROKEN_CASES,) and not gate.is_confirmed:
        alone = ", which by itself does not fail the gate" if (evidence.drop or 0) > 0 else ""
        yield (f"{_seen(evidence)}{alone}{_p(evidence, gate)}",)


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
            together = "several cases fell more than noise explains together"
            return (f"{_seen(evidence)}; {together}{_joint(evidence)}",)
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
                "; generate more samples of them, or look at them",
            )
        case Ground.TOO_FEW_SAMPLES:
            return (_too_few(evidence, gate),)
        case Ground.DEPENDENT_SAMPLES:
            return (_dependent(evidence),)
        case Ground.TOO_MANY_ERRORS:
            allowed = f"more than the {level(rule.max_error_share)} that are allowed"
            share = f"{level(round(evidence.error_share, 3))} of a report's samples"
            return (f"{share} ended in infrastructure errors, {allowed}; run those again first",)
        case Ground.TO_BE_CONFIRMED:
            return (f"{_within(evidence, gate)}; some cases still lack fresh samples",)
        case Ground.MISSING_CASES:
            judged = f"{_seen(evidence)} among those both reports have; {_largest(evidence, rule)}"
            return (f"{judged}; run the missing cases, or pass without them by --allow-missing",)
        case Ground.UNFINISHED:
            judged = f"{_seen(evidence)} among the samples that are there; {_largest(evidence, rule)}"
            return (f"{judged}; finish the run, or pass without the rest by --allow-missing",)
    return ("no case has evidence in both reports",)


def _overall(evidence: GateEvidence, gate: GateReport) -> str:
    if gate.is_sequential:
        bound = "the pairs of all rounds are beyond the bound for stopping here"
        return f"{_in_round(gate)}{_seen(evidence)}; {bound}"
    p = evidence.p_overall
    chance = f"{once_in(p)} comparisons ({p_value(p)})" if p is not None else "rarely"
    if gate.is_confirmed:  # the drop is that of the first stage, the chance may be that of the second
        return f"taken together the cases dropped; without any change that happens {chance}"
    return f"{_seen(evidence)}{_but(evidence.drop)}; without any change that happens {chance}"


def _dependent(evidence: GateEvidence) -> str:
    both = "some cases fell and others rose, both beyond what independent samples explain"
    return f"{_seen(evidence)}; {both}; store answers, or compare one sample of each case"


def _joint(evidence: GateEvidence) -> str:
    return "" if evidence.p_joint is None else f" ({p_value(evidence.p_joint)})"


def _but(drop: float | None) -> str:
    """Return why a test may see a drop that the mean over cases has not: it weighs cases by their samples."""
    return "" if (drop or 0) > 0 else ", yet it fell in the cases with most samples"


def _broken(subject: SubjectGate, gate: GateReport) -> Sentence:
    names = _names(subject.broken_cases)
    if gate.is_confirmed:
        return ("the fresh samples confirm a drop of ", *names)
    p = subject.decision.evidence.p_joint
    looked_at = f", even though {counted(subject.decision.evidence.cases, 'case')} were looked at"
    looked_at += "" if p is None else f" ({p_value(p)})"
    return ("noise does not explain the drop of ", *names, looked_at)


def _within(evidence: GateEvidence, gate: GateReport) -> str:
    if gate.is_sequential:  # the pairs of all rounds decided, not the samples of the last one
        margin = size_in_points(gate.rule.margin)
        return (
            f"{_in_round(gate)}{_seen_of_both(evidence)}; the pairs of all rounds rule out a drop of {margin}"
        )
    return f"{_seen(evidence)}{_p(evidence, gate)}; {_largest(evidence, gate.rule)}"


def _not_ruled_out(evidence: GateEvidence, gate: GateReport) -> str:
    margin = size_in_points(gate.rule.margin)
    end = f"going on would hardly show a drop, but one of {margin} is not ruled out"
    return f"{_in_round(gate)}{_seen_of_both(evidence)}; {end}"


def _too_few(evidence: GateEvidence, gate: GateReport) -> str:
    if gate.is_sequential:
        seen = f"{_in_round(gate)}{_seen_of_both(evidence)}"
        return f"{seen}; that decides nothing yet, so generate the next samples and look again"
    seen = f"{_seen(evidence)}{_p(evidence, gate)}"
    requested = counted(evidence.more_samples or 0, "more sample")
    decide = f"; about {requested} per case in both runs would decide" if evidence.more_samples else ""
    return f"{seen}; {_largest(evidence, gate.rule)}{decide}"


def _in_round(gate: GateReport) -> str:
    """Say that a change of the mean is that of the last round, where the pairs of all rounds decide."""
    return "in this round, " if gate.is_sequential else ""


def _seen(evidence: GateEvidence) -> str:
    """Return what happened to the mean, whatever it means."""
    return _moved("pass rate", evidence.drop, evidence)


def _seen_of_both(evidence: GateEvidence) -> str:
    """Return what happened to the mean of the passes, and to that of the scores where they say more."""
    score = evidence.score_drop
    return _seen(evidence) + ("" if score is None else f" and the mean score {_motion(score)}")


def _moved(what: str, drop: float | None, evidence: GateEvidence) -> str:
    return f"over {counted(evidence.cases, 'case')} the {what} {_motion(drop)}"


def _motion(drop: float | None) -> str:
    if not drop:
        return "did not change"
    return f"{'fell' if drop > 0 else 'rose'} by {size_in_points(drop)}"


def _p(evidence: GateEvidence, gate: GateReport) -> str:
    """Return the p-value, which holds for a single look only."""
    if evidence.p_overall is None or gate.is_sequential:
        return ""
    return f" ({p_value(evidence.p_overall)})"


def _score(evidence: GateEvidence, gate: GateReport) -> str:
    """Return what happened to the mean score, and how often noise does that."""
    p, drop = evidence.p_score, evidence.score_drop
    if gate.is_sequential:
        return f"{_moved('mean score', drop, evidence)}, beyond the bound for stopping here"
    chance = (
        f"; without any change that happens {once_in(p)} comparisons ({p_value(p)})" if p is not None else ""
    )
    return f"{_moved('mean score', drop, evidence)}{_but(drop)}{chance}"


def _largest(evidence: GateEvidence, rule: GateRule) -> str:
    """Return how far the passes may have dropped, and the scores where they say more."""
    passes, scores = evidence.largest_plausible_drop, evidence.largest_plausible_score_drop
    missing = counted(evidence.missing_samples, "missing sample")
    at_worst = f", taking {missing} at their worst" if evidence.missing_samples else ""
    if scores is None:
        return f"{_plausible('drop', passes, rule)}{at_worst}"
    of_passes = _plausible("drop of the pass rate", passes, rule)
    return f"{of_passes}; {_plausible('drop of the score', scores, rule)}{at_worst}"


def _plausible(what: str, largest: float | None, rule: GateRule) -> str:
    if largest is None:
        return f"how large a {what} is plausible is unknown"
    margin = size_in_points(rule.margin)
    if largest <= 0:
        return f"a {what} is not plausible, let alone one of the margin of {margin}"
    order = "below" if largest < rule.margin else "above" if largest > rule.margin else "at"
    size = size_in_points(largest, beside=rule.margin)
    return f"the largest plausible {what} is {size}, {order} the margin of {margin}"


def _names(cases: Sequence[CaseRef]) -> Sentence:
    return listed([(Name(case.case),) for case in cases], limit=CASES_NAMED)
