"""The pairwise comparison of a report's subjects; its JSON form is public and versioned."""

from dataclasses import dataclass

from steelyard.model.estimate import Estimate
from steelyard.model.shown import Shown

MATRIX_SCHEMA = "steelyard.matrix/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixSubject:
    """A subject and its pass rate over the cases that all subjects have evidence for."""

    model: str
    tier: str
    pass_rate: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixPair:
    """Two subjects, by their places in the list of subjects; the `better` one has the higher pass rate.

    `difference` is better minus worse, with intervals that hold for all pairs at once. `p` is two-sided, and
    `p_adjusted` the same with all pairs taken into account; the pair `is_settled` where that is small.
    """

    better: int
    worse: int
    difference: Estimate
    p: float
    p_adjusted: float
    is_settled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NextSample:
    """A case of a subject of which one more sample tells most about which subject is the best."""

    model: str
    tier: str
    suite: str
    case: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SubjectMatrix(Shown):
    """All pairs of the subjects of one report, paired by case; the best subject comes first.

    `groups` are places of subjects that follow each other and are too close to call. `next_samples` are the
    samples that would tell most about the best one, the most telling first; none once it is settled.
    """

    schema: str = MATRIX_SCHEMA
    generator: str
    level: float
    cases: int
    left_out: int
    subjects: tuple[MatrixSubject, ...]
    pairs: tuple[MatrixPair, ...]
    groups: tuple[tuple[int, ...], ...]
    next_samples: tuple[NextSample, ...]
