"""Say for each subject what was expected, what was there, and what became of the rest."""

from collections.abc import Iterator

from steelyard.model.report import Report, Settings, SubjectSummary
from steelyard.model.summary import Coverage
from steelyard.render.document.blocks import Name, Piece, Section, TextLine, Tone, line, listed
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import count
from steelyard.render.words import DONE_WITH_DUPLICATES, DONE_WITH_ERRORED, DONE_WITH_MISSING, counted

CASES_NAMED = 10


def coverage_section(report: Report, *, gaps_only: bool = False) -> Section:
    """Return a coverage line for each subject, or each with gaps, and the names of what is missing."""
    lines: list[TextLine] = []
    for subject in report.subjects:
        if gaps_only and subject.coverage.is_complete:
            continue
        of = Labels.of(report).if_several(subject, report)
        lines += [_coverage(subject, report.settings, of), *_names(subject.coverage, of)]
    return Section(lines=tuple(lines))


def _coverage(subject: SubjectSummary, settings: Settings, of: tuple[Piece, ...]) -> TextLine:
    coverage = subject.coverage
    parts = ", ".join(
        (
            _part(coverage.missing, "missing", DONE_WITH_MISSING[settings.missing]),
            _part(coverage.unknown, "unknown", "left out"),
            _part(coverage.duplicate, "duplicate", DONE_WITH_DUPLICATES[settings.duplicates]),
            _part(coverage.errored, "errored", DONE_WITH_ERRORED[settings.errors]),
        )
    )
    seen = f"{count(coverage.seen)} of {counted(coverage.expected, 'case')} seen"
    tone = Tone.PLAIN if coverage.is_complete else Tone.WARNING
    return line("coverage", *of, f": {seen}; {parts}", tone=tone)


def _part(number: int, noun: str, done: str) -> str:
    return f"{count(number)} {noun} ({done})" if number else f"0 {noun}"


def _names(coverage: Coverage, of: tuple[Piece, ...]) -> Iterator[TextLine]:
    groups = (
        ("missing", coverage.missing_cases, coverage.missing),
        ("unknown", coverage.unknown_cases, coverage.unknown),
    )
    for noun, cases, total in groups:
        if cases:
            names = listed([(Name(case),) for case in cases], limit=CASES_NAMED, total=total)
            yield line(f"{noun} cases", *of, ": ", *names, tone=Tone.WARNING)
