"""Compare two runs, or two subjects, for a viewer: the comparison, and the cases that changed."""

from dataclasses import dataclass

from steelyard.app.compare import compare
from steelyard.app.view.run_view import RunView
from steelyard.model.comparison import Comparison, ScoreChange
from steelyard.model.state import CaseKey, SubjectKey
from steelyard.model.viewing import CaseRow

MOST_CHANGES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedCase:
    """A case whose score changed by more than the threshold, as both sides have it."""

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
    names = None if subjects is None else (_name(subjects[0]), _name(subjects[1]))
    found = compare(before.report(), after.report(), subjects=names)
    largest = sorted(found.regressions, key=lambda change: change.delta)
    largest += sorted(found.improvements, key=lambda change: -change.delta)
    return ComparedRuns(comparison=found, changes=_rows(before, after, found, largest[:MOST_CHANGES]))


def _name(subject: SubjectKey) -> str:
    return f"{subject.model}@{subject.tier}"


def _rows(
    before: RunView, after: RunView, found: Comparison, changes: list[ScoreChange]
) -> tuple[ChangedCase, ...]:
    """Return both sides of each change, each under its own subject's name."""
    pairs = [one.pair for one in found.subjects]
    partner = {
        SubjectKey(one.current_model, one.current_tier): SubjectKey(one.baseline_model, one.baseline_tier)
        for one in pairs
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
