"""Hold a run as a list of runs shows it, and one of its answers as a person reads it."""

from dataclasses import dataclass

from steelyard.model.units import NANO_USD


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRun:
    """A run in a list: what it is, how far it is, and what it came to."""

    address: str
    created_at: str
    eval_set: str | None
    subjects: tuple[str, ...]  # as MODEL@TIER
    planned: int  # with a stop rule, at most
    generated: int
    checked: int
    rated: int  # with a verdict; honeypots are not among them
    passed: int  # of those
    cost_nano_usd: int | None  # None: no answer has a known cost
    unpriced: int  # answers without a known cost
    is_complete: bool

    @property
    def pass_rate(self) -> float | None:
        """The share of rated answers that passed."""
        return self.passed / self.rated if self.rated else None

    @property
    def cost_usd(self) -> float | None:
        """What the answers cost, in dollars."""
        return None if self.cost_nano_usd is None else self.cost_nano_usd / NANO_USD


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
    expected: str | None = None  # what a text was compared with; None: the answer was run
