"""Decide on retries and their delays; the caller waits."""

from random import Random

from steelyard.errors import ProviderError
from steelyard.model.config import RETRIES
from steelyard.providers.limiter import LONGEST_RETRY_AFTER_S

BASE_S = 0.5
CAP_S = 60.0
LONGEST_S = LONGEST_RETRY_AFTER_S  # after longer requested pauses, resume the run instead


class Retries:
    """Exponential backoff with full jitter: delays are uniform from 0 to a limit that doubles."""

    def __init__(
        self,
        most: int = RETRIES,
        base_s: float = BASE_S,
        cap_s: float = CAP_S,
        random: Random | None = None,
        *,
        longest_s: float = LONGEST_S,
    ) -> None:
        self._most = most
        self._base_s = base_s
        self._cap_s = cap_s
        self._longest_s = longest_s
        self._random = random or Random()  # noqa: S311  # only spreads calls in time

    def delay_s(self, attempt: int, error: ProviderError) -> float | None:
        """Return the delay after failed attempt `attempt` (from 0), or None to give up.

        At least the provider's retry-after; None if that is very long.

        >>> busy = ProviderError("busy", kind="overloaded", may_retry=True, retry_after_s=7.0)
        >>> Retries().delay_s(0, busy), Retries(most=0).delay_s(0, busy)
        (7.0, None)
        """
        asked_s = error.retry_after_s or 0.0
        if not error.may_retry or attempt >= self._most or asked_s > self._longest_s:
            return None
        span_s = min(self._cap_s, self._base_s * 2.0 ** min(attempt, 64))
        return max(asked_s, self._random.uniform(0.0, span_s))
