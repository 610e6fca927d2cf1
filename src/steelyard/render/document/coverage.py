"""Report how many of the expected cases each subject has, and how gaps were handled."""

from collections.abc import Iterator, Sequence

from steelyard.model.report import Report, Settings, SubjectSummary
from steelyard.model.summary import Coverage
from steelyard.render.document.blocks import Name, Piece, Section, TextLine, Tone, line, listed
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import count
from steelyard.render.words import DONE_WITH_DUPLICATES, DONE_WITH_ERRORED, DONE_WITH_MISSING, counted

CASES_NAMED = 10
SUBJECTS_NAMED = 5


def coverage_section(report: Report, *, gaps_only: bool = False) -> Section:
    """Return the coverage of each subject, or of each with gaps, and the names of missing cases."""
    by_text: dict[str, list[SubjectSummary]] = {}
    for subject in report.subjects:
        if not (gaps_only and subject.coverage.is_complete):
            by_text.setdefault(_coverage(subject.coverage, report.settings), []).append(subject)
    lines: list[TextLine] = []
    for text, subjects in by_text.items():
        is_complete = subjects[0].coverage.is_complete
        lines.append(
            line(
                "coverage",
                *_of(subjects, report),
                f": {text}",
                tone=Tone.PLAIN if is_complete else Tone.WARNING,
            )
        )
        for subject in subjects:
            lines += _names(subject.coverage, Labels.of(report).if_several(subject, report))
    return Section(lines=tuple(lines))


def _of(subjects: Sequence[SubjectSummary], report: Report) -> tuple[Piece, ...]:
    """Return which subjects a line describes; "of all 8 models" where they all have the same coverage."""
    labels = Labels.of(report)
    if len(subjects) == len(report.subjects) > 1:
        return (f" of all {counted(len(subjects), labels.noun)}",)
    if len(subjects) == 1:
        return labels.if_several(subjects[0], report)
    return (" of ", *listed([labels.subject(subject) for subject in subjects], limit=SUBJECTS_NAMED))


def _coverage(coverage: Coverage, settings: Settings) -> str:
    parts = ", ".join(
        (
            _part(coverage.missing, "missing", DONE_WITH_MISSING[settings.missing]),
            _part(coverage.unknown, "unknown", "left out"),
            _part(coverage.duplicate, "duplicate", DONE_WITH_DUPLICATES[settings.duplicates]),
            _part(coverage.errored, "errored", DONE_WITH_ERRORED[settings.errors]),
        )
    )
    seen = f"{count(coverage.seen)} of {counted(coverage.expected, 'case')} seen"
    return f"{seen}; {parts}"


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
