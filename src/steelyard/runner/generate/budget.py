"""Enforce the budget of a run: reserve before a call, settle after it.

Amounts are integers in nano-USD.
"""

from threading import Lock


class Reservation:
    """The reserved amount of one call, settled exactly once."""

    def __init__(self, budget: "Budget", amount: int) -> None:
        self.amount = amount
        self._budget = budget

    def settle(self, actual: int | None) -> None:
        """Record the cost of the call; None counts the whole reservation as spent. Idempotent."""
        self._budget.settle(self, actual)


class Budget:
    """The budget of a run in nano-USD; thread-safe. Without a cap it only counts.

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
        """The total cost of settled calls."""
        return self._spent

    @property
    def reserved(self) -> int:
        """The total of open reservations."""
        return self._reserved

    @property
    def left(self) -> int | None:
        """The remaining budget, negative after calls above their reservation. None: no cap."""
        with self._lock:
            return None if self.cap is None else self.cap - self._spent - self._reserved

    def reserve(self, amount: int) -> Reservation | None:
        """Reserve an amount for a call; None if it could exceed the cap."""
        if amount < 0:
            raise ValueError(f"reservation of {amount} nano-USD: must not be negative")
        with self._lock:
            if self.cap is not None and self._spent + self._reserved + amount > self.cap:
                return None
            reservation = Reservation(self, amount)
            self._open[reservation] = amount
            self._reserved += amount
            return reservation

    def settle(self, reservation: Reservation, actual: int | None) -> None:
        """Replace a reservation by the actual cost, once."""
        with self._lock:
            amount = self._open.pop(reservation, None)
            if amount is not None:
                self._reserved -= amount
                self._spent += amount if actual is None else actual
