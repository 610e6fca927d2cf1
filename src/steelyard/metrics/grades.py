"""Turn a score into a letter.

The cuts are exact and belong to the higher letter; where the score comes from is not known here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from steelyard.errors import DomainError
from steelyard.metrics.exact import exact_share
from steelyard.model.units import Number


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeScale:
    """Letters with the lowest score that earns each, best first, and the letter below all of them."""

    name: str
    cuts: tuple[tuple[str, Fraction], ...]
    below: str = "F"

    def __post_init__(self) -> None:
        """Refuse cuts outside [0, 1] or not falling."""
        scores = [
            exact_share(cut, f"the cut of {letter!r} in scale {self.name!r}") for letter, cut in self.cuts
        ]
        if any(higher <= lower for higher, lower in pairwise(scores)):
            raise DomainError(f"the cuts of scale {self.name!r} must fall from letter to letter")


LETTERS_95 = GradeScale(
    name="letters-95",
    cuts=(
        ("A", Fraction(95, 100)),
        ("B", Fraction(85, 100)),
        ("C", Fraction(75, 100)),
        ("D", Fraction(65, 100)),
    ),
)

# ProjectScylla has moved from its page's cuts to these; never a default here.
PROJECTSCYLLA_2026 = GradeScale(
    name="projectscylla-2026",
    cuts=(
        ("S", Fraction(1)),
        ("A", Fraction(80, 100)),
        ("B", Fraction(60, 100)),
        ("C", Fraction(40, 100)),
        ("D", Fraction(20, 100)),
    ),
)

GRADE_SCALES: Mapping[str, GradeScale] = {scale.name: scale for scale in (LETTERS_95, PROJECTSCYLLA_2026)}


def letter_grade(score: Number, scale: GradeScale = LETTERS_95) -> str:
    """Return the best letter whose cut the score reaches.

    A >= 0.95, B >= 0.85, C >= 0.75, D >= 0.65, else F, on exact values; range: the letters of the scale.
    Source: ProjectScylla metrics formulas page (seed 002), letter grade assignment.

    >>> letter_grade(0.925), letter_grade(Fraction("0.3") + Fraction("0.35")), letter_grade(0.6499)
    ('B', 'D', 'F')
    """
    value = exact_share(score, "score")
    return next((letter for letter, cut in scale.cuts if value >= cut), scale.below)
