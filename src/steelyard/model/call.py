"""One call to a provider, for logs: of which model, for which case, and how it ended. It holds no prompt."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRecord:
    """A finished call; `ended` is `ok` or the kind of error, `message` the error's message."""

    at: str  # when it ended, in UTC
    provider: str
    model: str
    tier: str
    suite: str
    case: str
    attempt: int
    number: int  # of this call among those for the same answer, from 1
    ended: str
    will_retry: bool = False
    message: str | None = None
    latency_s: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    request_id: str | None = None


CallObserver = Callable[[CallRecord], None]
