"""Say how far the grades can be trusted: how samples were graded, and who passed a honeypot."""

from collections.abc import Iterator, Sequence

from steelyard.model.report import Report
from steelyard.model.trust import HoneypotSummary, SubjectIsolation
from steelyard.render.document.blocks import Name, Piece, Section, TextLine, Tone, line, listed
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import count
from steelyard.render.words import counted

CASES_NAMED = 10
FORGEABLE = "a hostile answer could forge these"


def isolation_section(report: Report) -> Section:
    """Return a line for each subject, or nothing where it is known of no sample."""
    labels = Labels.of(report)
    lines = (line("isolation", *labels.if_several(one, report), _graded(one)) for one in report.isolation)
    return Section(lines=tuple(lines))


def pair_isolation_section(
    baseline: Sequence[SubjectIsolation], current: Sequence[SubjectIsolation]
) -> Section:
    """Return how the samples of two reports were graded: a line for each subject, one if all were apart."""
    everyone = [*baseline, *current]
    if baseline and current and all(one.apart == one.samples for one in everyone):
        return Section(lines=(line(f"isolation: all {_samples(everyone)} of both reports graded apart"),))
    sides = (("baseline", baseline), ("current report", current))
    return Section(lines=tuple(found for name, side in sides for found in _of_side(name, side)))


def honeypots_section(report: Report) -> Section:
    """Return how often each subject passed honeypots, and which."""
    labels = Labels.of(report)
    of = {(one.model, one.tier): labels.if_several(one, report) for one in report.honeypots}
    return Section(lines=tuple(_honeypots(one, of[one.model, one.tier]) for one in report.honeypots))


def _of_side(name: str, side: Sequence[SubjectIsolation]) -> Iterator[TextLine]:
    for one in side:
        who: tuple[Piece, ...] = (", ", Name(one.model), " in ", Name(one.tier)) if len(side) > 1 else ()
        yield line(f"isolation of the {name}", *who, _graded(one))


def _samples(subjects: Sequence[SubjectIsolation]) -> str:
    return counted(sum(one.samples for one in subjects), "sample")


def _graded(found: SubjectIsolation) -> str:
    parts = [f": {count(found.apart)} of {counted(found.samples, 'sample')} graded apart"]
    parts += [f"{count(found.shared)} shared ({FORGEABLE})"] if found.shared else []
    parts += [f"{count(found.unknown)} unknown"] if found.unknown else []
    return ", ".join(parts)


def _honeypots(found: HoneypotSummary, of: tuple[Piece, ...]) -> TextLine:
    said = f": {counted(found.samples, 'sample')}, {count(found.passed)} passed"
    if not found.passed:
        return line("honeypots", *of, said)
    names = listed([(Name(case),) for case in found.passed_cases], limit=CASES_NAMED)
    return line("honeypots", *of, f"{said}, which no honest answer does: ", *names, tone=Tone.BAD)
