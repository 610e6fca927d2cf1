"""Decide whether a check may enter the queue: refuse at once what would wait past its deadline."""

from collections import deque
from dataclasses import dataclass, field
from enum import StrEnum
from math import ceil

WINDOW = 200  # checks
MOST_ERRORS = 0.2  # share of the window
COOL_DOWN_S = 10.0
SMOOTHING = 0.05  # weight of the newest check in the mean duration
FIRST_GUESS_S = 0.1


class Reason(StrEnum):
    """Why a check was refused or got no verdict."""

    QUEUE_FULL = "queue_full"
    TOO_LATE = "too_late"  # the queue is longer than the deadline allows
    BREAKER_OPEN = "breaker_open"
    DRAINING = "draining"
    DEADLINE = "deadline"  # passed while the check was queued or running
    WORKER_LOST = "worker_lost"
    CHECK_FAILED = "check_failed"  # the check itself ended in an infrastructure error


class Refused(Exception):
    """A check that did not enter the queue."""

    def __init__(self, reason: Reason, *, retry_after_s: float) -> None:
        super().__init__(str(reason))
        self.reason = reason
        self.retry_after_s = max(1, ceil(retry_after_s))

    @property
    def http_status(self) -> int:
        """429 if fewer requests would help, else 503."""
        return 429 if self.reason in {Reason.QUEUE_FULL, Reason.TOO_LATE} else 503


@dataclass(slots=True)
class CircuitBreaker:
    """Opens when too many of the last checks were infrastructure errors; after a pause lets one through."""

    recent: deque[bool] = field(default_factory=lambda: deque(maxlen=WINDOW))
    retry_at: float = 0.0

    @property
    def is_open(self) -> bool:
        """Whether the window is full and holds too many infrastructure errors."""
        return len(self.recent) == WINDOW and sum(self.recent) > MOST_ERRORS * WINDOW

    def add(self, *, is_error: bool, now: float) -> None:
        """Record a check. A success after the pause closes an open breaker."""
        if self.is_open and not is_error:
            self.recent.clear()
            return
        self.recent.append(is_error)
        if self.is_open:
            self.retry_at = now + COOL_DOWN_S

    def require_closed(self, now: float) -> None:
        """Raise Refused while the breaker is open, except once per pause, for a trial."""
        if not self.is_open:
            return
        if now < self.retry_at:
            raise Refused(Reason.BREAKER_OPEN, retry_after_s=self.retry_at - now)
        self.retry_at = now + COOL_DOWN_S


@dataclass(slots=True)
class Admission:
    """Bounds the queue and estimates how long a new check would wait."""

    queue_limit: int
    workers: int
    mean_s: float = FIRST_GUESS_S
    is_draining: bool = False
    breaker: CircuitBreaker = field(default_factory=CircuitBreaker)

    def add_duration(self, seconds: float) -> None:
        """Record how long a check took."""
        self.mean_s += SMOOTHING * (seconds - self.mean_s)

    def wait_s(self, queued: int) -> float:
        """Return the expected time in the queue."""
        return queued * self.mean_s / self.workers

    def require(self, *, queued: int, deadline: float, now: float) -> None:
        """Raise Refused if a check may not enter the queue."""
        if self.is_draining:
            raise Refused(Reason.DRAINING, retry_after_s=COOL_DOWN_S)
        self.breaker.require_closed(now)
        wait_s = self.wait_s(queued)
        if queued >= self.queue_limit:
            raise Refused(Reason.QUEUE_FULL, retry_after_s=wait_s / 2)
        if now + wait_s > deadline:
            raise Refused(Reason.TOO_LATE, retry_after_s=now + wait_s - deadline)
