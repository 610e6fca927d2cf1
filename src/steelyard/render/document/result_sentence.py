"""Write the sentence about a pair of subjects that every output shows: rates and their meaning."""

from collections.abc import Sequence
from typing import TypeVar

from steelyard.model.comparison import CaseRef, PairedSubject, SubjectComparison
from steelyard.model.gate import SubjectGate
from steelyard.model.verdict import NOT_INDEPENDENT, GateDecision, Ground, Verdict
from steelyard.render.document.answer import distinct
from steelyard.render.document.blocks import Name, Piece, Tone, listed
from steelyard.render.document.pair_labels import PairLabels
from steelyard.render.numbers import in_percent, level, size_in_points
from steelyard.render.words import counted

CASES_NAMED = 5
SIGNIFICANT = 0.025  # one-sided p that matches a two-sided 95 % interval

Sentence = tuple[Piece, ...]

TONES = {Verdict.PASS: Tone.ANSWER, Verdict.FAIL: Tone.BAD, Verdict.INCONCLUSIVE: Tone.OPEN}
UNDECIDED = {
    Ground.DEPENDENT_SAMPLES: f"no decision, since {NOT_INDEPENDENT}",
    Ground.MISSING_CASES: "no decision while cases of the baseline are missing",
    Ground.UNFINISHED: "no decision until the run is finished",
    Ground.TO_BE_CONFIRMED: "some cases look worse",
    Ground.NOT_MEASURED: "no decision, since some samples lack the metric",
    Ground.UNEQUAL_SAMPLES: "no decision, since the runs have different numbers of samples",
}


Decided = TypeVar("Decided", SubjectGate, SubjectComparison)


def worst_first(subjects: Sequence[Decided]) -> list[Decided]:
    """Return the subjects by verdict: failed, then inconclusive, then passed."""
    order = (Verdict.FAIL, Verdict.INCONCLUSIVE, Verdict.PASS)
    return sorted(subjects, key=lambda subject: order.index(subject.decision.verdict))


def sentence_of_gate(subject: SubjectGate, labels: PairLabels, margin: float) -> Sentence:
    """Return the sentence about one pair of a gate."""
    named = subject.broken_cases or subject.standing_out
    return result_sentence(subject.pair, subject.decision, named, labels, margin)


def result_sentence(
    pair: PairedSubject,
    decision: GateDecision,
    named: Sequence[CaseRef],
    labels: PairLabels,
    margin: float,
) -> Sentence:
    """Return rates and meaning, neutral between two models, without a full stop."""
    old, new = labels.names(pair)
    before, now = decision.evidence.baseline_pass_rate, decision.evidence.current_pass_rate
    if before is None or now is None:
        return ("the two reports have no common case of ", *new)
    first, second = (in_percent(now),) * 2 if now == before else distinct(now, before, in_percent)
    other = ("before",) if old == new else old
    meaning = _meaning(decision, named, old, new, margin)
    return (*new, f" passes {first}, ", *other, f" {second}: ", *meaning)


def tone_of(decision: GateDecision) -> Tone:
    """Return the tone of the sentence."""
    return Tone.GOOD if _is_better(decision) else TONES[decision.verdict]


def _meaning(
    decision: GateDecision, named: Sequence[CaseRef], old: Sentence, new: Sentence, margin: float
) -> Sentence:
    grounds, evidence = decision.grounds, decision.evidence
    cases: Sentence = (
        f"{len(named):,} of {counted(evidence.cases, 'case')} dropped: ",
        *listed([(Name(case.case),) for case in named], limit=CASES_NAMED),
    )
    if decision.verdict is Verdict.FAIL:
        worse = ("it became worse",) if old == new else (*old, " is better")
        score = ("its mean score fell",) if old == new else (*old, " has the better mean score")
        parts = {
            Ground.OVERALL_DROP: worse,
            Ground.SCORE_DROP: score,
            Ground.BROKEN_CASES: cases if named else ("single cases dropped",),
            Ground.SEVERAL_CASES: ("several cases dropped together, none of them beyond noise alone",),
        }
        return _joined([parts[ground] for ground in grounds if ground in parts] or [worse])
    if _is_better(decision):
        return ("it became better",) if old == new else (*new, " is better")
    if decision.verdict is Verdict.PASS:
        return (f"no drop of {size_in_points(margin)} or more",)
    if Ground.TOO_MANY_ERRORS in grounds:
        share = level(round(evidence.error_share, 3))
        return (f"no decision, since {share} of the samples are infrastructure errors",)
    if Ground.CASES_STAND_OUT in grounds:
        return cases
    return (UNDECIDED.get(grounds[0], "too close to call"),)


def _is_better(decision: GateDecision) -> bool:
    p, grounds = decision.evidence.p_rise, set(decision.grounds)
    is_open = grounds <= {Ground.WITHIN_MARGIN, Ground.TOO_FEW_SAMPLES}
    return is_open and p is not None and p <= SIGNIFICANT


def _joined(parts: Sequence[Sentence]) -> Sentence:
    first, *rest = parts
    return (*first, *(piece for part in rest for piece in ("; ", *part)))
