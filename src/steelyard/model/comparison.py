"""The comparison of two reports; its JSON form is public and versioned."""

from dataclasses import dataclass
from enum import StrEnum

from steelyard.model.estimate import Estimate
from steelyard.model.shown import Shown
from steelyard.model.trust import SubjectIntegrity
from steelyard.model.verdict import GateDecision


class ChangeKind(StrEnum):
    """How a score moved from the baseline run to the current one."""

    REGRESSION = "regression"  # it fell by more than the threshold
    IMPROVEMENT = "improvement"  # it rose by more than the threshold
    UNCHANGED = "unchanged"  # it moved by the threshold or less


COMPARISON_SCHEMA = "steelyard.comparison/2"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedSubject:
    """Which subject of the baseline stands beside which of the current report."""

    baseline_model: str
    baseline_tier: str
    current_model: str
    current_tier: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreChange:
    """The mean score of one case in both reports; `delta` is current minus baseline.

    `p_drop` is the chance of at least so large a drop in passes without any change, `p_rise` that of at least
    so large a rise. `stands_out` is true for a drop, or an improvement, that noise does not explain, allowing
    for all the cases that were looked at.
    """

    model: str
    tier: str
    suite: str
    case: str
    kind: ChangeKind
    baseline_score: float
    current_score: float
    delta: float
    p_drop: float | None
    stands_out: bool
    p_rise: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRef:
    """A case of one subject."""

    model: str
    tier: str
    suite: str
    case: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectComparison:
    """One subject of the baseline beside one of the current report, over the cases both have evidence for.

    `p_drop` is the chance of at least so large a drop without any change (Cochran-Mantel-Haenszel over
    cases), and `p_method` how it was worked out. The changes are current minus baseline, with intervals for
    new cases and for resampling these cases. `decision` is that of a gate with the default rule, and
    `named_cases` are those it names. `worse` and `better` count the cases whose pass rate fell or rose,
    `score_worse` and `score_better` those whose mean score did. `p_score` is the chance of at least so large
    a drop of the score without any change, where scores say more than passes. `p_rise` and `p_score_rise` are
    the chances of so large a rise, by the same tests with the reports exchanged.
    """

    pair: PairedSubject
    cases: int
    baseline_pass_rate: float
    current_pass_rate: float
    pass_rate_change: Estimate
    score_change: Estimate
    p_drop: float
    p_method: str
    odds_ratio: float | None
    decision: GateDecision
    named_cases: tuple[CaseRef, ...] = ()
    worse: int
    better: int
    p_score: float | None = None
    score_worse: int = 0
    score_better: int = 0
    p_rise: float | None = None
    p_score_rise: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteComparison:
    """One suite of a pair of subjects, over the cases both have evidence for.

    The change is current minus baseline, with intervals for new cases and for resampling these cases.
    """

    pair: PairedSubject
    suite: str
    cases: int
    baseline_pass_rate: float
    current_pass_rate: float
    pass_rate_change: Estimate
    worse: int
    better: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Comparison(Shown):
    """Two reports side by side under the threshold rule.

    A case that one report lacks, that changed between the two, or that has no evidence in one of them
    is never paired; it is listed. The grading of each side is included if known.
    """

    schema: str = COMPARISON_SCHEMA
    generator: str
    threshold: float
    subjects: tuple[SubjectComparison, ...]
    suites: tuple[SuiteComparison, ...] = ()
    regressions: tuple[ScoreChange, ...]
    improvements: tuple[ScoreChange, ...]
    unchanged: int
    new_cases: tuple[CaseRef, ...]
    removed_cases: tuple[CaseRef, ...]
    changed_cases: tuple[CaseRef, ...]
    without_evidence: tuple[CaseRef, ...]
    baseline_integrity: tuple[SubjectIntegrity, ...] = ()
    current_integrity: tuple[SubjectIntegrity, ...] = ()

    @property
    def is_missing_cases(self) -> bool:
        """Whether some case of the baseline has nothing to stand beside it."""
        return bool(self.removed_cases or self.changed_cases or self.without_evidence)
