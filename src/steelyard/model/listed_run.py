"""Hold a run as a list of runs shows it, and one of its answers as a person reads it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRun:
    """A run in a list: what it is, how far it is, and what it came to."""

    address: str
    created_at: str
    eval_set: str | None
    subjects: tuple[str, ...]  # as MODEL@TIER
    planned: int  # with a stop rule, at most
    drawn: int
    checked: int
    passed: int
    cost_nano_usd: int | None  # None: no answer has a known cost
    is_complete: bool

    @property
    def pass_rate(self) -> float | None:
        """The share of checked answers that passed."""
        return self.passed / self.checked if self.checked else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownAnswer:
    """One answer of a run with its prompt and what the check saw; None: not kept."""

    model: str
    tier: str
    suite: str
    case: str
    attempt: int
    classification: str | None  # None: not checked yet
    prompt: str | None
    text: str | None  # None: the log that was imported keeps none
    detail: str | None
    error: str | None
