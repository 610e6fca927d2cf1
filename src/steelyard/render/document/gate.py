"""Compose a gate's verdict: the verdict, why, what it could have seen, and what to do next."""

import shlex
from collections.abc import Iterable

from steelyard.model.comparison import CaseRef
from steelyard.model.gate import GateForm, GateReport, SubjectGate
from steelyard.model.policy import Metric
from steelyard.model.verdict import Verdict
from steelyard.render.document.blocks import (
    CodeSpan,
    Document,
    FigureKind,
    Name,
    Piece,
    Prose,
    Section,
    TextLine,
    Tone,
    line,
    listed,
    pictured,
)
from steelyard.render.document.detection import chances_in_words
from steelyard.render.document.gate_reasons import CASES_NAMED, headline, reasons
from steelyard.render.document.gate_tests import pairs_of_rounds, tests_of_passes
from steelyard.render.document.pair_labels import PairLabels
from steelyard.render.document.requirements import critical_lines, decision_name, policy_verdict
from steelyard.render.document.result_sentence import worst_first
from steelyard.render.document.trust import pair_integrity_section
from steelyard.render.numbers import level, size_in_points
from steelyard.render.words import counted

SUBJECTS_NAMED = 5
HARDLY_UNSEEN = 0.95  # the chance to see one broken case from which on looking again is not advised
WHY = "why: "  # before a reason; a page has a heading in its place
UNNAMED = ("baseline.json", "current.json")  # where a report was given by no name
TONES = {Verdict.PASS: Tone.GOOD, Verdict.FAIL: Tone.BAD, Verdict.INCONCLUSIVE: Tone.OPEN}


def gate_document(gate: GateReport) -> Document:
    """Return everything that is said to people about a verdict."""
    labels = PairLabels.of((subject.pair for subject in gate.subjects), gate.missing_cases)
    sections = {
        "verdict": Section(lines=(line(*_verdict(gate, labels), tone=TONES[gate.verdict]),)),
        "reasons": Section(lines=tuple(_reasons(gate, labels))),
        "surroundings": Section(lines=tuple(_surroundings(gate, labels))),
        "integrity": pair_integrity_section(gate.baseline_integrity, gate.current_integrity),
        "carried": pictured(Section(), FigureKind.CARRIED_BY, gate),
        "resample": _resample(gate, labels),
        "drops": pictured(Section(), FigureKind.PLAUSIBLE_DROPS, gate),
        "settings": Section(lines=(_settings(gate, labels),)),
    }
    return Document(sections=sections)


def _verdict(gate: GateReport, labels: PairLabels) -> tuple[Piece, ...]:
    """Return the verdict in one sentence that stands by itself."""
    again = _cases_to_resample(gate) if gate.verdict is not Verdict.FAIL else []
    word = gate.verdict.value.upper()
    if not again:
        return (f"{word}: ", *_meaning(gate, labels), ".")
    are = "1 case is" if len(again) == 1 else f"{len(again):,} cases are"
    return (
        f"{word} SO FAR: ",
        *_meaning(gate, labels),
        f"; {are} to be generated again before this is final.",
    )


def _meaning(gate: GateReport, labels: PairLabels) -> tuple[Piece, ...]:
    if gate.has_policy:
        return (policy_verdict(gate),)
    alike = [subject for subject in gate.subjects if subject.decision.verdict is gate.verdict]
    if not alike:
        return _gone(gate) if gate.subjects else ("there is nothing to judge",)
    if len(gate.subjects) == 1:
        return headline(alike[0], labels, gate.rule)
    all_of_them = counted(len(gate.subjects), "comparison" if gate.older_baselines else labels.noun)
    if gate.verdict is Verdict.PASS:
        shows = "shows a drop of" if gate.older_baselines else "became worse by"
        return (f"none of {all_of_them} {shows} {size_in_points(gate.rule.margin)} or more",)
    became = "became worse" if gate.verdict is Verdict.FAIL else "cannot be judged yet"
    names = listed([_subject(subject, labels, gate) for subject in alike], limit=SUBJECTS_NAMED)
    return (f"{len(alike):,} of {all_of_them} {became}: ", *names)


def _gone(gate: GateReport) -> tuple[Piece, ...]:
    """Return which subjects of the baseline have nothing to stand beside them."""
    judged = {subject.pair.baseline_model for subject in gate.subjects}
    lacking = dict.fromkeys(case.model for case in gate.missing_cases)
    models = [model for model in lacking if model not in judged] or lacking
    names = listed([(Name(model),) for model in models], limit=SUBJECTS_NAMED)
    return ("the current report lacks ", *names, ", which its baseline has")


def _reasons(gate: GateReport, labels: PairLabels) -> Iterable[TextLine]:
    """Return why, for each subject, the worst verdict first."""
    for subject in worst_first(gate.subjects):
        for reason in reasons(subject, gate):
            if len(gate.subjects) == 1 and not gate.has_policy:
                yield line(WHY, *reason)
            else:
                yield line(
                    *_subject(subject, labels, gate), f" ({subject.decision.verdict.value}): ", *reason
                )
    yield from critical_lines(gate)


def _subject(subject: SubjectGate, labels: PairLabels, gate: GateReport) -> tuple[Piece, ...]:
    return decision_name(subject, labels.pair(subject.pair), gate)


def _surroundings(gate: GateReport, labels: PairLabels) -> Iterable[TextLine]:
    yield from _detection(gate)
    yield from _parts(gate, labels)
    if gate.verdict is Verdict.PASS and gate.form == GateForm.ONE_SHOT and not _sees_one_case(gate):
        confirm = CodeSpan("steelyard gate --confirm")
        yield line("with few samples a broken case may go unseen; ", confirm, " looks at the suspects again")
    flagged = counted(gate.threshold_regressions, "case") if gate.threshold_regressions else "no case"
    yield line(f"the threshold rule, for comparison only, would have flagged {flagged}")
    yield from _not_judged(gate, labels)


def _parts(gate: GateReport, labels: PairLabels) -> Iterable[TextLine]:
    """Return what each part of a test says, and what the rounds of a sequence add up to."""
    for subject in gate.subjects:
        name = (*_subject(subject, labels, gate), ": ") if len(gate.subjects) > 1 else ()
        evidence = subject.decision.evidence
        is_of_passes = subject.requirement is None or subject.requirement.metric is Metric.PASS
        if evidence.p_joint is not None and is_of_passes:
            yield line(*name, tests_of_passes(evidence))
        if evidence.sequence is not None:
            end = "; ended" if name and subject.decision.verdict is not Verdict.INCONCLUSIVE else ""
            yield line(*name, pairs_of_rounds(evidence.sequence), end)


def _not_judged(gate: GateReport, labels: PairLabels) -> Iterable[TextLine]:
    pairs = {subject.pair for subject in gate.subjects}
    judged = {(pair.baseline_model, pair.baseline_tier) for pair in pairs}
    judged |= {(pair.current_model, pair.current_tier) for pair in pairs}
    lacking: dict[tuple[str, str], list[CaseRef]] = {}
    for case in gate.missing_cases:
        lacking.setdefault((case.model, case.tier), []).append(case)
    gone = {subject for subject in lacking if subject not in judged} if pairs else set()
    for subject, cases in lacking.items():
        missing, name = counted(len(cases), "case"), labels.subject(*subject)
        if subject in gone:
            text = f", which the baseline has with {missing} and the current report lacks"
            yield line("not judged: ", *name, text, tone=Tone.WARNING)
        else:
            of = (*name, " in the") if len(pairs) + len(gone) > 1 else ("the",)
            names = listed([(Name(item.case),) for item in cases], limit=CASES_NAMED)
            why = " baseline, now gone, changed or without evidence: "
            yield line(f"not judged: {missing} of ", *of, why, *names, tone=Tone.WARNING)
    new = gate.unpaired_cases - len(gate.missing_cases)
    if new > 0:
        yield line(f"not judged: {counted(new, 'case')} new since the baseline")


def _detection(gate: GateReport) -> Iterable[TextLine]:
    """Return what such a gate would have seen, by the subject that shows least."""
    detection_chanceses = [subject.decision.evidence.detection for subject in gate.subjects]
    chanceses = [chances for chances in detection_chanceses if chances is not None]
    if chanceses:
        yield line(f"such a gate sees {chances_in_words(min(chanceses, key=lambda chances: chances.spread))}")


def _sees_one_case(gate: GateReport) -> bool:
    """Whether a broken case would hardly go unseen; a policy says by its requirements what it looks for."""
    chances = [subject.decision.evidence.detection for subject in gate.subjects]
    return gate.has_policy or all(item is not None and item.one_case >= HARDLY_UNSEEN for item in chances)


def _cases_to_resample(gate: GateReport) -> list[CaseRef]:
    return [case for subject in gate.subjects if subject.resample for case in subject.resample.cases]


def _resample(gate: GateReport, labels: PairLabels) -> Section:
    rows = _cases_to_resample(gate)
    if not rows:
        return Section()
    samples = max(subject.resample.samples for subject in gate.subjects if subject.resample)
    fresh = counted(samples, "fresh sample")
    again = (
        f"these {len(rows):,} cases again, {fresh} of each" if len(rows) > 1 else f"this case again, {fresh}"
    )
    return Section(
        title=f"Next: generate {again} in both runs",
        columns=labels.columns(rows),
        lines=(
            line(
                "score the fresh samples into two reports of their own; they alone decide, since these cases"
                " were picked for looking bad"
            ),
            line("then: ", CodeSpan(_second_stage(*map(shlex.quote, gate.addresses or UNNAMED)))),
        ),
    )


def _second_stage(baseline: str, current: str) -> str:
    return (
        f"steelyard gate --baseline {baseline} --current {current}"
        " --fresh-baseline fresh-baseline.json --fresh-current fresh-current.json"
    )


def _settings(gate: GateReport, labels: PairLabels) -> TextLine:
    rule = gate.rule
    noun = "test" if gate.has_policy or gate.older_baselines else labels.noun
    tests = max(gate.tests, len(gate.subjects))
    shared = f", shared by {counted(tests, noun)}" if tests > 1 else ""
    margin = "" if gate.has_requirements else f"; margin {size_in_points(rule.margin)}"
    pieces: tuple[Piece, ...] = (
        "settings: ",
        Prose(gate.form),
        f"; false alarms at most {level(rule.alpha)} (alpha){shared}",
        margin,
        f"; infrastructure errors up to {level(rule.max_error_share)}",
        "; missing cases allowed" if rule.allow_missing else "",
        f"; {_kept(gate)}" if gate.history else "",
        "; made by ",
        Prose(gate.generator),
    )
    return line(*pieces, tone=Tone.QUIET)


def _kept(gate: GateReport) -> str:
    """Return how many other baselines were judged against; the one that was named may be the oldest."""
    if not gate.older_baselines:
        return "no other baseline of it is kept"
    return f"judged against {counted(len(gate.older_baselines), 'other kept baseline')} as well"
