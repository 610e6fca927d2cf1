"""Keep the spending of a run under its cap: money is reserved before a call and settled after it.

Amounts are integers in nano-USD.
"""

from threading import Lock


class Reservation:
    """Money reserved for one call; it is settled once, whether the call succeeds or fails."""

    def __init__(self, budget: "Budget", amount: int) -> None:
        self.amount = amount
        self._budget = budget

    def settle(self, actual: int | None) -> None:
        """Count what the call cost; None: unknown, so the whole reservation counts as spent.

        Settling again changes nothing.
        """
        self._budget.settle(self, actual)


class Budget:
    """A cap on what a run spends, in nano-USD; safe for many threads. Without a cap it only counts.

    The guarantee: a call begins only if spent + reserved + its own reservation ≤ cap. So if no call costs
    more than its reservation, then spent ≤ cap at any time, however many calls are in flight. If some cost
    more, then spent ≤ cap + the excess of the calls that were in flight when the last call began. Excess does
    not add up over time: it counts against the cap as soon as it is known. (A run that is resumed with a cap
    below what it has spent begins no call.)
    """

    def __init__(self, cap: int | None, spent: int = 0) -> None:
        self.cap = cap
        self._spent = spent
        self._open: dict[Reservation, int] = {}
        self._reserved = 0
        self._lock = Lock()

    @property
    def spent(self) -> int:
        """What all settled calls cost."""
        return self._spent

    @property
    def reserved(self) -> int:
        """What is reserved for calls in flight."""
        return self._reserved

    @property
    def left(self) -> int | None:
        """What may still be reserved; below 0 after calls that cost more than reserved. None: no cap."""
        with self._lock:
            return None if self.cap is None else self.cap - self._spent - self._reserved

    def reserve(self, amount: int) -> Reservation | None:
        """Reserve money for a call; None: the call might exceed the cap, so it must not begin."""
        if amount < 0:
            raise ValueError(f"a reservation of {amount} nano-USD: an amount cannot be negative")
        with self._lock:
            if self.cap is not None and self._spent + self._reserved + amount > self.cap:
                return None
            reservation = Reservation(self, amount)
            self._open[reservation] = amount
            self._reserved += amount
            return reservation

    def settle(self, reservation: Reservation, actual: int | None) -> None:
        """Turn a reservation into what the call cost, or into itself if that is unknown; once."""
        with self._lock:
            amount = self._open.pop(reservation, None)
            if amount is not None:
                self._reserved -= amount
                self._spent += amount if actual is None else actual
