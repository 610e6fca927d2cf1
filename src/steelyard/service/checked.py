"""Hold the result of a check by the service."""

from dataclasses import dataclass

from steelyard.checks.classification.classifier import expectation_met
from steelyard.model.case import Case
from steelyard.model.outcome import Outcome
from steelyard.service.admission import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """An outcome and the time it took; `reason` is set if there is no verdict."""

    case: Case
    case_digest: str
    outcome: Outcome
    reason: Reason | None = None
    queue_s: float = 0.0
    wall_s: float = 0.0

    @property
    def reward(self) -> float | None:
        """1 if the answer ended as a good one must, 0 if not, None for an infrastructure error.

        A pass of a honeypot pays 0.
        """
        is_met = expectation_met(self.case, self.outcome)
        return None if is_met is None else float(is_met and not self.case.honeypot)
