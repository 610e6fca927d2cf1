"""Name what a gate decided, and hold the numbers it decided by.

A verdict is a result, never an error; which verdict applies is decided in `metrics/gates.py`.
"""

from dataclasses import dataclass
from enum import StrEnum

from steelyard.errors import DomainError


class Verdict(StrEnum):
    """The verdict of a gate about the current run."""

    PASS = "pass"  # a drop as large as the margin is ruled out
    FAIL = "fail"  # something dropped, beyond what noise explains
    INCONCLUSIVE = "inconclusive"  # neither is shown; more samples would tell


class Inconclusive(StrEnum):
    """What a job does about a verdict that decides nothing."""

    PASS = "pass"
    FAIL = "fail"


class Ground(StrEnum):
    """Why a gate decided as it did."""

    SEVERAL_CASES = "several_cases"  # drops of several cases, none of them beyond noise by itself
    OVERALL_DROP = "overall_drop"  # the cases taken together dropped
    BROKEN_CASES = "broken_cases"  # single cases dropped, named in the evidence
    SCORE_DROP = "score_drop"  # the mean score dropped, which passes need not show
    RISE = "rise"  # what a sample costs or takes rose, by the margin or more
    WITHIN_MARGIN = "within_margin"  # the largest plausible drop is smaller than the margin
    TOO_FEW_SAMPLES = "too_few_samples"  # the largest plausible drop is still larger than the margin
    NOT_RULED_OUT = "not_ruled_out"  # going on would hardly show a drop, and none is ruled out
    DEPENDENT_SAMPLES = "dependent_samples"  # drop and rise are both shown, so samples repeat
    TOO_MANY_ERRORS = "too_many_errors"  # too much of the evidence is missing to decide anything
    NO_SHARED_CASES = "no_shared_cases"  # there is nothing to compare
    NOT_MEASURED = "not_measured"  # one of the reports does not hold the metric for every case
    UNEQUAL_SAMPLES = "unequal_samples"  # means of skewed amounts compare only over equally many samples
    TO_BE_CONFIRMED = "to_be_confirmed"  # within the margin, but suspects are to be generated again first
    CASES_STAND_OUT = "cases_stand_out"  # within the margin, but single cases dropped beyond noise
    MISSING_CASES = "missing_cases"  # cases of the baseline have nothing to stand beside them
    UNFINISHED = "unfinished"  # samples that were planned for the current run are not there yet


NOT_INDEPENDENT = "samples within a run are not independent"

LEAST_ALPHA = 1e-4  # of a subject: the generates behind a test show no smaller chance well


def require_alpha(alpha: float) -> None:
    """Refuse a share of false alarms by which a coin could decide, or which no test reaches."""
    if not LEAST_ALPHA <= alpha < 0.5:  # noqa: PLR2004 - a coin decides at one half
        raise DomainError(
            f"alpha, shared by the subjects of a report, lies between {LEAST_ALPHA:g} and 0.5, got {alpha:g}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRule:
    """What a gate may get wrong, and what it has to see.

    `alpha` bounds the false alarms of one decision; 0.05 suits a pull request, 0.005 a nightly job. A change
    surely smaller than `margin` never fails, except that of single cases. More infrastructure errors than
    `max_error_share` could hide a drop of that size, so nothing is decided then. Without `allow_missing`
    a run in which cases of the baseline are missing does not pass.
    """

    alpha: float = 0.05
    margin: float = 0.05
    max_error_share: float = 0.05
    allow_missing: bool = False
    confirm_cases: int = 20
    confirm_samples: int = 10

    def __post_init__(self) -> None:
        require_alpha(self.alpha)
        if not 0 < self.margin <= 1:
            raise DomainError(f"the margin lies between 0 and 1, got {self.margin} (5 points are 0.05)")
        if not 0 <= self.max_error_share <= 1:
            raise DomainError(f"the largest error share lies between 0 and 1, got {self.max_error_share}")
        if self.confirm_cases < 1 or self.confirm_samples < 1:
            raise DomainError("confirming takes at least one case and one sample")


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceEvidence:
    """What all rounds of single samples say: pairs by kind, and e-values.

    `e_drop` is the evidence for a drop of the passes, `e_score_drop` for one of the scores, which is there
    where scores say more than passes. One of them at `fails_at` or more is a fail. `e_within` is the evidence
    that neither fell by the margin; at `passes_at` or more it is a pass.
    """

    rounds: int
    losses: int
    wins: int
    same: int
    e_drop: float
    e_score_drop: float | None = None
    e_within: float
    fails_at: float
    passes_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectionChances:
    """How often a gate fails two runs like these, by simulation of its own test, if there is a drop.

    `spread` is the chance where the mean falls by `drop`, every case in proportion; `one_case` the chance
    where a single case that passed in 90 % of its samples or more now fails always. So many `pairs` of runs
    were generated for each.
    """

    drop: float
    spread: float
    one_case: float
    pairs: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class GateEvidence:
    """The numbers behind a decision; drops are in score units, so 0.05 is five points down.

    `broken_cases` are positions in the arrays the gate was given; so are those `standing_out`, which a
    comparison would name: a gate does not pass them. `p_overall` tests whether the passes of all cases
    together dropped, `p_criticism` whether those of several did, `p_sparse` whether those of one or two did,
    `p_joint` all of that at once, and `p_rise` whether the passes of all cases together rose.
    `largest_plausible_drop` is an upper bound at the confidence 1 - alpha, with the `missing_samples` at
    their worst: passed in the baseline, failed now. The fields of the score are there where scores say more
    than passes. Where money or time is compared, `rise` is how much more a sample takes on average, 0.1 for
    ten percent, and the two bounds how much that may be, each at the confidence 1 - alpha. `detection` has
    the power of a gate of two finished runs that showed nothing. `more_samples` per case, in both runs, would
    probably decide an open verdict.
    """

    cases: int
    error_share: float
    missing_samples: int = 0
    p_joint: float | None = None
    p_overall: float | None = None
    p_method: str | None = None
    p_criticism: float | None = None
    p_sparse: float | None = None
    broken_cases: tuple[int, ...] = ()
    standing_out: tuple[int, ...] = ()
    baseline_pass_rate: float | None = None
    current_pass_rate: float | None = None
    p_rise: float | None = None
    drop: float | None = None
    largest_plausible_drop: float | None = None
    p_score: float | None = None
    score_drop: float | None = None
    largest_plausible_score_drop: float | None = None
    rise: float | None = None
    smallest_plausible_rise: float | None = None
    largest_plausible_rise: float | None = None
    detection: DetectionChances | None = None
    more_samples: int | None = None
    sequence: SequenceEvidence | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GateDecision:
    """A verdict, the grounds for it, and the evidence."""

    verdict: Verdict
    grounds: tuple[Ground, ...]
    evidence: GateEvidence


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmPlan:
    """Which cases to resample , how often in each run, and what holds if nothing is confirmed.

    `cases` are positions in the arrays the plan was made from; when empty, `unless_confirmed` is final.
    """

    cases: tuple[int, ...]
    samples: int
    unless_confirmed: GateDecision
