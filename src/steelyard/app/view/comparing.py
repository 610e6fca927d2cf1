"""Compare two runs or subjects for the viewer, and list changed cases."""

from dataclasses import dataclass

from steelyard.app.compare import compare
from steelyard.app.view.run_view import RunView
from steelyard.model.comparison import Comparison, ScoreChange
from steelyard.model.state import CaseKey, SubjectKey
from steelyard.model.viewing import CaseRow

MOST_CHANGES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedCase:
    """A case with a score change above the threshold, with both sides."""

    change: ScoreChange
    before: CaseRow | None
    after: CaseRow | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRuns:
    """A comparison and its largest changes: regressions first, then improvements."""

    comparison: Comparison
    changes: tuple[ChangedCase, ...]


def compare_views(
    before: RunView, after: RunView, *, subjects: tuple[SubjectKey, SubjectKey] | None = None
) -> ComparedRuns:
    """Compare two runs, or one subject of each."""
    names = None if subjects is None else (_name_subject(subjects[0]), _name_subject(subjects[1]))
    comparison = compare(before.report(), after.report(), subjects=names)
    largest = sorted(comparison.regressions, key=lambda change: change.delta)
    largest += sorted(comparison.improvements, key=lambda change: -change.delta)
    return ComparedRuns(
        comparison=comparison, changes=_pair_rows(before, after, comparison, largest[:MOST_CHANGES])
    )


def _name_subject(subject: SubjectKey) -> str:
    return f"{subject.model}@{subject.tier}"


def _pair_rows(
    before: RunView, after: RunView, comparison: Comparison, changes: list[ScoreChange]
) -> tuple[ChangedCase, ...]:
    """Pair both sides of each change, under each side's subject."""
    pairs = [subject.pair for subject in comparison.subjects]
    partner = {
        SubjectKey(pair.current_model, pair.current_tier): SubjectKey(pair.baseline_model, pair.baseline_tier)
        for pair in pairs
    }
    new = [CaseKey(change.model, change.tier, change.suite, change.case) for change in changes]
    old = [replace_subject(key, partner[SubjectKey(key.model, key.tier)]) for key in new]
    known_before, known_after = before.rows_named(old), after.rows_named(new)
    return tuple(
        ChangedCase(change=change, before=known_before.get(a), after=known_after.get(b))
        for change, a, b in zip(changes, old, new, strict=True)
    )


def replace_subject(key: CaseKey, subject: SubjectKey) -> CaseKey:
    """Return the same case of another subject."""
    return CaseKey(subject.model, subject.tier, key.suite, key.case)
