"""A service's stated rate limit: the allowance, the remainder and the reset time."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """A limit of calls or of tokens, as the headers of one response state it."""

    unit: str  # "requests" or "tokens"
    limit: float
    remaining: float
    reset_s: float  # until all of it may be used again
