"""Word the requirements of a policy and their results."""

from collections.abc import Iterator, Sequence

from steelyard.model.gate import CriticalCase, GateReport, SubjectGate
from steelyard.model.policy import Metric, Requirement
from steelyard.model.verdict import GateEvidence, Ground, Verdict
from steelyard.render.document.blocks import Name, Piece, TextLine, Tone, line, listed
from steelyard.render.numbers import level, p_value, percent, size_in_points
from steelyard.render.words import counted

CASES_NAMED = 10

Sentence = tuple[Piece, ...]

NOUNS = {
    Metric.PASS: "pass rate",
    Metric.SCORE: "score",
    Metric.COST: "cost",
    Metric.LATENCY: "latency",
    Metric.REFUSALS: "refusals",
}


def requirement_name(required: Requirement, subject: Sentence) -> Sentence:
    """Return metric, subject and suites of a requirement."""
    suites: Sentence = ()
    if required.suites:
        suites = (" in ", *listed([(Name(suite),) for suite in required.suites], limit=CASES_NAMED))
    return (f"{NOUNS[required.metric]} of ", *subject, *suites)


def decision_name(subject: SubjectGate, pair: Sentence, gate: GateReport) -> Sentence:
    """Return what a decision is about: a pair or requirement and, if there are several, the baseline."""
    name = pair if subject.requirement is None else requirement_name(subject.requirement, pair)
    if not gate.older_baselines:
        return name
    return (*name, " since ", "the baseline" if subject.since is None else Name(subject.since))


def requirement_reason(subject: SubjectGate, required: Requirement) -> Sentence:
    """Return the change of a required metric, and how much worse it may plausibly be."""
    evidence, noun = subject.decision.evidence, NOUNS[required.metric]
    if undecided := _undecided(subject.decision.grounds[:1], required, evidence):
        return (undecided,)
    cases = f"over {counted(evidence.cases, 'case')} the {noun} {_motion(required, evidence)}"
    text = f"{cases}{_p(required, evidence)}; {_plausible(required, evidence)}"
    broken = subject.broken_cases or subject.standing_out
    names = listed([(Name(case.case),) for case in broken], limit=CASES_NAMED)
    if broken and required.metric is Metric.PASS and (evidence.drop or 0) <= 0:
        # Overall the cases did not become worse: name the broken ones first.
        chance = "" if evidence.p_joint is None else f" ({p_value(evidence.p_joint)})"
        return ("noise does not explain the drop of ", *names, f"{chance}, though {cases}")
    return (text, "; beyond noise: ", *names) if broken else (text,)


def _undecided(  # noqa: PLR0911  # a sentence for each ground
    grounds: Sequence[Ground], required: Requirement, evidence: GateEvidence
) -> str | None:
    """Return why a requirement could not be decided; None if it was."""
    match grounds:
        case (Ground.TOO_MANY_ERRORS,):
            share = level(round(evidence.error_share, 3))
            return f"{share} of the samples of a report ended in infrastructure errors; rerun these first"
        case (Ground.UNFINISHED,):
            return "the run is not finished; it cannot pass before that"
        case (Ground.NO_SHARED_CASES,):
            where = " of one of these suites" if required.suites else ""
            wrong = " in which refusing is wrong" if required.metric is Metric.REFUSALS else ""
            return f"no case{where}{wrong} has evidence in both reports"
        case (Ground.NOT_MEASURED,) if required.metric is Metric.REFUSALS:
            return "refusals are unknown: some outcomes have no classification"
        case (Ground.NOT_MEASURED,):
            return f"the {NOUNS[required.metric]} is unknown for some samples"
        case (Ground.UNEQUAL_SAMPLES,):
            return "the numbers of samples per case differ too much; generate equally many in both runs"
    return None


def policy_verdict(gate: GateReport) -> str:
    """Return how many requirements, including critical cases, are met."""
    verdicts = [subject.decision.verdict for subject in gate.subjects]
    verdicts += [case.verdict for case in gate.critical_cases]
    verdicts += [Verdict.INCONCLUSIVE for _ in gate.unknown_critical]
    total, alike = len(verdicts), sum(verdict is gate.verdict for verdict in verdicts)
    if gate.verdict is Verdict.PASS:
        return "the requirement is met" if total == 1 else f"all {total:,} requirements are met"
    of = counted(total, "requirement")
    is_are = "is" if alike == 1 else "are"
    end = "not met" if gate.verdict is Verdict.FAIL else "not shown to be met"
    return f"{alike:,} of {of} {is_are} {end}" if alike else "the current report lacks what its baseline has"


def critical_lines(gate: GateReport) -> Iterator[TextLine]:
    """Yield the results of the critical cases."""
    for case in gate.critical_cases:
        if case.verdict is not Verdict.PASS:
            yield line(
                "critical case ", Name(case.case.case), " of ", Name(case.case.model), _critical_result(case)
            )
    met = sum(critical_case.verdict is Verdict.PASS for critical_case in gate.critical_cases)
    if met:
        yield line(f"{counted(met, 'critical case')} without a failed sample")
    if gate.not_judged:
        nouns = " and ".join(NOUNS[metric] for metric in gate.not_judged)
        yield line(f"not compared: no requirement covers {nouns}", tone=Tone.WARNING)
    if gate.unknown_critical:
        names = listed([(Name(name),) for name in gate.unknown_critical], limit=CASES_NAMED)
        yield line("critical, but missing from the current report: ", *names, tone=Tone.WARNING)


def _critical_result(case: CriticalCase) -> str:
    if case.verdict is Verdict.FAIL:
        failed = f"{case.failed:,} of {counted(case.samples, 'sample')} failed"
        return f" (fail): {failed}; none may fail"
    return " (inconclusive): " + (
        f"{counted(case.errored, 'sample')} ended in infrastructure errors"
        if case.errored
        else "no sample was generated"
    )


def _motion(required: Requirement, evidence: GateEvidence) -> str:
    if required.metric.is_relative:
        rise = evidence.rise
        if rise is None:
            return "was 0 before, so the relative change is undefined"
        size = percent(abs(rise)).removeprefix("+")
    else:
        drop = evidence.drop if evidence.score_drop is None else evidence.score_drop
        rise = drop if required.metric is Metric.REFUSALS else None if drop is None else -drop
        size = size_in_points(rise or 0.0)
    if not rise:
        return "did not change"
    return f"{'rose' if rise > 0 else 'fell'} by {size}"


def _p(required: Requirement, evidence: GateEvidence) -> str:
    p = evidence.p_overall if evidence.p_score is None else evidence.p_score
    return "" if p is None or required.metric.is_relative else f" ({p_value(p)})"


def _plausible(required: Requirement, evidence: GateEvidence) -> str:
    """Return how much worse the metric may plausibly be, compared with the margin."""
    is_up = required.metric not in {Metric.PASS, Metric.SCORE}
    what, limit = "rise" if is_up else "drop", required.margin or 0.0
    if required.metric.is_relative:
        largest = evidence.largest_plausible_rise
        margin = level(limit)
        size = "" if largest is None else percent(largest).removeprefix("+")
    else:
        largest = evidence.largest_plausible_score_drop
        largest = evidence.largest_plausible_drop if largest is None else largest
        margin = size_in_points(limit)
        size = "" if largest is None else size_in_points(largest, beside=limit)
    if required.metric.is_relative and evidence.rise is None:
        return f"any rise is above the margin of {margin}"
    smallest = evidence.smallest_plausible_rise
    if smallest is not None and smallest > limit:
        at_least = percent(smallest).removeprefix("+")
        return f"even the smallest plausible rise is {at_least}, above the margin of {margin}"
    if largest is None:
        return f"too few cases to bound the {what}; the margin is {margin}"
    if largest <= 0:
        return f"a {what} is not plausible; the margin is {margin}"
    order = "below" if largest < limit else "above" if largest > limit else "at"
    return f"the largest plausible {what} is {size}, {order} the margin of {margin}"
