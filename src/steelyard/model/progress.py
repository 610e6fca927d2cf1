"""Progress and result of a run: immutable snapshots, safe to keep and to pass to another thread."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

UNCHECKED_SHARE = 0.05  # of checks: if more could not run, a run has no result
UNCHECKED = "check"  # the kind of error of a check that could not run
INCOMPLETE = 4  # the exit code when the budget is spent

SubjectName = tuple[str, str]  # model and tier


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectProgress:
    """What has been done for one subject, or for several together."""

    planned: int = 0
    generated: int = 0  # committed, with an answer or an error
    checked: int = 0  # with evidence
    passed: int = 0
    cost_nano_usd: int = 0
    unpriced: int = 0  # answers of unknown cost
    errors: Mapping[str, int] = field(default_factory=dict)  # infrastructure errors by kind
    error_messages: Mapping[str, str] = field(default_factory=dict)  # the first of each kind
    broke_their_check: int = 0  # answers that failed since their own doing broke their check
    had_longer: int = 0  # answers that a busy machine gave longer than their limit
    memory_unlimited: int = 0  # answers checked where the sandbox could not limit memory

    @property
    def errored(self) -> int:
        """How many samples ended in an infrastructure error."""
        return sum(self.errors.values())

    @property
    def unchecked(self) -> int:
        """How many answers there are whose check could not run."""
        return self.errors.get(UNCHECKED, 0)

    @property
    def ended(self) -> int:
        """How many samples need no further work."""
        return self.checked + self.errored


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderProgress:
    """How many calls a provider has in flight, how many it may have, and what was repeated."""

    in_flight: int
    allowed: int
    pause_s: float = 0.0  # seconds until the next call, requested by the provider
    waiting: int = 0  # answers that wait for a slot, for money or for the next try
    retries: Mapping[str, int] = field(default_factory=dict)  # calls that were repeated, by kind of error
    pace: float | None = None  # calls that may begin in a second; None: no limit is known


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSpend:
    """What judging has taken so far, in earlier sessions of the run too."""

    replies: int = 0
    cost_nano_usd: int = 0
    unpriced: int = 0  # replies of unknown cost


@dataclass(frozen=True, slots=True, kw_only=True)
class RunProgress:
    """Progress of a run at one moment."""

    subjects: Mapping[SubjectName, SubjectProgress]
    providers: Mapping[str, ProviderProgress] = field(default_factory=dict)
    spent_nano_usd: int = 0  # on answers, judges and calls that brought no answer
    max_nano_usd: int | None = None  # None: no cap
    judges: JudgeSpend | None = None  # None: no judges in this run
    under_way: int = 0  # answers that are being generated
    is_stopping: bool = False  # the user requested a stop; running work is finished
    stops_early: bool = False  # a stop rule decides how much is generated; `planned` is the maximum

    @property
    def total(self) -> SubjectProgress:
        """The counts of all subjects together."""
        subjects = tuple(self.subjects.values())
        return SubjectProgress(
            planned=sum(subject.planned for subject in subjects),
            generated=sum(subject.generated for subject in subjects),
            checked=sum(subject.checked for subject in subjects),
            passed=sum(subject.passed for subject in subjects),
            cost_nano_usd=sum(subject.cost_nano_usd for subject in subjects),
            unpriced=sum(subject.unpriced for subject in subjects),
            errors=sum((Counter(subject.errors) for subject in subjects), Counter()),
            error_messages={
                kind: text for subject in reversed(subjects) for kind, text in subject.error_messages.items()
            },
            broke_their_check=sum(subject.broke_their_check for subject in subjects),
            had_longer=sum(subject.had_longer for subject in subjects),
            memory_unlimited=sum(subject.memory_unlimited for subject in subjects),
        )


ProgressCallback = Callable[[RunProgress], None]


class StopCause(StrEnum):
    """Why a run stopped calling a provider."""

    BUDGET = "budget"
    PROVIDER = "provider"
    MODEL = "model"  # the provider does not know a model's name; the whole run stops, so it can be put right


@dataclass(frozen=True, slots=True, kw_only=True)
class StopReason:
    """Why a run stopped calling a provider before everything was generated."""

    cause: StopCause
    message: str
    model: str = ""  # that the provider does not know
    near: str = ""  # a model whose name is nearly the same


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """How a session of a run ended."""

    address: str  # of the run store
    progress: RunProgress  # the last snapshot
    stopped: Mapping[str, StopReason]  # by provider
    was_stopped: bool  # by the user

    @property
    def is_complete(self) -> bool:
        """Whether everything planned was tried; infrastructure errors are counted apart."""
        return not self.stopped and not self.was_stopped and not self.lacks_cases

    @property
    def lacks_cases(self) -> bool:
        """Whether nothing stopped the run, and yet answers are missing: its eval set lacks their cases."""
        total = self.progress.total
        is_short = total.generated < total.planned and not self.progress.stops_early
        return is_short and not self.stopped and not self.was_stopped

    @property
    def unknown_model(self) -> StopReason | None:
        """The stop at a model that its provider does not know, if there was one."""
        stopped = (reason for reason in self.stopped.values() if reason.cause is StopCause.MODEL)
        return next(stopped, None)

    @property
    def hit_budget(self) -> bool:
        """Whether the cap on spending ended the run."""
        return any(reason.cause is StopCause.BUDGET for reason in self.stopped.values())
