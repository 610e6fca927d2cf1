"""Hold what a viewer shows of a run: rows of cases and attempts, and the filters that choose them.

Everything is small: a page of rows, sums over the rest. Only `SampleView` holds texts, those of one sample.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from steelyard.model.listed_run import ListedRun
from steelyard.model.outcome import Classification, NoTests
from steelyard.model.state import SubjectKey


class CaseStatus(StrEnum):
    """How the samples of a subject's case came out, for a filter."""

    UNSOLVED = "unsolved"  # checked, none passed
    SOLVED = "solved"  # all passed
    MIXED = "mixed"  # some passed
    ERRORS = "errors"  # at least one infrastructure error
    WAITING = "waiting"  # fewer samples checked than planned; by a stop rule, than generated


class CaseOrder(StrEnum):
    """How the list of cases is sorted."""

    NAME = "name"
    RATE = "rate"  # lowest pass rate first
    COST = "cost"  # most expensive first
    TIME = "time"  # slowest first


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFilter:
    """Which cases to list; an empty field filters nothing."""

    subject: SubjectKey | None = None
    suite: str | None = None
    tag: str | None = None
    kind: Classification | None = None
    status: CaseStatus | None = None
    name: str = ""  # a part of the case's name
    failed: str = ""  # the whole name of a test that failed in a sample of the case
    cost: float | None = None  # at least so many dollars for all samples of the case
    latency: float | None = None  # at least so many seconds, on average
    tokens: float | None = None  # at least so many in an answer, on average

    @property
    def is_set(self) -> bool:
        """Whether anything is filtered."""
        return self != CaseFilter()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """Which page of a sorted list: the one after a row or before it, both named by their case keys."""

    order: CaseOrder = CaseOrder.NAME
    after: int | None = None
    before: int | None = None
    size: int = 100


class Attempt(NamedTuple):
    """One square of a strip: an attempt and how it ended; None while its check is pending."""

    number: int
    kind: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRow:
    """A subject's case: counts, sums, and the strip of its first attempts."""

    key: int
    model: str
    tier: str
    suite: str
    case: str
    tags: tuple[str, ...] = ()
    honeypot: bool = False
    n: int = 0
    c: int = 0
    errors: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)  # failures only
    cost_nano_usd: int | None = None
    priced: int = 0  # checked samples whose cost is known
    latency_us: float | None = None  # the mean
    tokens_out: float | None = None  # the mean
    strip: tuple[Attempt, ...] = ()

    @property
    def samples(self) -> int:
        """Checked samples, infrastructure errors among them."""
        return self.n + self.errors

    @property
    def unpriced(self) -> int:
        """Checked samples whose cost is not known."""
        return self.samples - self.priced

    @property
    def holding(self) -> dict[str, str]:
        """What every row of the case holds, by column: a reader passes over files without it."""
        return {"model": self.model, "tier": self.tier, "suite": self.suite, "case_id": self.case}


@dataclass(frozen=True, slots=True, kw_only=True)
class CasePage:
    """A page of the list: its rows, its place in the list, and how long list and table are."""

    rows: tuple[CaseRow, ...]
    start: int  # rows before this page
    matching: int
    total: int
    hidden: int = 0  # rows of cases in a form that no longer counts

    @property
    def has_next(self) -> bool:
        """Whether rows follow."""
        return self.start + len(self.rows) < self.matching


class PartSums(NamedTuple):
    """What the cases of a part add up to; `rate_sum` and `rate_sq` are sums over the cases with evidence."""

    cases: int
    with_evidence: int
    n: int
    c: int
    errors: int
    rate_sum: float
    rate_sq: float
    cost_nano_usd: int
    priced: int
    latency_us: int
    timed: int
    tasks: int  # cases, each once for all subjects
    planned: int  # samples; by a stop rule, those that were generated

    @property
    def unpriced(self) -> int:
        """Checked samples whose cost is not known."""
        return self.n + self.errors - self.priced


@dataclass(frozen=True, slots=True, kw_only=True)
class PartRate:
    """The pass rate of a part of a run: mean over cases, with the interval for new cases."""

    subject: SubjectKey | None
    sums: PartSums
    rate: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerGroup:
    """Equal answers to one case that ended alike: the first attempt stands for all."""

    attempts: tuple[int, ...]  # the first ones
    count: int
    kind: str | None
    score_micro: int | None = None
    tests_passed: int | None = None
    tests_failed: int | None = None
    cost_nano_usd: int | None = None  # of all together
    priced: int = 0  # answers whose cost is known
    latency_us: float | None = None  # the mean
    tokens_out: float | None = None
    detail: str = ""  # how the check's output begins
    error: str | None = None


class FailedTest(NamedTuple):
    """A test and the number of samples that failed it, by the check output."""

    name: str
    samples: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedTests:
    """The tests that failed in a subject's case, the most frequent first."""

    tests: tuple[FailedTest, ...] = ()
    samples: int = 0  # with a failed test, named or not
    cut: int = 0  # of these, with an output that does not name all


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseView:
    """A subject's case with its answers."""

    row: CaseRow
    groups: tuple[AnswerGroup, ...]
    different: int  # groups in all
    next_attempt: int | None  # where the next page of groups begins


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a prompt."""

    role: str
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleView:
    """Everything kept about one sample, texts included; an unknown value is None."""

    row: CaseRow
    attempt: int
    text: str | None = None
    code: str | None = None  # as extracted for the check; None where that is not known
    language: str = ""
    messages: tuple[Message, ...] = ()
    reference: str | None = None
    tests: str = ""
    expected: str | None = None  # what an answer that is text is compared with
    classification: str | None = None
    passed: bool | None = None
    score_micro: int | None = None
    built: bool | None = None
    tests_passed: int | None = None
    tests_failed: int | None = None
    tests_ignored: int | None = None
    no_tests: NoTests | str | None = None
    lint_warnings: int | None = None
    diagnostic_errors: int | None = None
    check_us: int | None = None
    peak_memory_bytes: int | None = None
    is_shared: bool | None = None
    integrity: str | None = None
    sealed_assertions: int | None = None
    open_assertions: int | None = None
    detail: str = ""
    judgement: str | None = None
    error: str | None = None
    egress: str | None = None
    finish_reason: str | None = None
    cost_nano_usd: int | None = None
    latency_us: int | None = None
    first_byte_us: int | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | None = None
    tokens_reasoning: int | None = None
    request_id: str | None = None
    equal: tuple[int, ...] = ()  # other attempts with the same answer
    previous: int | None = None
    following: int | None = None
    previous_failure: int | None = None
    following_failure: int | None = None


class SearchScope(StrEnum):
    """Where a text search looks."""

    ANSWERS = "answers"
    OUTPUT = "output"  # of the checks


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A sample whose text holds what was searched for, and the words around it."""

    key: int
    model: str
    tier: str
    suite: str
    case: str
    attempt: int
    before: str
    match: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A label and a line of text that a person put on a sample."""

    key: int
    attempt: int
    label: str
    note: str
    author: str
    at: str
    model: str = ""
    tier: str = ""
    suite: str = ""
    case: str = ""
    is_blind: bool = False  # made without seeing whose answer it is and how its check ended


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLine:
    """A run in the list of runs."""

    id: str  # its name in links
    name: str
    address: str
    created_at: str = ""
    subjects: tuple[str, ...] = ()
    eval_set: str = ""
    cases: int = 0
    result: ListedRun | None = None  # its result, if requested
    problem: str = ""  # why it cannot be opened
