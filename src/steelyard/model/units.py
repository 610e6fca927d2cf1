"""Name the integer units in which scores, money and time are stored and summed, and the types of a number.

Integer sums are exact and do not depend on the order or the partitioning of the rows; sums of floats do.
"""

from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

Number: TypeAlias = int | float | str | Decimal | Fraction  # what users may give; `metrics/exact.py` reads it

MICRO_POINTS = 1_000_000  # one point of score, in micro-points
NANO_USD = 1_000_000_000  # one US dollar, in nano-dollars
MICROSECONDS = 1_000_000  # one second, in microseconds
