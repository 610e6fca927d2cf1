"""Compose the document of kept baselines: where each subject changed, and its pass rates over time."""

from steelyard.model.estimate import Target
from steelyard.model.history import History, SubjectHistory
from steelyard.render.document.blocks import (
    Document,
    FigureKind,
    Name,
    Prose,
    Section,
    TextLine,
    Tone,
    line,
    numbers,
    pictured,
    words,
)
from steelyard.render.numbers import estimated, interval_for, level, p_value, share, size_in_points, span
from steelyard.render.words import counted

DATE = len("2026-11-17")


def history_document(history: History) -> Document:
    """Return the document of a history."""
    sections = {
        "answer": Section(lines=tuple(map(_answer, history.subjects)) or (line("No baselines are kept."),))
    }
    for index, subject in enumerate(history.subjects):
        sections[f"subject-{index}"] = pictured(_table(subject), FigureKind.HISTORY, subject)
    sections["settings"] = Section(lines=(_settings(history),))
    return Document(sections=sections)


def _answer(subject: SubjectHistory) -> TextLine:
    name = (Name(subject.model), " in ", Name(subject.tier), ": ")
    point = subject.change_point
    if point is None:
        several = "its baselines hold the same samples" if len(subject.entries) > 1 else "only one baseline"
        why = several if subject.entries else "its baselines have no case in common"
        return line(*name, why, ": no change can be detected.")
    entry = subject.entries[point.first]
    where = (Name(entry.name), ", kept on ", Prose(entry.kept_at[:DATE]), ".")
    size = size_in_points(point.change)
    if not point.is_shown:
        moved = "a drop" if point.change < 0 else "a rise"
        return line(*name, f"no significant change. The largest is {moved} of {size} with ", *where)
    moved, tone = ("fell", Tone.BAD) if point.change < 0 else ("rose", Tone.GOOD)
    return line(*name, f"the pass rate {moved} by {size} with ", *where, tone=tone)


def _test(subject: SubjectHistory) -> tuple[TextLine, ...]:
    point = subject.change_point
    if point is None:
        return ()
    name = Name(subject.entries[point.first].name)
    return (
        line("The change with ", name, f": {p_value(point.p)}, corrected for all positions and subjects."),
    )


def _table(subject: SubjectHistory) -> Section:
    rows = subject.entries
    if not rows:
        return Section()
    return Section(
        title=f"Pass rate over {counted(subject.cases, 'case')}, the oldest first",
        columns=(
            words("model", rows, lambda _: Name(subject.model)),
            words("tier", rows, lambda _: Name(subject.tier)),
            words("baseline", rows, lambda row: Name(row.name)),
            words("kept", rows, lambda row: Prose(row.kept_at)),
            numbers("pass rate", rows, lambda row: estimated(row.pass_rate, share)),
            numbers("re-run", rows, lambda row: span(interval_for(Target.RERUN, row.pass_rate))),
            words("note", rows, lambda row: Name(row.note) if row.note else ""),
        ),
        lines=_test(subject),
    )


def _settings(history: History) -> TextLine:
    return line(
        f"settings: {counted(history.baselines, 'baseline')}; false alarms at most ",
        f"{level(history.alpha)} over all positions and subjects; made by ",
        Prose(history.generator),
        tone=Tone.QUIET,
    )
