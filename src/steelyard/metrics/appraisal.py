"""Make of one sample's facts what a report counts: passed or not, which kind of failure, which score.

One function for every input: the facts decide, then the scoring rule; nothing is read or stored here.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Protocol

from steelyard.errors import InputError
from steelyard.metrics.scoring import BuildTestLint
from steelyard.model.outcome import Classification, Facts
from steelyard.model.units import MICRO_POINTS

REMEMBERED = 10_000  # different facts


class ScoringRule(Protocol):
    """A named, versioned way to turn facts into a score from 0 to 1 and into passed or not."""

    @property
    def name(self) -> str:
        """What a user calls the rule."""

    @property
    def version(self) -> int:
        """Which form of the rule it is."""

    def score(self, facts: Facts) -> Fraction | None:
        """Return the score, or None without the facts it needs."""

    def passed(self, facts: Facts) -> bool | None:
        """Return whether the sample counts as passed, or None without the facts it needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Appraisal:
    """What a report counts about one sample."""

    passed: bool | None
    kind: Classification | None
    score_micro: int | None
    tests_micro: int | None
    untested: bool
    unlinted: bool


NO_EVIDENCE = Appraisal(
    passed=None, kind=Classification.ERROR, score_micro=None, tests_micro=None, untested=False, unlinted=False
)


def appraise(facts: Facts, rule: ScoringRule) -> Appraisal:
    """Appraise the facts about one sample by a scoring rule.

    What the input says outright (`passed`, then `classification`) goes before what the rule would infer.
    The score and the share of passed tests are rounded, half to even, to whole micro-points.

    >>> facts = Facts(built=True, tests_passed=3, tests_failed=1, lint_warnings=2)
    >>> appraise(facts, BuildTestLint()).score_micro
    855000
    >>> appraise(facts, BuildTestLint()).passed
    False
    """
    passed = _passed(facts, rule)
    if passed is None:
        return NO_EVIDENCE
    return Appraisal(
        passed=passed,
        kind=_kind(facts, passed=passed),
        score_micro=_micro(rule.score(facts)),
        tests_micro=_micro(_tests_share(facts)),
        untested=bool(facts.built) and _test_count(facts) == 0,
        unlinted=isinstance(rule, BuildTestLint) and rule.lint_unknown(facts),
    )


class Appraiser:
    """Appraises by one rule, and equal facts only once: most samples of a run have facts like others.

    >>> Appraiser(BuildTestLint()).of(Facts(built=False)).kind
    <Classification.BUILD_ERROR: 'build_error'>
    """

    def __init__(self, rule: ScoringRule) -> None:
        self._known = lru_cache(maxsize=REMEMBERED)(partial(appraise, rule=rule))

    def of(self, facts: Facts) -> Appraisal:
        """Appraise the facts about one sample."""
        return self._known(facts)


def _passed(facts: Facts, rule: ScoringRule) -> bool | None:
    if facts.classification is Classification.ERROR:
        return None
    stated = None if facts.classification is None else facts.classification is Classification.PASS
    if facts.passed is not None and stated is not None and facts.passed is not stated:
        raise InputError(
            f"the classification is {facts.classification!s}, but passed is {str(facts.passed).lower()}"
        )
    if facts.passed is not None:
        return facts.passed
    return stated if stated is not None else rule.passed(facts)


def _kind(facts: Facts, *, passed: bool) -> Classification:
    if facts.classification is not None:
        return facts.classification
    if passed:
        return Classification.PASS
    return Classification.BUILD_ERROR if facts.built is False else Classification.FAIL


def _test_count(facts: Facts) -> int | None:
    if facts.tests_passed is None or facts.tests_failed is None:
        return None
    return facts.tests_passed + facts.tests_failed


def _tests_share(facts: Facts) -> Fraction | None:
    """Share of the tests that pass; 0 without a build or without a test, as the scoring rule has it."""
    if facts.built is False:
        return Fraction(0)
    total = _test_count(facts)
    if total is None or facts.tests_passed is None:
        return None
    return Fraction(facts.tests_passed, total) if total else Fraction(0)


def _micro(share: Fraction | None) -> int | None:
    return None if share is None else round(share * MICRO_POINTS)
