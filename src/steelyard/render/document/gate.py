"""Compose the document of a gate: verdict, reasons, power, next steps."""

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
from steelyard.render.document.evidence import (
    TESTS_IN_WORDS,
    chances_in_words,
    pairs_of_rounds,
    tests_of_passes,
)
from steelyard.render.document.gate_reasons import CASES_NAMED, headline, reasons
from steelyard.render.document.pair_labels import PairLabels
from steelyard.render.document.requirements import critical_lines, decision_name, policy_verdict
from steelyard.render.document.result_sentence import worst_first
from steelyard.render.document.trust import pair_integrity_section
from steelyard.render.numbers import level, size_in_points
from steelyard.render.words import counted

SUBJECTS_NAMED = 5
ENOUGH_POWER = 0.95  # power to detect one broken case that makes --confirm unnecessary
WHY = "why: "  # pages show it as a heading
UNNAMED = ("baseline.json", "current.json")  # placeholders for reports without an address
TONES = {Verdict.PASS: Tone.GOOD, Verdict.FAIL: Tone.BAD, Verdict.INCONCLUSIVE: Tone.OPEN}


def gate_document(gate: GateReport, *, details: bool = True) -> Document:
    """Return the document of a verdict."""
    labels = PairLabels.of((subject.pair for subject in gate.subjects), gate.missing_cases)
    sections = {
        "verdict": Section(lines=(line(*_verdict(gate, labels), tone=TONES[gate.verdict]),)),
        "reasons": Section(lines=tuple(_reasons(gate, labels))),
        "surroundings": Section(lines=tuple(_surroundings(gate, labels, details=details))),
        "integrity": pair_integrity_section(gate.baseline_integrity, gate.current_integrity),
        "carried": pictured(Section(), FigureKind.CARRIED_BY, gate),
        "resample": _resample(gate, labels),
        "drops": pictured(Section(), FigureKind.PLAUSIBLE_DROPS, gate),
        "settings": Section(lines=(_settings(gate, labels),)),
    }
    return Document(sections=sections)


def _verdict(gate: GateReport, labels: PairLabels) -> tuple[Piece, ...]:
    """Return the verdict as a self-contained sentence."""
    suspects = _cases_to_resample(gate) if gate.verdict is not Verdict.FAIL else []
    verdict = gate.verdict.value.upper()
    if not suspects:
        return (f"{verdict}: ", *_meaning(gate, labels), ".")
    must = "1 case must" if len(suspects) == 1 else f"{len(suspects):,} cases must"
    return (f"{verdict} SO FAR: ", *_meaning(gate, labels), f"; {must} be resampled before this is final.")


def _meaning(gate: GateReport, labels: PairLabels) -> tuple[Piece, ...]:
    if gate.has_policy:
        return (policy_verdict(gate),)
    alike = [subject for subject in gate.subjects if subject.decision.verdict is gate.verdict]
    if not alike:
        return _missing_subjects(gate) if gate.subjects else ("nothing to compare",)
    if len(gate.subjects) == 1:
        return headline(alike[0], labels, gate.rule)
    all_of_them = counted(len(gate.subjects), "comparison" if gate.older_baselines else labels.noun)
    if gate.verdict is Verdict.PASS:
        shows = "shows a drop of" if gate.older_baselines else "became worse by"
        return (f"none of {all_of_them} {shows} {size_in_points(gate.rule.margin)} or more",)
    is_are = "is" if len(alike) == 1 else "are"
    outcome = "became worse" if gate.verdict is Verdict.FAIL else f"{is_are} inconclusive"
    names = listed([_subject(subject, labels, gate) for subject in alike], limit=SUBJECTS_NAMED)
    return (f"{len(alike):,} of {all_of_them} {outcome}: ", *names)


def _missing_subjects(gate: GateReport) -> tuple[Piece, ...]:
    """Return which subjects of the baseline have no counterpart."""
    compared = {subject.pair.baseline_model for subject in gate.subjects}
    missing = dict.fromkeys(case.model for case in gate.missing_cases)
    models = [model for model in missing if model not in compared] or missing
    names = listed([(Name(model),) for model in models], limit=SUBJECTS_NAMED)
    return ("the current report lacks ", *names, ", which its baseline has")


def _reasons(gate: GateReport, labels: PairLabels) -> Iterable[TextLine]:
    """Yield the reasons for each subject, worst verdict first."""
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


def _surroundings(gate: GateReport, labels: PairLabels, *, details: bool) -> Iterable[TextLine]:
    yield from _power(gate)
    yield from _parts(gate, labels, details=details)
    if gate.verdict is Verdict.PASS and gate.form == GateForm.ONE_SHOT and not _detects_one_case(gate):
        confirm = CodeSpan("steelyard gate --confirm")
        yield line("with few samples a broken case can be missed; ", confirm, " resamples suspect cases")
    flagged = counted(gate.threshold_regressions, "case") if gate.threshold_regressions else "no case"
    yield line(f"for comparison: the threshold rule would have flagged {flagged}")
    yield from _not_compared(gate, labels)


def _parts(gate: GateReport, labels: PairLabels, *, details: bool) -> Iterable[TextLine]:
    """Yield the p-values of each test, and the totals of sequential rounds."""
    if details and any(subject.decision.evidence.p_joint is not None for subject in gate.subjects):
        yield line(TESTS_IN_WORDS, tone=Tone.QUIET)
    for subject in gate.subjects:
        name = (*_subject(subject, labels, gate), ": ") if len(gate.subjects) > 1 else ()
        evidence = subject.decision.evidence
        is_of_passes = subject.requirement is None or subject.requirement.metric is Metric.PASS
        if details and evidence.p_joint is not None and is_of_passes:
            yield line(*name, tests_of_passes(evidence))
        if evidence.sequence is not None:
            end = "; ended" if name and subject.decision.verdict is not Verdict.INCONCLUSIVE else ""
            yield line(*name, pairs_of_rounds(evidence.sequence), end)


def _not_compared(gate: GateReport, labels: PairLabels) -> Iterable[TextLine]:
    pairs = {subject.pair for subject in gate.subjects}
    compared = {(pair.baseline_model, pair.baseline_tier) for pair in pairs}
    compared |= {(pair.current_model, pair.current_tier) for pair in pairs}
    missing: dict[tuple[str, str], list[CaseRef]] = {}
    for case in gate.missing_cases:
        missing.setdefault((case.model, case.tier), []).append(case)
    without_pair = {subject for subject in missing if subject not in compared} if pairs else set()
    for subject, cases in missing.items():
        number, name = counted(len(cases), "case"), labels.subject(*subject)
        if subject in without_pair:
            text = f" ({number}): in the baseline, missing from the current report"
            yield line("not compared: ", *name, text, tone=Tone.WARNING)
        else:
            of = (*name, " in the") if len(pairs) + len(without_pair) > 1 else ("the",)
            names = listed([(Name(case.case),) for case in cases], limit=CASES_NAMED)
            why = " baseline, now removed, changed or without evidence: "
            yield line(f"not compared: {number} of ", *of, why, *names, tone=Tone.WARNING)
    new = gate.unpaired_cases - len(gate.missing_cases)
    if new > 0:
        yield line(f"not compared: {counted(new, 'case')} new since the baseline")


def _power(gate: GateReport) -> Iterable[TextLine]:
    """Yield the power of the gate, by the subject with the least."""
    all_chances = [subject.decision.evidence.detection for subject in gate.subjects]
    known = [chances for chances in all_chances if chances is not None]
    if known:
        least = min(known, key=lambda chances: chances.spread)
        yield line(f"power: with this much data {chances_in_words(least)}")


def _detects_one_case(gate: GateReport) -> bool:
    """Whether one broken case would almost surely be detected; a policy defines what matters itself."""
    all_chances = [subject.decision.evidence.detection for subject in gate.subjects]
    return gate.has_policy or all(
        chances is not None and chances.one_case >= ENOUGH_POWER for chances in all_chances
    )


def _cases_to_resample(gate: GateReport) -> list[CaseRef]:
    return [case for subject in gate.subjects if subject.resample for case in subject.resample.cases]


def _resample(gate: GateReport, labels: PairLabels) -> Section:
    rows = _cases_to_resample(gate)
    if not rows:
        return Section()
    samples = max(subject.resample.samples for subject in gate.subjects if subject.resample)
    fresh = counted(samples, "fresh sample")
    cases = f"of each of these {len(rows):,} cases" if len(rows) > 1 else "of this case"
    return Section(
        title=f"Next: generate {fresh} {cases} in both runs",
        columns=labels.columns(rows),
        lines=(
            line(
                "score the fresh samples into two separate reports; only these decide, since the cases were"
                " selected for looking worse"
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
    split = f", shared by {counted(tests, noun)}" if tests > 1 else ""
    margin = "" if gate.has_requirements else f"; margin {size_in_points(rule.margin)}"
    pieces: tuple[Piece, ...] = (
        "settings: ",
        Prose(gate.form),
        f"; false alarms at most {level(rule.alpha)} (alpha){split}",
        margin,
        f"; infrastructure errors up to {level(rule.max_error_share)}",
        "; missing cases allowed" if rule.allow_missing else "",
        f"; {_history(gate)}" if gate.history else "",
        "; made by ",
        Prose(gate.generator),
    )
    return line(*pieces, tone=Tone.QUIET)


def _history(gate: GateReport) -> str:
    """Return how many other baselines were compared."""
    if not gate.older_baselines:
        return "no other baseline of this name is kept"
    return f"also compared with {counted(len(gate.older_baselines), 'other kept baseline')}"
