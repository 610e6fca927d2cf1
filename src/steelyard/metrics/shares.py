"""Hold a part and a whole for each of many cases, as columns: pass rates, mean scores.

What a fraction for each case would give, exactly, at the speed of arrays.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import DomainError
from steelyard.metrics.cases import Floats

EXACT_IN_FLOATS = 2**53  # up to here a float holds every whole number
LARGEST = 2**63

Integers = NDArray[Any]  # of 64 bits, or Python's own where those could overflow


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shares:
    """A part and the whole it is of, for each case."""

    part: Integers
    whole: Integers

    @classmethod
    def of(cls, part: Sequence[int], whole: Sequence[int]) -> "Shares":
        """Take in the columns; every whole must be at least 1."""
        if len(part) != len(whole):
            raise DomainError(f"one row per case, got {len(part)} parts and {len(whole)} wholes")
        if whole and min(whole) < 1:
            raise DomainError(f"a share needs a whole of at least 1, got {min(whole)}")
        return cls(part=_integers(part), whole=_integers(whole))

    def __len__(self) -> int:
        return len(self.part)

    @property
    def values(self) -> Floats:
        """The share of each case, rounded once."""
        return np.asarray(self.part / self.whole, dtype=np.float64)

    def mean(self) -> Fraction | None:
        """Return the mean of the shares exactly, as `mean_of_shares` does, or None without cases."""
        if not len(self):
            return None
        order = np.argsort(self.whole, kind="stable")
        wholes = self.whole[order]
        first = np.flatnonzero(np.concatenate(([True], wholes[1:] != wholes[:-1])))
        parts = np.add.reduceat(self.part[order], first)
        fractions = map(Fraction, parts.tolist(), wholes[first].tolist())
        return sum(fractions, Fraction(0)) / len(self)


def _integers(values: Sequence[int]) -> Integers:
    """Return an array in which each value is a float too, and any sum of them fits."""
    try:
        result = np.array(values, dtype=np.int64)
    except OverflowError:
        return np.array(values, dtype=object)
    largest = max(map(abs, (int(result.min()), int(result.max())))) if len(result) else 0
    fits = largest <= EXACT_IN_FLOATS and largest * len(result) < LARGEST
    return result if fits else result.astype(object)
