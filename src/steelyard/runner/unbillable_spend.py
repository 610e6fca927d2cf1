"""Store the spend of failed calls across the sessions of a run.

Committed rows contain the costs of answers. A failed call that may be billed has no row; without this file, a
resumed run could exceed its budget.
"""

import time

from steelyard.store.run.location import Location
from steelyard.store.run.unbillable_spend import read_unbillable_spend, write_unbillable_spend

EVERY_S = 5.0  # write interval; a kill loses at most this much


class UnbillableSpend:
    """The spend of failed calls, in nano-USD."""

    def __init__(self, location: Location) -> None:
        """Read what earlier sessions have left."""
        self.nano_usd = read_unbillable_spend(location)
        self._location = location
        self._next = time.monotonic() + EVERY_S

    def keep(self, nano_usd: int, *, at_end: bool) -> None:
        """Write the sum if it has changed: at the end, or if the last time is a while ago."""
        if at_end or time.monotonic() >= self._next:
            self._next = time.monotonic() + EVERY_S
            if nano_usd != self.nano_usd:
                write_unbillable_spend(self._location, nano_usd)
                self.nano_usd = nano_usd
