"""Remember from session to session what was spent on calls that brought no answer.

Rows tell what answers cost. A call that broke and may be billed has no row; forgotten at each resume, such
calls would let a run exceed its cap.
"""

import time

from steelyard.store.run.location import Place
from steelyard.store.run.unbillable_spend import read_unanswered, write_unanswered

EVERY_S = 5.0  # how often it is written while a run goes on: what a kill can make it forget


class Unanswered:
    """Money spent in vain on a run, in nano-USD."""

    def __init__(self, place: Place) -> None:
        """Take up what earlier sessions have left."""
        self.nano_usd = read_unanswered(place)
        self._place = place
        self._next = time.monotonic() + EVERY_S

    def keep(self, nano_usd: int) -> None:
        """Write the sum down, if it is another than before."""
        if nano_usd != self.nano_usd:
            write_unanswered(self._place, nano_usd)
            self.nano_usd = nano_usd

    def keep_now_and_then(self, nano_usd: int) -> None:
        """Write the sum down unless that was done a moment ago."""
        if time.monotonic() >= self._next:
            self.keep(nano_usd)
            self._next = time.monotonic() + EVERY_S
