"""Word how far grades can be trusted: samples by integrity, and passed honeypots."""

from collections.abc import Iterator, Sequence

from steelyard.model.report import Report
from steelyard.model.trust import HoneypotSummary, SubjectIntegrity
from steelyard.render.document.blocks import Name, Piece, Section, TextLine, Tone, line, listed
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import count
from steelyard.render.words import counted

CASES_NAMED = 10
FORGEABLE = "a hostile answer could forge these results"


def integrity_section(report: Report) -> Section:
    """Return a line for each subject; nothing if integrity is unknown for all samples."""
    labels = Labels.of(report)
    lines = (line("integrity", *labels.if_several(item, report), _counts(item)) for item in report.integrity)
    return Section(lines=tuple(lines))


def pair_integrity_section(
    baseline: Sequence[SubjectIntegrity], current: Sequence[SubjectIntegrity]
) -> Section:
    """Return a line for each subject of two reports, or a single one if all samples are sealed."""
    everyone = [*baseline, *current]
    if baseline and current and all(item.sealed == item.samples for item in everyone):
        return Section(lines=(line(f"integrity: all {_samples(everyone)} of both reports sealed"),))
    sides = (("baseline", baseline), ("current report", current))
    return Section(lines=tuple(text_line for name, side in sides for text_line in _of_side(name, side)))


def honeypots_section(report: Report) -> Section:
    """Return how often each subject passed honeypots, and which."""
    labels = Labels.of(report)
    of = {
        (honeypot.model, honeypot.tier): labels.if_several(honeypot, report) for honeypot in report.honeypots
    }
    return Section(
        lines=tuple(_honeypots(honeypot, of[honeypot.model, honeypot.tier]) for honeypot in report.honeypots)
    )


def _of_side(name: str, side: Sequence[SubjectIntegrity]) -> Iterator[TextLine]:
    for subject in side:
        who: tuple[Piece, ...] = (
            (", ", Name(subject.model), " in ", Name(subject.tier)) if len(side) > 1 else ()
        )
        yield line(f"integrity of the {name}", *who, _counts(subject))


def _samples(subjects: Sequence[SubjectIntegrity]) -> str:
    return counted(sum(subject.samples for subject in subjects), "sample")


def _counts(found: SubjectIntegrity) -> str:
    parts = [f": {count(found.sealed)} of {counted(found.samples, 'sample')} sealed"]
    parts += [f"{count(found.partial)} partial"] if found.partial else []
    parts += [f"{count(found.open)} open ({FORGEABLE})"] if found.open else []
    parts += [f"{count(found.unknown)} unknown"] if found.unknown else []
    return ", ".join(parts)


def _honeypots(found: HoneypotSummary, of: tuple[Piece, ...]) -> TextLine:
    text = f": {counted(found.samples, 'sample')}, {count(found.passed)} passed"
    if not found.passed:
        return line("honeypots", *of, text)
    names = listed([(Name(case),) for case in found.passed_cases], limit=CASES_NAMED)
    return line("honeypots", *of, f"{text}, which no honest answer does: ", *names, tone=Tone.BAD)
