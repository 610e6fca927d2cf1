"""Show the ranks of subjects, with their uncertainty."""

from collections.abc import Sequence

from steelyard.model.estimate import Estimate, Reason
from steelyard.model.report import Report, Standing, SubjectSummary
from steelyard.render.document.blocks import TableColumn, TextLine, Tone, line, listed, words
from steelyard.render.document.labels import Labels
from steelyard.render.document.quantities import TableQuantity
from steelyard.render.numbers import RANGE, UNDEFINED, in_percent

NAMED = 5


def rank_column(report: Report) -> tuple[TableColumn, ...]:
    """Return the ranks with their plausible ranges, if there are several subjects."""
    if not any(subject.standing for subject in report.subjects):
        return ()
    return (words("rank", report.subjects, lambda subject: _rank(subject.standing)),)


def rank_note(report: Report) -> tuple[TextLine, ...]:
    """Explain the ranks, and list the subjects that may be best."""
    top = top_set(report.subjects)
    if not top:
        return ()
    labels = Labels.of(report)
    has_ranges = any(
        subject.standing is not None and _is_range(subject.standing) for subject in report.subjects
    )
    ranges = ", in brackets the ranks plausible for new cases of the same kind" if has_ranges else ""
    if len(top) == 1:
        text = ("; on these cases all others are significantly worse than ", *labels.subject(top[0]))
    else:
        names = listed([labels.subject(subject) for subject in top], limit=NAMED)
        text = ("; not significantly worse than the best: ", *names)
    counted_as = ", expected refusals count as passes" if report.expects_refusal else ""
    return (line(f"rank: by pass rate{counted_as}{ranges}", *text, tone=Tone.QUIET),)


def top_set(subjects: Sequence[SubjectSummary]) -> list[SubjectSummary]:
    """Return the subjects not significantly worse than the best, best first."""
    ranked = [(subject.standing, subject) for subject in subjects if subject.standing is not None]
    top = [(standing.rank, index) for index, (standing, _) in enumerate(ranked) if standing.in_top_set]
    return [ranked[index][1] for _, index in sorted(top)]


def on_the_front() -> TableQuantity[SubjectSummary]:
    """Describe the probability of being on the Pareto front."""
    return TableQuantity(title="on the front", cell=_on_front, gap=_no_front, is_explained=False)


def front_note(report: Report) -> tuple[TextLine, ...]:
    """Explain the front, and list the subjects that are almost surely not on it."""
    labels, rows = Labels.of(report), report.subjects
    if all(_no_front(subject) for subject in rows):
        return ()
    beaten = [labels.subject(row) for row in rows if row.standing and row.standing.is_dominated]
    text = ("; almost surely dominated: ", *listed(beaten, limit=NAMED)) if beaten else ()
    explanation = f"on the front: probability that no other {labels.noun} is both cheaper and better"
    return (line(explanation, *text, tone=Tone.QUIET),)


def _rank(standing: Standing | None) -> str:
    if standing is None:
        return UNDEFINED
    if not _is_range(standing):
        return str(standing.rank)
    return f"{standing.rank} ({standing.rank_low}{RANGE}{standing.rank_high})"


def _is_range(standing: Standing) -> bool:
    return standing.rank_low != standing.rank_high


def _on_front(subject: SubjectSummary) -> str:
    standing = subject.standing
    return UNDEFINED if standing is None or standing.on_front is None else in_percent(standing.on_front)


def _no_front(subject: SubjectSummary) -> Estimate | None:
    has_chance = subject.standing is not None and subject.standing.on_front is not None
    return None if has_chance else Estimate.undefined(Reason.NOT_MEASURED)
