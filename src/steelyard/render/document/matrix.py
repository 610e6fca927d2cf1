"""Compose the document of all pairs of subjects: the leader, ties, and what to generate next."""

from collections.abc import Sequence

from steelyard.model.estimate import Target
from steelyard.model.matrix import MatrixPair, MatrixSubject, SubjectMatrix
from steelyard.render.document.blocks import (
    Document,
    Name,
    Piece,
    Prose,
    Section,
    TextLine,
    Tone,
    line,
    listed,
    numbers,
    words,
)
from steelyard.render.names import has_several
from steelyard.render.numbers import bare_p_value, bounds, estimated, interval_for, level, points, share
from steelyard.render.words import counted

PAIRS_SHOWN = 200
SUBJECTS_NAMED = 10


def matrix_document(matrix: SubjectMatrix) -> Document:
    """Return the document of a matrix."""
    sections = {
        "answer": Section(lines=(_answer(matrix), *_groups(matrix))),
        "subjects": _subjects(matrix),
        "pairs": _pairs(matrix),
        "next": _next(matrix),
        "settings": Section(lines=(_settings(matrix),)),
    }
    return Document(sections=sections)


def _label(matrix: SubjectMatrix, subject: MatrixSubject) -> Sequence[Piece]:
    if has_several([subject_cases.tier for subject_cases in matrix.subjects]):
        return (Name(subject.model), " in ", Name(subject.tier))
    return (Name(subject.model),)


def _cell(matrix: SubjectMatrix, index: int) -> Piece:
    subject = matrix.subjects[index]
    is_tiered = has_several([subject_cases.tier for subject_cases in matrix.subjects])
    return Prose(f"{subject.model} in {subject.tier}") if is_tiered else Name(subject.model)


def _answer(matrix: SubjectMatrix) -> TextLine:
    leader = _label(matrix, matrix.subjects[0])
    rivals = [pair.worse for pair in matrix.pairs if pair.better == 0 and not pair.is_settled]
    if not rivals:
        return line(*leader, " passes most often, by more than noise explains.", tone=Tone.GOOD)
    equal = [0, *(pair.worse for pair in matrix.pairs if pair.better == 0 and pair.difference.value == 0)]
    if len(equal) > 1:
        alike = listed([_label(matrix, matrix.subjects[index]) for index in equal], limit=SUBJECTS_NAMED)
        return line("Too close to call: ", *alike, " pass equally often.", tone=Tone.OPEN)
    names = listed([_label(matrix, matrix.subjects[rival]) for rival in rivals], limit=SUBJECTS_NAMED)
    return line(
        "Too close to call: ", *leader, " leads, but not significantly ahead of ", *names, ".", tone=Tone.OPEN
    )


def _groups(matrix: SubjectMatrix) -> list[TextLine]:
    """Return the groups of subjects without significant differences."""
    return [
        line(
            "not significantly different: ",
            *listed([_label(matrix, matrix.subjects[index]) for index in group], limit=SUBJECTS_NAMED),
        )
        for group in matrix.groups
    ]


def _subjects(matrix: SubjectMatrix) -> Section:
    rows = range(len(matrix.subjects))
    return Section(
        title="Subjects, the best first",
        columns=(
            words("subject", rows, lambda index: _cell(matrix, index)),
            numbers("pass rate", rows, lambda index: share(matrix.subjects[index].pass_rate)),
        ),
    )


def _pairs(matrix: SubjectMatrix) -> Section:
    rows = matrix.pairs[:PAIRS_SHOWN]
    rest = len(matrix.pairs) - len(rows)
    lines = [line(f"and {rest:,} more; --format json has all of them", tone=Tone.QUIET)] if rest else []
    all_hold = (
        f"intervals hold simultaneously at {level(matrix.level)}; p is two-sided, corrected for all pairs"
    )
    return Section(
        title="All pairs",
        columns=(
            words("better", rows, lambda row: _cell(matrix, row.better)),
            words("worse", rows, lambda row: _cell(matrix, row.worse)),
            numbers("points", rows, lambda row: estimated(row.difference, points)),
            numbers("new cases", rows, lambda row: _reach(row, Target.NEW_CASES)),
            numbers("re-run", rows, lambda row: _reach(row, Target.RERUN)),
            numbers("p", rows, lambda row: bare_p_value(row.p_adjusted)),
            words("significant?", rows, lambda row: "yes" if row.is_settled else "no"),
        ),
        lines=(*lines, line(all_hold, tone=Tone.QUIET)),
    )


def _reach(row: MatrixPair, target: Target) -> str:
    return bounds(interval_for(target, row.difference), points)


def _next(matrix: SubjectMatrix) -> Section:
    rows = matrix.next_samples
    if not rows:
        return Section()
    subjects = {(subject.model, subject.tier): index for index, subject in enumerate(matrix.subjects)}
    return Section(
        title="Generate next to settle the ranking, most informative first",
        columns=(
            words("subject", rows, lambda row: _cell(matrix, subjects[row.model, row.tier])),
            words("suite", rows, lambda row: Name(row.suite)),
            words("case", rows, lambda row: Name(row.case)),
        ),
        lines=(line("generate them into a separate run; a run that continues until one leads is biased"),),
    )


def _settings(matrix: SubjectMatrix) -> TextLine:
    excluded = (
        f"; excluded: {counted(matrix.left_out, 'case')} that some subject lacks" if matrix.left_out else ""
    )
    return line(
        f"settings: {counted(matrix.cases, 'case')} that all subjects have{excluded}; ",
        f"chance of any wrong order at most {level(round(1 - matrix.level, 9))}",
        f" over {counted(len(matrix.pairs), 'pair')}",
        "; made by ",
        Prose(matrix.generator),
        tone=Tone.QUIET,
    )
