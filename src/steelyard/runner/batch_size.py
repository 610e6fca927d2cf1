"""Choose batch sizes from the measured duration of one item."""

LEARNING = 0.2  # weight of the newest batch
SHORTEST_S = 1e-9


class BatchSizer:
    """Chooses large batches for fast items and small ones for slow items."""

    def __init__(self, *, batch_s: float, maximum: int) -> None:
        """Set the target duration and the maximum size of a batch."""
        self._batch_s = batch_s
        self._maximum = maximum
        self._each_s = batch_s

    @property
    def size(self) -> int:
        """The number of items that takes one batch's time, by the measured durations.

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
        """Record the duration of a batch."""
        self._each_s += LEARNING * (seconds / items - self._each_s)
