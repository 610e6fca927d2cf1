"""Record what a check saw about one sample: facts only, never a score.

A fact nobody looked for is None; it is never guessed and never a zero.
"""

from dataclasses import dataclass
from fractions import Fraction

from steelyard.model.classification import Classification


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What one check saw."""

    classification: Classification | None = None
    passed: bool | None = None
    built: bool | None = None
    tests_passed: int | None = None
    tests_failed: int | None = None
    lint_warnings: int | None = None
    impl_rate: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The facts about one sample: one answer of one model, asked in one tier, to one case."""

    model: str
    tier: str
    suite: str
    case: str
    attempt: int
    facts: Facts
    score_micro: int | None = None
    cost_nano_usd: int | None = None
    latency_us: int | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
