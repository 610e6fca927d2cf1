"""Learn how long one item takes, and choose how many to hand to a worker at once."""

LEARNING = 0.2  # weight of the newest batch
SHORTEST_S = 1e-9


class BatchSizer:
    """Chooses batches of hundreds for items that take microseconds, and of one for slow items."""

    def __init__(self, *, batch_s: float, maximum: int) -> None:
        """Set how long a batch should take, and how many items it may hold."""
        self._batch_s = batch_s
        self._maximum = maximum
        self._each_s = batch_s

    @property
    def size(self) -> int:
        """How many items should take as long as a batch, by the durations so far.

        >>> sizer = BatchSizer(batch_s=0.05, maximum=500)
        >>> sizer.size
        1
        >>> for _ in range(100):
        ...     sizer.add(0.01, items=10)
        >>> sizer.size
        50
        """
        return max(1, min(self._maximum, round(self._batch_s / max(self._each_s, SHORTEST_S))))

    def add(self, seconds: float, *, items: int) -> None:
        """Record how long a batch took."""
        self._each_s += LEARNING * (seconds / items - self._each_s)
