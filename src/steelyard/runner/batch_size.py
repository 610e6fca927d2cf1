"""Learn how long one item takes, and say how many make a good piece of work."""

LEARNING = 0.2  # how much the newest piece counts
SHORTEST_S = 1e-9


class Pace:
    """Items that take microseconds are handed over by the hundred, others one by one."""

    def __init__(self, *, piece_s: float, most: int) -> None:
        """Take how long a piece should take, and how many items it may hold at most."""
        self._piece_s = piece_s
        self._most = most
        self._each_s = piece_s

    @property
    def size(self) -> int:
        """How many items are done in the time of a piece, as far as is known.

        >>> pace = Pace(piece_s=0.05, most=500)
        >>> pace.size
        1
        >>> for _ in range(100):
        ...     pace.took(0.01, items=10)
        >>> pace.size
        50
        """
        return max(1, min(self._most, round(self._piece_s / max(self._each_s, SHORTEST_S))))

    def took(self, seconds: float, *, items: int) -> None:
        """Note how long a piece took."""
        self._each_s += LEARNING * (seconds / items - self._each_s)
