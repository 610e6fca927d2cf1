"""Hold a letter grade with its odds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """A letter for the median score, or None when there is no median.

    `probabilities` tells how often each letter would come out if as many samples were drawn again.
    """

    letter: str | None
    scale: str
    probabilities: dict[str, float]
