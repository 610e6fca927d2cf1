"""Find a provider's concurrency limit by probing; pure arithmetic, no clock.

A refused call is no proof of a limit: some services refuse a few percent at any pace. If calls are still
refused after several cuts, only many refusals count.
"""

GENTLE = 0.9  # factor of a cut
COARSE = 0.8  # factor until the limit is confirmed
HARSH = 0.5  # factor of the first cut, and after many refused calls
SAFE = 0.85  # of the limit: below it, concurrency grows fast
PASSED = 1.05  # times the limit: it has probably risen
ALIKE = 1.15  # two refused concurrencies within this factor confirm each other
SEARCHING = 0.12  # growth in a round while the limit is unconfirmed
FAST = 0.1  # below a confirmed limit
NEAR = 0.05  # near the limit, at most
NEAR_CALLS = 150  # least number of calls to grow from GENTLE back to the limit
FORGOTTEN = 1.5  # times the known limit: forget it and double again
MANY = 4  # refused calls, and
MANY_SHARE = 0.3  # of all calls since the last cut: the limit is far away
SOON = 40  # calls: a sooner cut follows the last one directly
NO_REMEDY = 5  # such cuts without effect
TOLERANT = 1_000  # calls for which only many refused ones count then
TOLERATED = 3.7  # refused calls among the recent ones
RECENT = 30  # calls; older ones count less


class AdaptiveConcurrency:
    """The adaptive concurrency of one provider.

    It doubles with each round of calls until some are refused, then stays near that value. Calls that began
    before a cut cause no further cut.
    """

    def __init__(self, start: int, most: int) -> None:
        self._most = max(1, most)
        self.value = float(max(1, min(start, self._most)))
        self.limit: float | None = None  # the refused concurrency; None: double with each round
        self.cuts = 0
        self._is_confirmed = False  # calls were refused near the limit more than once
        self._is_down = False  # nothing has succeeded since
        self._in_a_row = 0  # cuts, each soon after the one before
        self._first = 0.0  # the concurrency before them
        self._tolerant = 0  # calls for which only many refused ones count
        self._recent = 0.0  # refused calls of the last ones
        self._calls = self._refused = self._successes = 0  # since the last cut
        self._begun = self._cut_at = 0  # numbers of calls: the last one, and the last one before the cut
        self._peak = 0  # most calls in flight since the last cut

    def began(self, in_flight: int) -> int:
        """Count a call, and return its number."""
        self._begun += 1
        self._calls += 1
        self._recent -= self._recent / RECENT
        self._tolerant = max(0, self._tolerant - 1)
        self._peak = max(self._peak, in_flight)
        return self._begun

    def succeeded(self, call: int) -> None:
        """Grow, at most one step above the calls in flight: an idle provider proves nothing."""
        self._successes += call > self._cut_at
        self._is_down = False
        if self.limit is not None and self.value > FORGOTTEN * self.limit:
            self.limit, self._is_confirmed = None, False
        step = self._step()
        if self.value < min(self._most, self._peak + max(1.0, step * self._peak)):
            self.value = min(self._most, self.value + step)

    def refused(self, call: int, *, is_limit: bool) -> bool:
        """Count a refused call; cut after too many, and return whether it did.

        `is_limit`: the provider named its limit as the cause; other causes count only in numbers. Before a
        call that began after the last cut succeeds, it is too early to cut again. If many of them are
        refused, the provider is down, which is no evidence of its limit.
        """
        if call <= self._cut_at:
            return True
        self._refused += 1
        self._recent += 1
        is_many = self._refused >= MANY and self._refused > MANY_SHARE * self._calls
        if self.limit is not None and not self._successes:
            if not is_many and not self._is_down:
                return False
            self._is_down, self.value = True, 1.0 if self._is_down else max(1.0, HARSH * self.value)
        elif (self._tolerant or not is_limit) and self._recent < TOLERATED:
            return False
        else:
            self._cut(is_many=is_many)
        self.cuts += 1
        self._recent = 0.0
        self._calls = self._refused = self._successes = self._peak = 0
        self._cut_at = self._begun
        return True

    def _cut(self, *, is_many: bool) -> None:
        is_soon = not is_many and self._calls < SOON
        self._in_a_row = self._in_a_row + 1 if is_soon else 1
        self._first = self._first if is_soon else self.value
        if self._in_a_row > NO_REMEDY:
            self.value, self.limit, self._is_confirmed = max(self.value, self._first), None, False
            self._in_a_row, self._tolerant = 0, TOLERANT
            return
        limit, self.limit = self.limit, self.value
        is_far = is_many or limit is None
        self._is_confirmed = limit is not None and limit / ALIKE <= self.value <= limit * ALIKE
        self.value *= HARSH if is_far else GENTLE if self._is_confirmed else COARSE
        self.value = max(1.0, self.value)

    def _step(self) -> float:
        """Return the growth for a successful call."""
        if self.limit is None or self.value < HARSH * self.limit:
            return 1.0
        if not self._is_confirmed:
            return SEARCHING
        if self.value < SAFE * self.limit:
            return FAST
        if self.value > PASSED * self.limit:
            return NEAR
        return min(NEAR, self.value * (1 - GENTLE) / NEAR_CALLS)
