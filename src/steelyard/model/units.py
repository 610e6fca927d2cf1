"""Name the integer units in which scores, money and time are stored and summed.

Integer sums are exact and do not depend on the order or the partitioning of the rows; sums of floats do.
"""

MICRO_POINTS = 1_000_000  # one point of score, in micro-points
NANO_USD = 1_000_000_000  # one US dollar, in nano-dollars
MICROSECONDS = 1_000_000  # one second, in microseconds
