"""Convert a service's stated limits into the interval between calls."""

from collections.abc import Iterable
from typing import NamedTuple

from steelyard.model.quota import Quota

MARGIN = 0.97  # share of a stated pace to use, so that the quota never runs out
LONGEST_S = 120.0  # to a reset: daily and monthly limits do not set the pace
REMEMBERED = 20  # calls over which tokens are averaged


class _Known(NamedTuple):
    quota: Quota
    call: int  # the number of the call with this quota
    until: float


class Quotas:
    """The stated limits of one provider.

    A service refills used quota either continuously or at the end of a minute, without stating which. The
    pace is the larger of used/reset, the refill rate of the first kind, and remaining/reset, the remainder
    of the second.
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
            if quota.remaining < self._mean_cost(quota):
                wait_s = max(wait_s, quota.reset_s)
        return wait_s

    def took(self, tokens: int) -> None:
        """Count the tokens that a call took."""
        self._tokens += (tokens - self._tokens) / REMEMBERED if self._tokens else tokens

    def interval_s(self, *, begun: int, now: float) -> float:
        """Return the delay after a call; `begun` is the number of the last call."""
        return max((self._interval_s(quota, begun, now) for quota in self._known.values()), default=0.0)

    def _interval_s(self, known: _Known, begun: int, now: float) -> float:
        quota, left_s, cost = known.quota, known.until - now, self._mean_cost(known.quota)
        if left_s <= 0 or not cost:
            return 0.0
        unused = quota.remaining - cost * (begun - known.call)
        return left_s * cost / (MARGIN * max(unused, quota.limit - quota.remaining, cost))

    def _mean_cost(self, quota: Quota) -> float:
        return 1.0 if quota.unit == "requests" else self._tokens
