"""The stored rounds of an anytime gate; the JSON form is public and versioned."""

from dataclasses import dataclass, field

from steelyard.model.comparison import PairedSubject
from steelyard.model.gate import SubjectGate

SEQUENCE_SCHEMA = "steelyard.sequence/2"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairsSeen:
    """Pairs of single samples of all rounds so far: passes that became failures, the reverse, and neither.

    `lost` pairs lack a sample because of an infrastructure error; they count as losses against a pass.
    `score_stakes` are the logarithms of the bets that the score fell by less than the margin, and
    `score_drop_stakes` of those that it fell, where scores say more than passes.
    """

    rounds: int = 0
    losses: int = 0
    wins: int = 0
    same: int = 0
    lost: int = 0
    score_stakes: tuple[float, ...] = ()
    score_drop_stakes: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectSequence:
    """The pairs of one pair of subjects, and the decision that ended them, if one did.

    `cases` is a digest of the cases of its first round, which every round has. `passed` has the samples of
    each case so far, and how many passed in the baseline and in the current run.
    """

    pair: PairedSubject
    seen: PairsSeen
    ended: SubjectGate | None = None
    cases: str | None = None
    passed: dict[str, tuple[int, int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class GateSequence:
    """The state of a sequence of rounds, subject by subject.

    `margin` and `alpha` are those of its first round, which every round keeps. `reports` are digests of the
    samples of all reports that were added, so that none counts twice.
    """

    schema: str = SEQUENCE_SCHEMA
    margin: float | None = None
    alpha: float | None = None
    reports: tuple[str, ...] = ()
    subjects: tuple[SubjectSequence, ...] = ()

    @property
    def pairs(self) -> frozenset[PairedSubject]:
        """The pairs of subjects that it began with."""
        return frozenset(subject.pair for subject in self.subjects)

    def of(self, pair: PairedSubject) -> SubjectSequence:
        """Return what was seen of a pair of subjects; nothing, if it is new."""
        known = {subject.pair: subject for subject in self.subjects}
        return known.get(pair, SubjectSequence(pair=pair, seen=PairsSeen()))
