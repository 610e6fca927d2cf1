"""Make evidence for the tests of this folder, as the store would count it."""

from collections.abc import Mapping
from pathlib import Path

import steelyard
from steelyard.analysis.subjects import SubjectCases, subjects
from steelyard.model.options import ReportOptions, Scoring
from steelyard.model.report import Report
from steelyard.model.state import CaseState, Evidence, ExpectedCase, SubjectKey
from tests.commands import written

PLAUSIBLE = Scoring(name="plausible", version=1)


def case(  # noqa: PLR0913  # the counts and every part of the name, all but two with defaults
    name: str, n: int, c: int, *, model: str = "m", tier: str = "T0", suite: str = "s"
) -> CaseState:
    """Return a case with so many samples and passes, scored by pass or fail."""
    points = c * 1_000_000
    return CaseState(
        model, tier, suite, name, None, n=n, c=c, score_n=n, score_sum=points, score_sq=points * 1_000_000
    )


def evidence(
    *states: CaseState,
    unknown: tuple[CaseState, ...] = (),
    duplicates: Mapping[SubjectKey, int] | None = None,
) -> Evidence:
    """Return evidence without spreads."""
    return Evidence(
        states=states,
        unknown=unknown,
        scoring=PLAUSIBLE,
        spreads={},
        dropped_duplicates=duplicates or {},
    )


def lined_up(
    *states: CaseState, expected: frozenset[ExpectedCase] | None = None, **options: object
) -> tuple[SubjectCases, ...]:
    """Return the subjects of some cases."""
    return subjects(evidence(*states), expected, ReportOptions(**options))  # type: ignore[arg-type]  # any option


def reported(folder: Path, text: str, **options: object) -> Report:
    """Score a CSV text."""
    return steelyard.score_files([written(folder, text)], options=ReportOptions(**options))  # type: ignore[arg-type]  # any option
