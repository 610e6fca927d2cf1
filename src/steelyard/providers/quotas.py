"""Convert a service's stated limits into the interval between calls."""

from collections.abc import Iterable
from typing import NamedTuple

from steelyard.model.quota import Quota

MARGIN = 0.97  # of a stated pace is used, so what is left grows slowly instead of running out
LONGEST_S = 120.0  # until a reset: a limit of a day or a month does not set the pace
REMEMBERED = 20  # calls over which the tokens of one are averaged


class _Known(NamedTuple):
    quota: Quota
    call: int  # the number of the call with this quota
    until: float


class Quotas:
    """The stated limits of one provider.

    A service fills what was used up either bit by bit or all at once when a minute is over, and does not say
    which. With `used` and `remaining` of a limit until its reset, the pace is the larger of used/reset, which
    is what the first kind fills in, and remaining/reset, which is what the second has left.
    """

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}
        self._tokens = 0.0  # of one call, on average

    def note(self, quotas: Iterable[Quota], *, call: int, now: float) -> float:
        """Record a response's quotas, and return the delay if one is used up.

        Responses to older calls are ignored.
        """
        wait_s = 0.0
        for quota in quotas:
            known = self._known.get(quota.unit)
            if quota.reset_s > LONGEST_S or (known is not None and call < known.call):
                continue
            self._known[quota.unit] = _Known(quota, call, now + quota.reset_s)
            if quota.remaining < self._cost(quota):
                wait_s = max(wait_s, quota.reset_s)
        return wait_s

    def took(self, tokens: int) -> None:
        """Count the tokens that a call took."""
        self._tokens += (tokens - self._tokens) / REMEMBERED if self._tokens else tokens

    def interval_s(self, *, begun: int, now: float) -> float:
        """Return how long to wait after a call, `begun` being the number of the last one."""
        return max((self._interval_s(item, begun, now) for item in self._known.values()), default=0.0)

    def _interval_s(self, known: _Known, begun: int, now: float) -> float:
        quota, left_s, cost = known.quota, known.until - now, self._cost(known.quota)
        if left_s <= 0 or not cost:
            return 0.0
        unused = quota.remaining - cost * (begun - known.call)
        return left_s * cost / (MARGIN * max(unused, quota.limit - quota.remaining, cost))

    def _cost(self, quota: Quota) -> float:
        return 1.0 if quota.unit == "requests" else self._tokens
