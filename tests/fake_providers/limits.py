"""The limits of six kinds of services, and of one that fails now and then: who is refused, and what is said.

A limit goes by the times that it is given, so it serves a test in virtual time and a server alike.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a call is refused, and when to come back, if the service says so."""

    status: int = 429
    retry_after_s: float | None = None


class Limit(Protocol):
    """Decides about calls; `allowed` is how many calls it takes in a time at most."""

    def refusal(self, now: float, tokens: int) -> Refusal | None: ...

    def ended(self) -> None: ...

    def headers(self, now: float) -> Mapping[str, str]: ...

    def allowed(self, seconds: float) -> float: ...


@dataclass
class Bucket:
    """Fills bit by bit: `rate` a second up to `depth`; a call takes one, or its tokens if `unit` says so."""

    rate: float
    depth: float
    unit: str = "requests"
    per_call: float = 1.0
    says: bool = False
    left: float = field(init=False)
    at: float = 0.0

    def __post_init__(self) -> None:
        self.left = self.depth

    def refusal(self, now: float, tokens: int) -> Refusal | None:
        cost = float(tokens) if self.unit == "tokens" else 1.0
        self.left = min(self.depth, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left < cost:
            return Refusal(retry_after_s=(cost - self.left) / self.rate if self.says else None)
        self.left -= cost
        return None

    def ended(self) -> None:
        """A call that has ended gives nothing back."""

    def headers(self, now: float) -> Mapping[str, str]:
        if not self.says:
            return {}
        return stated(self.unit, self.depth, self.left, (self.depth - self.left) / self.rate)

    def allowed(self, seconds: float) -> float:
        return (self.rate * seconds + self.depth) / self.per_call


@dataclass
class Window:
    """Allows so many calls in each window of time, all of them again when the next begins."""

    limit: int
    window_s: float
    says: bool = True
    used: int = 0
    number: int = 0

    def refusal(self, now: float, tokens: int) -> Refusal | None:
        self._turn(now)
        if self.used >= self.limit:
            return Refusal(retry_after_s=self._reset_s(now))
        self.used += 1
        return None

    def ended(self) -> None:
        """A call that has ended gives nothing back."""

    def headers(self, now: float) -> Mapping[str, str]:
        if not self.says:
            return {}
        self._turn(now)
        return stated("requests", self.limit, self.limit - self.used, self._reset_s(now))

    def allowed(self, seconds: float) -> float:
        return self.limit * seconds / self.window_s

    def _turn(self, now: float) -> None:
        if now // self.window_s > self.number:
            self.number, self.used = int(now // self.window_s), 0

    def _reset_s(self, now: float) -> float:
        return self.window_s * (self.number + 1) - now


@dataclass
class AtOnce:
    """Holds so many calls at once."""

    most: int
    call_s: float
    held: int = 0

    def refusal(self, now: float, tokens: int) -> Refusal | None:
        if self.held >= self.most:
            return Refusal()
        self.held += 1
        return None

    def ended(self) -> None:
        self.held -= 1

    def headers(self, now: float) -> Mapping[str, str]:
        return {}

    def allowed(self, seconds: float) -> float:
        return self.most * seconds / self.call_s


@dataclass
class Failing:
    """A limit, and failures besides: always in some times, and now and then in all others."""

    limit: Limit
    down: Callable[[float], bool] = lambda now: False
    down_s: float = 0.0
    share: float = 0.0
    refusal_then: Refusal = field(default_factory=lambda: Refusal(status=503))
    random: Random = field(default_factory=lambda: Random(7))

    def refusal(self, now: float, tokens: int) -> Refusal | None:
        if self.down(now):
            return self.refusal_then
        refusal = self.limit.refusal(now, tokens)
        if refusal is None and self.random.random() < self.share:
            return self.refusal_then
        return refusal

    def ended(self) -> None:
        self.limit.ended()

    def headers(self, now: float) -> Mapping[str, str]:
        return self.limit.headers(now)

    def allowed(self, seconds: float) -> float:
        return self.limit.allowed(seconds - self.down_s) * (1 - self.share)


def stated(unit: str, limit: float, left: float, reset_s: float) -> Mapping[str, str]:
    """Return the headers in which OpenAI and those like it state a limit."""
    return {
        f"x-ratelimit-limit-{unit}": f"{limit:.0f}",
        f"x-ratelimit-remaining-{unit}": f"{left:.0f}",
        f"x-ratelimit-reset-{unit}": f"{reset_s * 1000:.0f}ms",
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A kind of service: its limit, how long a call takes, and how many tokens."""

    make: Callable[[], Limit]
    call_s: Callable[[Random], float] = lambda random: 1.0
    tokens: Callable[[Random], int] = lambda random: 500
    least: float = 0.85  # of what it allows is used
    most_refused: float = 0.03


def _steady(rate: float = 20.0) -> Bucket:
    return Bucket(rate=rate, depth=rate)


SERVICES: Mapping[str, Service] = {
    "tokens a minute": Service(
        make=lambda: Bucket(rate=10_000.0, depth=100_000.0, unit="tokens", per_call=500.0, says=True),
        tokens=lambda random: random.randint(100, 900),
    ),
    "requests a minute": Service(make=lambda: Window(limit=300, window_s=15.0)),
    "requests a minute, unsaid": Service(make=lambda: Window(limit=300, window_s=15.0, says=False)),
    "concurrency": Service(
        make=lambda: AtOnce(most=20, call_s=1.0), call_s=lambda random: random.uniform(0.5, 1.5)
    ),
    "bursts": Service(make=lambda: Bucket(rate=20.0, depth=4.0)),
    "jitter": Service(make=_steady, call_s=lambda random: random.lognormvariate(-0.32, 0.8)),
    "outage": Service(make=lambda: Failing(limit=_steady(), down=lambda now: 40 <= now < 50, down_s=10.0)),
    "7 % errors": Service(make=lambda: Failing(limit=_steady(), share=0.07), least=0.8, most_refused=0.15),
    "7 % refused": Service(
        make=lambda: Failing(limit=_steady(), share=0.07, refusal_then=Refusal()),
        least=0.8,
        most_refused=0.15,
    ),
}
