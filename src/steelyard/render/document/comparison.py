"""Compose the document of a comparison: verdicts, regressions, improvements, cases not compared."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from steelyard.model.comparison import CaseRef, ChangeKind, Comparison, ScoreChange
from steelyard.render.document.blocks import (
    Document,
    FigureKind,
    Prose,
    Section,
    TextLine,
    Tone,
    line,
    listed,
    numbers,
    pictured,
    words,
)
from steelyard.render.document.changes import answers, changes_section, evidence
from steelyard.render.document.pair_labels import PairLabels
from steelyard.render.document.suite_changes import sparkline, suite_changes
from steelyard.render.document.totals import comparison_totals
from steelyard.render.document.trust import pair_integrity_section
from steelyard.render.numbers import count, p_value, share, step
from steelyard.render.words import counted

UNFOLDED = 10  # rows; longer lists are folded where the format can
PAIRS_NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Lengths:
    """The maximum rows of each list, and where to find the rest."""

    changes: int
    cases: int
    more: str

    def rest(self, left_out: int) -> tuple[TextLine, ...]:
        """Return a line about omitted rows, if there are any."""
        return (line(f"and {count(left_out)} more; {self.more}", tone=Tone.QUIET),) if left_out else ()


WHOLE = Lengths(changes=200, cases=50, more="--format json has all of them")
SHORT = Lengths(changes=5, cases=5, more="--details shows them")
P_OF_A_CASE = "p is for one case alone; among many cases, some small values occur by chance"


def comparison_document(comparison: Comparison, lengths: Lengths = WHOLE) -> Document:
    """Return the document of a comparison."""
    labels = pair_labels(comparison)
    regressions, improvements = comparison.regressions, comparison.improvements
    worst = "Regressions by the threshold rule, largest first"
    bad = _changes(worst, Tone.BAD, regressions, comparison, lengths)
    good = _changes("Improvements, largest first", Tone.GOOD, improvements, comparison, lengths)
    sections = {
        "answers": Section(lines=answers(comparison, labels)),
        "evidence": Section(lines=evidence(comparison, labels)),
        "totals": comparison_totals(comparison),
        "threshold": Section(lines=threshold_rule(comparison)),
        "sparkline": Section(lines=sparkline(comparison), only_in=frozenset({"markdown"})),
        "regressions": pictured(bad, FigureKind.REGRESSIONS, comparison),
        "improvements": pictured(good, FigureKind.IMPROVEMENTS, comparison),
        "changes": Section()
        if lengths is SHORT
        else pictured(changes_section(comparison, labels), FigureKind.SUBJECT_CHANGES, comparison),
        "suite-changes": pictured(suite_changes(comparison, labels), FigureKind.SUITE_CHANGES, comparison),
        **lone_cases(comparison, labels, lengths),
        "integrity": pair_integrity_section(comparison.baseline_integrity, comparison.current_integrity),
        "compared": Section(lines=(compared(comparison, labels),)),
    }
    return Document(sections=sections)


def lone_cases(comparison: Comparison, labels: PairLabels, lengths: Lengths = WHOLE) -> dict[str, Section]:
    """Return the cases that could not be compared, by reason."""
    groups = {
        "new": ("New cases, in the current report only", comparison.new_cases),
        "removed": ("Removed cases, in the baseline only", comparison.removed_cases),
        "changed": ("Changed cases, so not compared", comparison.changed_cases),
        "without-evidence": (
            "Cases without evidence on one side, so not compared",
            comparison.without_evidence,
        ),
    }
    return {name: _cases(title, cases, labels, lengths) for name, (title, cases) in groups.items()}


def pair_labels(comparison: Comparison) -> PairLabels:
    """Return the labels of the subjects of both reports."""
    lone = chain(comparison.new_cases, comparison.removed_cases)
    return PairLabels.of((subject.pair for subject in comparison.subjects), lone)


def threshold_rule(comparison: Comparison) -> tuple[TextLine, ...]:
    """Return the result of the threshold rule, and how many flagged cases stand out."""
    if not comparison.subjects and not _not_compared(comparison):
        return ()
    flagged = counted(len(comparison.regressions), "case") if comparison.regressions else "no case"
    rule = f"The threshold rule (a drop of more than {comparison.threshold:.12g}) flags {flagged}"
    scored = any(subject.p_score is not None for subject in comparison.subjects)
    improved = counted(len(comparison.improvements), "improvement")
    rest = f"{improved}, {count(comparison.unchanged)} unchanged{_not_compared(comparison)}"
    tone = Tone.WARNING if comparison.is_missing_cases else Tone.PLAIN
    return (line(f"{rule}{_standing_out(comparison.regressions, scored=scored)}. Also: {rest}.", tone=tone),)


def _standing_out(regressions: Sequence[ScoreChange], *, scored: bool) -> str:
    """Return how many regressions stand out; single cases are tested by passes, not by scores."""
    standing_out = sum(change.stands_out for change in regressions)
    if len(regressions) == 1:
        open_end = ", which does not stand out by its passes" if scored else ", which could be noise"
        return ", which stands out from noise" if standing_out else open_end
    if not regressions:
        return ""
    by = " by its passes" if scored else ""
    if not standing_out:
        return f"; none of them stands out from noise{by}"
    by = by.replace("its", "their") if standing_out > 1 else by
    return f"; {count(standing_out)} of them {'stands' if standing_out == 1 else 'stand'} out from noise{by}"


def _not_compared(comparison: Comparison) -> str:
    lone = (
        ("new", comparison.new_cases),
        ("removed", comparison.removed_cases),
        ("changed", comparison.changed_cases),
        ("without evidence", comparison.without_evidence),
    )
    parts = [f"{count(len(cases))} {word}" for word, cases in lone if cases]
    return f"; not compared: {', '.join(parts)}" if parts else ""


def compared(comparison: Comparison, labels: PairLabels) -> TextLine:
    """Return the compared pairs of subjects."""
    pairs = [labels.pair(subject.pair) for subject in comparison.subjects]
    names = listed(pairs, limit=PAIRS_NAMED) or ("nothing",)
    return line("compared: ", *names, "; made by ", Prose(comparison.generator), tone=Tone.QUIET)


def _changes(
    title: str, tone: Tone, changes: Sequence[ScoreChange], comparison: Comparison, lengths: Lengths
) -> Section:
    rows = changes[: lengths.changes]
    if not rows:
        return Section()
    # Comparisons written by earlier versions do not test improvements.
    is_tested = tone is Tone.BAD or any(row.p_rise is not None for row in rows)
    columns = (
        *pair_labels(comparison).columns(rows),
        numbers("baseline", rows, lambda row: share(row.baseline_score)),
        numbers("current", rows, lambda row: share(row.current_score)),
        numbers("change", rows, lambda row: step(row.delta, beyond=comparison.threshold)),
        *((words("noise?", rows, noise),) if is_tested else ()),
    )
    notes = (line(P_OF_A_CASE, tone=Tone.QUIET),) if is_tested else ()
    return Section(
        title=title,
        columns=columns,
        lines=(*lengths.rest(len(changes) - len(rows)), *notes),
        tone=tone,
        is_detail=len(rows) > UNFOLDED,
    )


def noise(change: ScoreChange) -> str:
    """Return whether noise explains the change of a case."""
    p = change.p_rise if change.kind is ChangeKind.IMPROVEMENT else change.p_drop
    if change.stands_out:
        return "stands out" if p is None else f"stands out ({p_value(p)})"
    if p is None:
        return "not tested"
    if p == 1:
        return "passes as often"
    return f"could be noise ({p_value(p)})"


def _cases(title: str, cases: Sequence[CaseRef], labels: PairLabels, lengths: Lengths) -> Section:
    if not cases:
        return Section()
    rows = cases[: lengths.cases]
    return Section(
        title=f"{title} ({count(len(cases))})",
        columns=labels.columns(rows),
        lines=lengths.rest(len(cases) - len(rows)),
        is_detail=True,
    )
