"""What checking the stored answers of a run again came to."""

from dataclasses import dataclass
from typing import NamedTuple

from steelyard.errors import INTERRUPTED, InfrastructureError, UserError
from steelyard.model.progress import INCOMPLETE

CaseId = tuple[str, str]  # suite and case


class Regraded(NamedTuple):
    """How checks of one subject's case ended before and now; `was` is None where there was no outcome."""

    model: str
    tier: str
    suite: str
    case: str
    was: str | None
    now: str
    was_passed: bool | None
    now_passed: bool | None
    samples: int
    rescored: int  # of them, those with another score
    detail: str  # of one of them
    lost: int  # of them, those that had a score or a judged rate and have none now

    @property
    def has_flipped(self) -> bool:
        """Whether these pass now and did not, or did and do not."""
        return self.was is not None and self.was_passed != self.now_passed

    @property
    def is_broken(self) -> bool:
        """Whether these checks broke where there was evidence before."""
        return self.now_passed is None and self.was_passed is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class RegradeResult:
    """The result of a regrade."""

    checked: int  # answers that were checked again, also by an earlier try that was interrupted
    changes: tuple[Regraded, ...] = ()
    was_stopped: bool = False
    was_interrupted: bool = False  # by the user
    is_in_place: bool = False
    broken: tuple[Regraded, ...] = ()  # checks that broke where there was evidence before
    lost: tuple[Regraded, ...] = ()  # checks that did not break, and lost a score or a judged rate


@dataclass(frozen=True, slots=True, kw_only=True)
class RegradeSummary:
    """What a regrade checked and changed, and what it left as it was."""

    address: str
    result: RegradeResult
    changed_cases: int  # cases that have another form now
    changed_prompts: tuple[CaseId, ...] = ()  # cases with another prompt now: their answers stay as they are
    new: tuple[CaseId, ...] = ()  # cases that the run does not have

    @property
    def exit_code(self) -> int:
        """The exit code: 0 done, 2 not possible, 3 evidence lost, 4 stopped, 130 interrupted."""
        if self.result.is_in_place:
            return 0
        if self.result.was_stopped:
            return INTERRUPTED if self.result.was_interrupted else INCOMPLETE
        has_lost = self.result.broken or self.result.lost
        return InfrastructureError.exit_code if has_lost else UserError.exit_code
