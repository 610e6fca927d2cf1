"""The seams: small protocols behind which one part can be swapped for another.

Protocols and the records they hand over, nothing else; adapters get what they need as arguments.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from steelyard.model.classification import Classification
from steelyard.model.comparison import Comparison
from steelyard.model.gate import GateReport
from steelyard.model.report import Report


class ReportRenderer(Protocol):
    """Turns a report into text; the same report always gives the same text."""

    def render(self, report: Report) -> str:
        """Return the whole text, ending in a newline."""


class ComparisonRenderer(Protocol):
    """Turns a comparison into text; the same comparison always gives the same text."""

    def render(self, comparison: Comparison) -> str:
        """Return the whole text, ending in a newline."""


class GateRenderer(Protocol):
    """Turns a gate's verdict into text; the same verdict always gives the same text."""

    def render(self, gate: GateReport) -> str:
        """Return the whole text, ending in a newline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """One repaired file that has not been validated yet."""

    case: str
    attempt: str
    filename: str
    text: str


class Validator(Protocol):
    """Finds out whether repaired files are valid, such as `terraform validate` does."""

    def validate(self, fixes: Sequence[Fix], *, clones_dir: str) -> Sequence[Classification]:
        """Return how each fix ended, in order; `error` when we, not the fix, broke."""
