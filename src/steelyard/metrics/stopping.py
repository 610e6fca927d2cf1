"""Estimate pass@k and means when sampling stopped by a rule that was declared beforehand.

Stopping on what was seen (at the first pass, after three failures) biases every plain estimate. Counting
the paths that lead to the same stopping point removes the bias exactly, for any declared rule that cannot
stop before k samples, or only with a pass. For an undeclared rule there is no correction.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from steelyard.errors import DomainError

_PART = re.compile(r"(?P<name>maximum|minimum|passes|failures)=(?P<number>[1-9]\d{0,8})|unanimous", re.ASCII)

Point = tuple[int, int]  # samples drawn, passes among them


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRule:
    """When sampling of a case ends: at `maximum` samples, or earlier by any of the named conditions.

    Nothing ends before `minimum` samples. From there on it ends with `passes` passes, with `failures`
    failures, or, if `unanimous`, when all samples so far agree. With none of these it is a fixed number.
    """

    maximum: int
    minimum: int = 1
    passes: int | None = None
    failures: int | None = None
    unanimous: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.minimum <= self.maximum:
            raise DomainError(f"expected 1 <= minimum <= maximum, got {self.minimum} and {self.maximum}")
        if any(limit is not None and limit < 1 for limit in (self.passes, self.failures)):
            raise DomainError("a rule stops at one pass or failure, or more")

    def stops(self, *, n: int, c: int) -> bool:
        """Whether sampling ends after c passes in n samples."""
        if n >= self.maximum:
            return True
        if n < self.minimum:
            return False
        enough_passes = self.passes is not None and c >= self.passes
        enough_failures = self.failures is not None and n - c >= self.failures
        return enough_passes or enough_failures or (self.unanimous and c in {0, n})


def stop_rule_of(text: str) -> StopRule:
    """Read a rule as it is declared; source: `StopRule`, whose fields are the words. Range: as there.

    >>> stop_rule_of("maximum=10,passes=1")
    StopRule(maximum=10, minimum=1, passes=1, failures=None, unanimous=False)
    """
    words = text.split(",")
    parts = [_PART.fullmatch(word) for word in words]
    limits = {part["name"]: int(part["number"]) for part in parts if part and part["name"]}
    if None in parts or "maximum" not in limits or len(words) != len({word.split("=")[0] for word in words}):
        raise DomainError("expected maximum=N and any of minimum=N, passes=N, failures=N, unanimous")
    return StopRule(**limits, unanimous="unanimous" in words)


def fixed(n: int) -> StopRule:
    """Return the rule that always draws n samples.

    >>> fixed(5).stops(n=4, c=4)
    False
    """
    return StopRule(maximum=n, minimum=n)


def stopped_pass_at_k(rule: StopRule, *, n: int, c: int, k: int) -> float:
    """Return the unbiased pass@k of a case that stopped after c passes in n samples.

    1 - (paths to (n, c) that begin with k failures) / (paths to (n, c)), counting only paths the rule
    allows. With a fixed number of samples it is 1 - C(n-c, k) / C(n, k). Range: [0, 1].
    Source: Girshick, Mosteller and Savage 1946.

    >>> first_pass = StopRule(maximum=10, passes=1)
    >>> stopped_pass_at_k(first_pass, n=1, c=1, k=1), stopped_pass_at_k(first_pass, n=4, c=1, k=1)
    (1.0, 0.0)
    """
    return float(1 - _failing_share(rule, n, c, k))


def stopped_mean(rule: StopRule, *, n: int, c: int, passed: int, failed: int) -> Fraction:
    """Return the unbiased mean of a quantity of one sample, from its sums over the passes and the failures.

    s * passed / c + (1 - s) * failed / (n - c), where s is the share of the paths to (n, c) that begin with
    a pass: what to expect of the first sample, which the rule always draws. The pass rate is the mean of a
    quantity that is 1 for a pass and 0 for a failure; with a fixed number of samples it is c / n.
    Range: that of the quantity. Source: Girshick, Mosteller and Savage 1946; Blackwell 1947.

    >>> stopped_mean(StopRule(maximum=10, passes=1), n=4, c=1, passed=1, failed=0)
    Fraction(0, 1)
    >>> stopped_mean(fixed(4), n=4, c=1, passed=100, failed=60)
    Fraction(40, 1)
    """
    first_passes = 1 - _failing_share(rule, n, c, 1)
    of_passes = first_passes * Fraction(passed, c) if c else Fraction(0)
    return of_passes + ((1 - first_passes) * Fraction(failed, n - c) if c < n else 0)


def is_estimable(rule: StopRule, *, k: int) -> bool:
    """Whether pass@k has an unbiased estimate: the rule stops before k samples with a pass, or never.

    A pass among fewer samples settles that not all k fail. Range: k >= 1.
    Source: Girshick, Mosteller and Savage 1946.

    >>> is_estimable(StopRule(maximum=10, failures=2), k=3), is_estimable(StopRule(maximum=10, passes=1), k=3)
    (False, True)
    """
    if k < 1:
        raise DomainError(f"k must be at least 1, got {k}")
    return all(n >= k or c for n, c in stopping_paths(rule))


def is_open(rule: StopRule, *, n: int, c: int) -> bool:
    """Whether sampling by the rule may have come to c passes in n samples and has not ended there.

    Range: 0 <= c <= n. Source: the definition of the rule; such a case was left before its time.

    >>> first_pass = StopRule(maximum=10, passes=1)
    >>> is_open(first_pass, n=4, c=0), is_open(first_pass, n=4, c=1), is_open(first_pass, n=4, c=2)
    (True, False, False)
    """
    return (n, c) in _open_points(rule)


@lru_cache(maxsize=65536)
def sure_samples(rule: StopRule, *, n: int, c: int) -> int:
    """Return how many more samples the rule demands after c passes in n, whatever these will show.

    The fewest after which some way of passing and failing would end it; 0 where it has ended.
    Range: 0 <= c <= n. Source: the definition of the rule. So many may be drawn at once.

    >>> patient = StopRule(minimum=3, maximum=10, passes=2)
    >>> sure_samples(patient, n=0, c=0), sure_samples(patient, n=3, c=0), sure_samples(patient, n=3, c=2)
    (3, 2, 0)
    """
    more = 0
    while not any(rule.stops(n=n + more, c=c + passed) for passed in range(more + 1)):
        more += 1
    return more


def stopping_paths(rule: StopRule) -> dict[Point, int]:
    """Return every point where the rule can stop, with the number of ways to get there.

    The chance to stop at (n, c) is that number times p^c (1-p)^(n-c). Range: positive whole numbers.
    Source: Girshick, Mosteller and Savage 1946.

    >>> stopping_paths(StopRule(maximum=2, passes=1))
    {(1, 1): 1, (2, 0): 1, (2, 1): 1}
    """
    return dict(_paths_from(rule, 0))


@lru_cache(maxsize=65536)
def _failing_share(rule: StopRule, n: int, c: int, k: int) -> Fraction:
    if not is_estimable(rule, k=k):
        raise DomainError(
            f"this rule can stop before {k} samples without a pass, so pass@{k} has no unbiased estimate"
        )
    ways = _paths_from(rule, 0).get((n, c))
    if ways is None:
        raise DomainError(f"this rule cannot stop after {c} passes in {n} samples")
    return Fraction(_paths_from(rule, k).get((n, c), 0), ways)


@lru_cache(maxsize=256)
def _paths_from(rule: StopRule, failures: int) -> dict[Point, int]:
    """Count the paths to every stopping point that begin with so many failures."""
    open_ends: dict[int, int] = {0: 1}  # passes so far -> paths still going
    ends: dict[Point, int] = {}
    for n in range(failures, rule.maximum + 1):
        going: dict[int, int] = {}
        for c, ways in sorted(open_ends.items()):
            if rule.stops(n=n, c=c):
                ends[n, c] = ways
            else:
                going[c] = going.get(c, 0) + ways
                going[c + 1] = going.get(c + 1, 0) + ways
        open_ends = going
    return ends


@lru_cache(maxsize=256)
def _open_points(rule: StopRule) -> frozenset[Point]:
    """Return every point that sampling can come to and go on from."""
    result: set[Point] = set()
    reached = {0}  # passes so far
    for n in range(rule.maximum):
        going = {c for c in reached if not rule.stops(n=n, c=c)}
        result |= {(n, c) for c in going}
        reached = going | {c + 1 for c in going}
    return frozenset(result)
