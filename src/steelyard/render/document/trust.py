"""Report samples by integrity, and passed honeypots."""

from collections.abc import Iterator, Sequence

from steelyard.model.report import Report
from steelyard.model.sample import SampleExcerpt
from steelyard.model.trust import HoneypotSummary, SubjectIntegrity
from steelyard.model.viewing import SampleView
from steelyard.render.document.blocks import Name, Piece, Section, TextLine, Tone, line, listed
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import count
from steelyard.render.words import counted

CASES_NAMED = 10
FORGEABLE = "a hostile answer could forge these results"


def integrity_section(report: Report) -> Section:
    """Return a line for each subject with known integrity."""
    labels = Labels.of(report)
    lines = (
        line("integrity", *labels.if_several(subject, report), _counts(subject))
        for subject in report.integrity
    )
    return Section(lines=tuple(lines))


def pair_integrity_section(
    baseline: Sequence[SubjectIntegrity], current: Sequence[SubjectIntegrity]
) -> Section:
    """Return a line for each subject of two reports, or a single one if all samples are sealed."""
    subjects = [*baseline, *current]
    if baseline and current and all(subject.sealed == subject.samples for subject in subjects):
        samples = counted(sum(subject.samples for subject in subjects), "sample")
        return Section(lines=(line(f"integrity: all {samples} of both reports sealed"),))
    sides = (("baseline", baseline), ("current report", current))
    return Section(lines=tuple(text_line for name, side in sides for text_line in _of_side(name, side)))


def honeypots_section(report: Report) -> Section:
    """Return the honeypots that each subject passed."""
    labels = Labels.of(report)
    of = {
        (honeypot.model, honeypot.tier): labels.if_several(honeypot, report) for honeypot in report.honeypots
    }
    return Section(
        lines=tuple(_honeypots(honeypot, of[honeypot.model, honeypot.tier]) for honeypot in report.honeypots)
    )


def _of_side(name: str, side: Sequence[SubjectIntegrity]) -> Iterator[TextLine]:
    for subject in side:
        label: tuple[Piece, ...] = (
            (", ", Name(subject.model), " in ", Name(subject.tier)) if len(side) > 1 else ()
        )
        yield line(f"integrity of the {name}", *label, _counts(subject))


def _counts(subject: SubjectIntegrity) -> str:
    parts = [f": {count(subject.sealed)} of {counted(subject.samples, 'sample')} sealed"]
    parts += [f"{count(subject.partial)} partial"] if subject.partial else []
    parts += [f"{count(subject.open)} open ({FORGEABLE})"] if subject.open else []
    parts += [f"{count(subject.unknown)} unknown"] if subject.unknown else []
    return ", ".join(parts)


def _honeypots(honeypot: HoneypotSummary, of: tuple[Piece, ...]) -> TextLine:
    text = f": {counted(honeypot.samples, 'sample')}, {count(honeypot.passed)} passed"
    if not honeypot.passed:
        return line("honeypots", *of, text)
    names = listed([(Name(case),) for case in honeypot.passed_cases], limit=CASES_NAMED)
    return line("honeypots", *of, f"{text}, which no honest answer does: ", *names, tone=Tone.BAD)


def integrity_words(sample: SampleExcerpt | SampleView) -> str | None:
    """Return a sample's integrity, with counts of assertions if known."""
    if sample.integrity is None or sample.sealed_assertions is None or sample.open_assertions is None:
        return sample.integrity
    assertions = sample.sealed_assertions + sample.open_assertions
    return f"{sample.integrity}, {sample.sealed_assertions:,} of {assertions:,} assertions sealed"
