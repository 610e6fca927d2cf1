"""Write the first sentence of a report: which subject did best."""

from collections.abc import Callable, Sequence

from steelyard.model.estimate import Estimate, Target
from steelyard.model.report import Report, SubjectSummary
from steelyard.render.document.blocks import Piece, TextLine, Tone, line, listed
from steelyard.render.document.labels import Labels, cases_in_means
from steelyard.render.document.ranking import top_set
from steelyard.render.numbers import interval_for, level, share, span
from steelyard.render.words import counted, why

BEST_NAMED = 3

Measure = tuple[str, Callable[[SubjectSummary], Estimate]]

MEASURES: Sequence[Measure] = (
    ("score", lambda subject: subject.score),
    ("pass rate", lambda subject: subject.pass_rate),
)


def answer(report: Report) -> TextLine:
    """Return the first line of a report."""
    if not report.subjects:
        return line("There is nothing to report: no outcome was found.", tone=Tone.ANSWER)
    for name, measured in MEASURES:
        values = {place: measured(subject).value for place, subject in enumerate(report.subjects)}
        known = {place: value for place, value in values.items() if value is not None}
        if known:
            return line(*_best(report, name, known), tone=Tone.ANSWER)
    missing = report.subjects[0].score
    return line(f"No subject has a score: {why(missing.reason, missing.detail)}.", tone=Tone.ANSWER)


def _best(report: Report, measure: str, known: dict[int, float]) -> tuple[Piece, ...]:
    labels = Labels.of(report)
    highest = max(known.values())
    best = [report.subjects[place] for place, value in known.items() if value == highest]
    if len(report.subjects) == 1:
        has = (*labels.subject(best[0]), f" has a {measure} of {share(highest)}", _base(best[0], report))
        return (*has, *_expected(best[0], measure))
    all_of_them = counted(len(report.subjects), labels.noun)
    if len(best) > 1:
        names = listed([labels.subject(subject) for subject in best], limit=BEST_NAMED)
        return (
            *names,
            f" share the highest {measure} of {all_of_them}: {share(highest)}",
            *_ahead(report),
            ".",
        )
    first = (*labels.subject(best[0]), f" has the highest {measure} of {all_of_them}: {share(highest)}")
    others = sorted(((value, -place) for place, value in known.items() if value < highest), reverse=True)
    lower = [(report.subjects[-place], value) for value, place in others]
    return (*first, _base(best[0], report), *_rivals(best[0], lower, report))


def _base(subject: SubjectSummary, report: Report) -> str:
    """Return what a figure rests on."""
    passes = (
        f"pass@{at.k} {share(at.estimate.value)}; "
        for at in subject.pass_at_k
        if at.estimate.value is not None
    )
    cases = counted(cases_in_means(subject, report.settings), "case")
    return f" ({next(passes, '')}{cases}, {counted(subject.samples, 'sample')})"


def _expected(subject: SubjectSummary, measure: str) -> tuple[Piece, ...]:
    """Return what to expect of a single subject on other cases."""
    interval = interval_for(Target.NEW_CASES, dict(MEASURES)[measure](subject))
    if interval is None:
        return (".",)
    return (f"; on other cases like these expect {span(interval)} ({level(interval.level)}).",)


def _rivals(
    best: SubjectSummary, lower: Sequence[tuple[SubjectSummary, float]], report: Report
) -> tuple[Piece, ...]:
    """Return whether the others are worse for sure; ranks and tests go by the pass rate."""
    labels = Labels.of(report)
    if not lower:
        return (".",)
    top = top_set(report.subjects)
    if best not in top:
        return ("; next is ", *_with_value(*lower[0], labels), *_ahead(report), ".")
    rivals = [_with_value(subject, value, labels) for subject, value in lower if subject in top]
    if not rivals:
        return ("; next is ", *_with_value(*lower[0], labels), ", shown to be worse.")
    are = "is" if len(rivals) == 1 else "are"
    return (", but ", *listed(rivals, limit=BEST_NAMED), f" {are} not shown to be worse.")


def _ahead(report: Report) -> tuple[Piece, ...]:
    """Return who passes most often, if that is shown."""
    top = top_set(report.subjects)
    return ("; by pass rate ", *Labels.of(report).subject(top[0]), " is ahead") if len(top) == 1 else ()


def _with_value(subject: SubjectSummary, value: float, labels: Labels) -> tuple[Piece, ...]:
    return (*labels.subject(subject), f" ({share(value)})")
