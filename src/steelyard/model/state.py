"""Hold what was counted about each case: integers only, so that parts add up to the whole exactly.

This is the one shape in which outcomes leave the store, whether ten were counted or ten thousand million.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from steelyard.model.options import Scoring
from steelyard.model.outcome import Classification
from steelyard.model.units import MICRO_POINTS, MICROSECONDS, NANO_USD


class CaseKey(NamedTuple):
    """A model, its tier, and the suite and case that it answered."""

    model: str
    tier: str
    suite: str
    case: str


class SubjectKey(NamedTuple):
    """What is evaluated: a model in one tier."""

    model: str
    tier: str


class CaseState(NamedTuple):
    """Everything counted about one model, tier, suite and case; one row of the store's one group-by.

    A named tuple rather than a dataclass because a run has up to 10^5 of these and they come as rows.
    `n` counts evidence, so infrastructure errors are in `n_error` and nowhere else. A quantity `x` comes as
    `x_n` (samples that have it) and `x_sum` in the integer units of `model/units.py`. `n_sealed`,
    `n_partial` and `n_open` count evidence by its integrity, which is unknown for the rest of `n`.
    `x_pass_sum` and `x_fail_sum` are the parts of `x_sum` that passes and failures have.
    """

    model: str
    tier: str
    suite: str
    case: str
    digest: str | None = None
    n: int = 0
    c: int = 0
    n_error: int = 0
    n_build_error: int = 0
    n_timeout: int = 0
    n_crash: int = 0
    n_refusal: int = 0
    n_wrong_format: int = 0
    n_policy_violation: int = 0
    n_untested: int = 0
    n_unlinted: int = 0
    n_unpriced: int = 0
    score_n: int = 0
    score_sum: int = 0
    score_sq: int = 0
    impl_n: int = 0
    impl_sum: int = 0
    built_n: int = 0
    built_sum: int = 0
    tests_n: int = 0
    tests_sum: int = 0
    cost_n: int = 0
    cost_sum: int = 0
    latency_n: int = 0
    latency_sum: int = 0
    tokens_in_sum: int = 0
    tokens_out_sum: int = 0
    n_sealed: int = 0
    n_partial: int = 0
    n_open: int = 0
    score_pass_sum: int = 0
    cost_pass_sum: int = 0
    cost_fail_sum: int = 0

    @property
    def key(self) -> CaseKey:
        """The model, tier, suite and case."""
        return CaseKey(self.model, self.tier, self.suite, self.case)

    @property
    def subject(self) -> SubjectKey:
        """The model and tier."""
        return SubjectKey(self.model, self.tier)

    @property
    def is_missing(self) -> bool:
        """Whether not a single sample was generated, not even one that ended in an infrastructure error."""
        return not (self.n or self.n_error)

    def failures(self) -> dict[Classification, int]:
        """Count the failed samples of each kind; whatever has no kind of its own is a plain `fail`."""
        counts = {
            Classification.BUILD_ERROR: self.n_build_error,
            Classification.TIMEOUT: self.n_timeout,
            Classification.CRASH: self.n_crash,
            Classification.REFUSAL: self.n_refusal,
            Classification.WRONG_FORMAT: self.n_wrong_format,
            Classification.POLICY_VIOLATION: self.n_policy_violation,
        }
        counts[Classification.FAIL] = self.n - self.c - sum(counts.values())
        return counts

    def ended_in(self, kind: Classification) -> int:
        """Count the samples that ended in one kind, including passes and infrastructure errors."""
        whole = {Classification.PASS: self.c, Classification.ERROR: self.n_error}
        return whole[kind] if kind in whole else self.failures()[kind]

    def merged(self, other: "CaseState") -> "CaseState":
        """Add the counts of another part of the same case."""
        if self[:_KEY_FIELDS] != other[:_KEY_FIELDS]:
            raise ValueError(f"cannot merge the counts of {self.key} with those of {other.key}")
        mine, theirs = self._asdict(), other._asdict()
        return self._replace(**{name: mine[name] + theirs[name] for name in self._fields[_KEY_FIELDS:]})


_KEY_FIELDS = 5
_AT_A_TIME = 256  # states that stay in the processor's cache: eight times as fast as all at once


def total(states: Iterable[CaseState]) -> CaseState:
    """Add up the counts of any cases; the result has no names."""
    sums = [0] * (len(CaseState._fields) - _KEY_FIELDS)
    rest = iter(states)
    while some := list(islice(rest, _AT_A_TIME)):
        columns = islice(zip(*some, strict=True), _KEY_FIELDS, None)
        sums = [before + sum(column) for before, column in zip(sums, columns, strict=True)]
    return CaseState("", "", "", "", None, *sums)


class ExpectedCase(NamedTuple):
    """A case that should have been answered; the suite is None where the list does not say."""

    suite: str | None
    case: str


class Quantity(StrEnum):
    """A number measured on every sample, whose spread over the samples is of interest."""

    SCORE = "score"
    IMPL_RATE = "impl_rate"
    COST = "cost"
    LATENCY = "latency"

    @property
    def unit(self) -> int:
        """How many integer steps make one."""
        return _UNITS[self]


_UNITS = {
    Quantity.SCORE: MICRO_POINTS,
    Quantity.IMPL_RATE: MICRO_POINTS,
    Quantity.COST: NANO_USD,
    Quantity.LATENCY: MICROSECONDS,
}


class Spread(NamedTuple):
    """How whole numbers spread: enough for the median, the mode and the population standard deviation.

    Adding up two of these would not give a third, so a spread is counted over all samples at once.
    """

    n: int
    sum: int
    sum_sq: int
    lowest: int
    highest: int
    lower_middle: int
    upper_middle: int
    mode: int
    p95: int | None = None  # the smallest value that at least 95 % of the values do not exceed


class RunState(NamedTuple):
    """Everything counted about one run of a subject: its samples of the same attempt, over all cases.

    Named and counted as in a case state.
    """

    run: str
    n: int
    c: int
    n_error: int
    score_n: int = 0
    score_sum: int = 0
    impl_n: int = 0
    impl_sum: int = 0
    cost_n: int = 0
    cost_sum: int = 0
    latency_n: int = 0
    latency_sum: int = 0
    n_unpriced: int = 0


ScoreCounts = tuple[tuple[int, int], ...]  # each score of a case in micro-points, and how often it came up


Clusters = Mapping[tuple[str, str], str]  # names by suite and case


class Repeats(NamedTuple):
    """Samples of a case that repeat the answer and the result of another, and how many of those passed."""

    samples: int = 0
    passed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BlankCells:
    """How many cells of a column of outcome files are empty.

    Where they are is not kept: a report is the same for one file and for seven.
    """

    column: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the store counted: case states, how values spread, and what it had to leave out.

    `runs` lists every run of the subjects that have few enough of them, in the order of their numbers.
    `unknown` are the states of unexpected cases, `honeypots` those of cases that no honest answer passes;
    both are in no other number. Where outcomes do not say how samples ended, not `names_refusals`.
    `scores` is empty unless requested. `repeats` has the cases of which answers repeat, where answers
    are known and single values were read. `clusters` has the cluster of each case in one, by suite and
    case. `blank` are empty cells that should say what passed.
    """

    states: tuple[CaseState, ...]
    unknown: tuple[CaseState, ...] = ()
    honeypots: tuple[CaseState, ...] = ()
    scoring: Scoring
    spreads: Mapping[tuple[SubjectKey, Quantity], Spread] | None
    runs: Mapping[SubjectKey, tuple[RunState, ...]] = field(default_factory=dict)
    dropped_duplicates: Mapping[SubjectKey, int] = field(default_factory=dict)
    names_refusals: bool = True
    scores: Mapping[CaseKey, ScoreCounts] = field(default_factory=dict)
    repeats: Mapping[CaseKey, Repeats] = field(default_factory=dict)
    clusters: Clusters = field(default_factory=dict)
    blank: BlankCells | None = None
