"""Line up the cases that all subjects have evidence for, once for the ranking and for the frontier."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from steelyard.analysis.subjects import SubjectCases
from steelyard.model.state import CaseState

Name = tuple[str, str]  # suite and case


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedCases:
    """The names of the shared cases in ascending order, and a row for each subject: its states of them."""

    names: Sequence[Name]
    rows: Sequence[Sequence[CaseState]]


def shared_cases(subjects: Sequence[SubjectCases]) -> SharedCases:
    """Return the cases that all subjects have evidence for."""
    rows = [[state for state in subject.states if state.n] for subject in subjects]
    names = [[(state.suite, state.case) for state in row] for row in rows]
    if names and _are_in_order(names[0]) and all(each == names[0] for each in names):
        return SharedCases(names=names[0], rows=rows)  # as nearly always
    tables = [dict(zip(*each, strict=True)) for each in zip(names, rows, strict=True)]
    shared = sorted(set.intersection(*map(set, tables))) if tables else []
    return SharedCases(names=shared, rows=[[table[name] for name in shared] for table in tables])


def _are_in_order(names: Sequence[Name]) -> bool:
    return all(item < other for item, other in pairwise(names))
