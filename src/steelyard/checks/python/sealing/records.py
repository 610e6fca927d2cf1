"""Records of sealed tests: assertions, and what is needed to decide a report of one."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from steelyard.model.outcome import Integrity


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A Python expression over `actual` and `cell` that is true if the assertion holds."""

    expression: str
    reported: str  # source of the reported expression, in one line
    wording: str  # of what is expected; `{}` stands for the value of `expected`
    expected: str = ""  # expression
    cells: Mapping[int, str] = field(default_factory=dict)  # expressions: values of `cell` by their number


@dataclass(frozen=True, slots=True, kw_only=True)
class Assertion:
    """One assertion of the tests; `check` is None if it stays in the tests as written."""

    number: int
    line: int
    text: str
    test: str  # top-level function or `Class.method` around it; "" at module level
    is_unconditional: bool  # reached whenever its test runs to the end
    count_may_vary: bool = False  # how often it is reached may differ between right answers
    check: Check | None = None
    can_be_guessed: bool = False
    why_open: str = ""

    @property
    def is_sealed(self) -> bool:
        """Whether the expected value stays outside of the sandbox."""
        return self.check is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedTests:
    """Tests without the expected values of their sealed assertions."""

    source: str
    assertions: tuple[Assertion, ...]
    silent_tests: tuple[str, ...] = ()  # tests without any assertion


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedCount:
    """The integrity of assertions, and their numbers."""

    sealed: int
    open: int
    guessable: int  # sealed assertions whose values can be guessed

    @property
    def integrity(self) -> Integrity:
        """The integrity of all assertions together."""
        if not self.open and self.sealed > self.guessable:
            return Integrity.SEALED
        return Integrity.PARTIAL if self.sealed else Integrity.OPEN


def count(assertions: Collection[Assertion], *, others: int = 0) -> SealedCount:
    """Count assertions; `others` are open ones of helpers, and tests without any."""
    is_guessable = [assertion.can_be_guessed for assertion in assertions if assertion.is_sealed]
    sealed = len(is_guessable)
    return SealedCount(sealed=sealed, open=len(assertions) - sealed + others, guessable=sum(is_guessable))
