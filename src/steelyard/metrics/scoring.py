"""Give a score, and a verdict of passed or not, to what a check saw.

Four named and versioned rules over facts; an unknown fact is never guessed, so a score may be None.

`score` is exact and lies in [0, 1]; `passed`, which pass@k counts, is its own predicate and ignores lint.
Under every rule an infrastructure error (classification `error`) is no evidence: both are None.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import ClassVar

from steelyard.errors import DomainError
from steelyard.metrics.exact import (
    exact,
    exact_non_negative,
    exact_share,
    exact_weights,
    weighted_mean,
)
from steelyard.model.outcome import FAILURES, Classification, Facts
from steelyard.model.units import Number

# The answer itself kept the tests from giving a verdict: nothing was there to run, or it did not end well.
# What is then missing is known to be bad, and such an answer never passes, whatever tests it got through.
CUT_SHORT = frozenset(FAILURES) - {Classification.FAIL}


@dataclass(frozen=True, slots=True, kw_only=True)
class PartWeights:
    """How much building, tests and lint count (only the ratios matter), and what a warning takes off lint."""

    build: Number = Fraction(40, 100)
    tests: Number = Fraction(50, 100)
    lint: Number = Fraction(10, 100)
    warning_penalty: Number = Fraction(1, 10)

    def __post_init__(self) -> None:
        """Refuse negative weights or penalties, and weights that sum to 0."""
        exact_weights(self.as_mapping())
        exact_non_negative(self.warning_penalty, "warning_penalty")

    def as_mapping(self) -> dict[str, Number]:
        """Return the weights by the name of their part."""
        return {"build": self.build, "tests": self.tests, "lint": self.lint}


SEED_WEIGHTS = PartWeights()


def build_test_lint_score(
    *,
    built: bool,
    passed: int,
    failed: int,
    warnings: int | None,
    weights: PartWeights = SEED_WEIGHTS,
) -> Fraction:
    """Return the weighted score of an answer that was built, tested and linted.

    0 if it does not build, else 0.4 + 0.5 * passed/(passed + failed) + 0.1 * max(0, 1 - 0.1 * warnings),
    divided by the sum of the weights; the tests part is 0 without tests; range [0, 1].
    With `warnings` None (no linter) the lint part is left out and the other weights share its place.
    Source: forgetest scoring page (seed 000), score formula.

    >>> float(build_test_lint_score(built=True, passed=3, failed=1, warnings=2))
    0.855
    >>> build_test_lint_score(built=True, passed=3, failed=1, warnings=None)
    Fraction(31, 36)
    """
    tests_passed, tests_failed = exact_non_negative(passed, "passed"), exact_non_negative(failed, "failed")
    ran = tests_passed + tests_failed
    parts = {"build": Fraction(1), "tests": tests_passed / ran if ran else Fraction(0)}
    if warnings is not None:
        deducted = exact_non_negative(warnings, "warnings") * exact(weights.warning_penalty)
        parts["lint"] = max(Fraction(0), 1 - deducted)
    return weighted_mean(parts, weights.as_mapping()) if built else Fraction(0)


def composite_score(
    *,
    pass_rate: Number,
    impl_rate: Number,
    pass_weight: Number = Fraction(1, 2),
    impl_weight: Number = Fraction(1, 2),
) -> Fraction:
    """Return the weighted mean of passing and of how much of the demand is met.

    (pass_rate * pass_weight + impl_rate * impl_weight) / (pass_weight + impl_weight); range [0, 1].
    Source: ProjectScylla metrics formulas page (seed 002), composite score.

    >>> float(composite_score(pass_rate=1, impl_rate=0.85))
    0.925
    """
    rates = {"pass": exact_share(pass_rate, "pass_rate"), "impl": exact_share(impl_rate, "impl_rate")}
    return weighted_mean(rates, {"pass": pass_weight, "impl": impl_weight})


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildTestLint:
    """Score by building, tests and lint; passed means built, at least one graded test ran, and none failed.

    Formula, range and source: `build_test_lint_score`.
    Lint that was not measured is left out of the score, never taken as clean; `lint_unknown` says so.
    A refusal, wrong format, policy violation, build error, timeout or crash never passes; where it left no
    facts it counts as not built and without a passing test, for the answer is to blame and not the check.

    >>> BuildTestLint().score(Facts(built=True, tests_passed=1, tests_failed=1, lint_warnings=0))
    Fraction(3, 4)
    """

    name: ClassVar[str] = "build-test-lint"
    version: ClassVar[int] = 1

    weights: PartWeights = SEED_WEIGHTS

    def score(self, facts: Facts) -> Fraction | None:
        """Return the weighted score, or None when building or the tests are unknown."""
        if facts.classification is Classification.ERROR:
            return None
        seen = _settled(facts)
        if seen.built is False:
            return Fraction(0)
        if seen.built is None or seen.tests_passed is None or seen.tests_failed is None:
            return None
        if seen.lint_warnings is None and self._weighs_lint_alone:
            return None
        return build_test_lint_score(
            built=True,
            passed=seen.tests_passed,
            failed=seen.tests_failed,
            warnings=seen.lint_warnings,
            weights=self.weights,
        )

    def passed(self, facts: Facts) -> bool | None:
        """Return whether it was built, a graded test passed and none failed."""
        if facts.classification is Classification.ERROR:
            return None
        if facts.classification in CUT_SHORT:
            return False
        demands = (
            facts.built,
            None if facts.tests_passed is None else facts.tests_passed > 0,
            None if facts.tests_failed is None else facts.tests_failed == 0,
        )
        if False in demands:
            return False
        return None if None in demands else True

    def lint_unknown(self, facts: Facts) -> bool:
        """Return whether the score of these facts had to leave the lint part out."""
        counts = facts.lint_warnings is None and exact(self.weights.lint) > 0
        return counts and facts.built is True and self.score(facts) is not None

    @property
    def _weighs_lint_alone(self) -> bool:
        return exact(self.weights.build) == exact(self.weights.tests) == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Composite:
    """Score by passing and by the judge's rating; passed is what the check recorded as passed.

    Formula, range and source: `composite_score`.
    Where the check recorded only a classification, `pass` is a pass and any failure is none.

    >>> Composite().score(Facts(passed=True, impl_rate=Fraction("0.85")))
    Fraction(37, 40)
    """

    name: ClassVar[str] = "composite"
    version: ClassVar[int] = 1

    pass_weight: Number = Fraction(1, 2)
    impl_weight: Number = Fraction(1, 2)

    def __post_init__(self) -> None:
        """Refuse negative weights and weights that sum to 0."""
        exact_weights({"pass": self.pass_weight, "impl": self.impl_weight})

    def score(self, facts: Facts) -> Fraction | None:
        """Return the weighted mean, or None when passing or the judge's rating is unknown."""
        passed = self.passed(facts)
        if passed is None or facts.impl_rate is None:
            return None
        return composite_score(
            pass_rate=int(passed),
            impl_rate=facts.impl_rate,
            pass_weight=self.pass_weight,
            impl_weight=self.impl_weight,
        )

    def passed(self, facts: Facts) -> bool | None:
        """Return what the check recorded as passed."""
        return _first_known(facts, facts.passed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """Score 1 for a pass and 1 - penalty for a failure; passed means classified `pass`.

    accuracy = 1 if the classification is `pass`, else 1 - penalty; every penalty is 1 unless the table
    says otherwise, and lies in [0, 1]; range [0, 1]. A sample without a classification of its own counts as
    `pass` or `fail` by what `passed` says.
    Source: FailProof scoring criteria page (seed 004), accuracy and penalty-based scoring.

    >>> Accuracy().score(Facts(classification=Classification.REFUSAL))
    Fraction(0, 1)
    >>> Accuracy(penalties={Classification.REFUSAL: 0.25}).score(Facts(classification=Classification.REFUSAL))
    Fraction(3, 4)
    """

    name: ClassVar[str] = "accuracy"
    version: ClassVar[int] = 1

    penalties: Mapping[Classification, Number] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        """Refuse a penalty outside [0, 1], and one for what is no failure of the model."""
        for kind, penalty in self.penalties.items():
            if kind not in FAILURES:
                raise DomainError(f"{kind!s} takes no penalty; only these do: {', '.join(FAILURES)}")
            exact_share(penalty, f"the penalty for {kind!s}")

    def score(self, facts: Facts) -> Fraction | None:
        """Return 1 less the penalty, or None without a verdict."""
        passed = self.passed(facts)
        if passed is None:
            return None
        kind = facts.classification or Classification.FAIL
        return Fraction(1) if passed else 1 - exact(self.penalties.get(kind, 1))

    def passed(self, facts: Facts) -> bool | None:
        """Return whether the classification is `pass`; without one, what was recorded."""
        return facts.passed if facts.classification is None else _first_known(facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plausible:
    """Score 1 if the validator reports no error, else 0; passed means the same.

    plausible = 1 if it validates, else 0; range [0, 1].
    The validator's word is `built`; where only a plausible-or-not verdict was recorded it is `passed`,
    and where only a classification was, `pass` is plausible and any failure is not.
    Source: Terraform repair pass@k page (seed 003), plausible fix.

    >>> Plausible().score(Facts(built=True)), Plausible().score(Facts(passed=False))
    (Fraction(1, 1), Fraction(0, 1))
    """

    name: ClassVar[str] = "plausible"
    version: ClassVar[int] = 1

    def score(self, facts: Facts) -> Fraction | None:
        """Return 1 or 0, or None when the answer was not validated."""
        passed = self.passed(facts)
        return None if passed is None else Fraction(int(passed))

    def passed(self, facts: Facts) -> bool | None:
        """Return whether the validator reports no error."""
        return _first_known(facts, facts.built, facts.passed)


def _settled(facts: Facts) -> Facts:
    """Fill in what an answer that was cut short left unseen: it did not build, no test passed."""
    if facts.classification not in CUT_SHORT:
        return facts
    if facts.tests_passed is None or facts.tests_failed is None:
        facts = replace(facts, tests_passed=0, tests_failed=0)
    return replace(facts, built=bool(facts.built))


def _first_known(facts: Facts, *verdicts: bool | None) -> bool | None:
    """Return the first recorded verdict, or else the classification's; None for an infrastructure error."""
    if facts.classification is Classification.ERROR:
        return None
    for verdict in verdicts:
        if verdict is not None:
            return verdict
    return None if facts.classification is None else facts.classification is Classification.PASS
