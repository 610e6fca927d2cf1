"""Records of sealed tests: assertions, and the checks that decide their reports."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from steelyard.model.outcome import Integrity


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A Python expression over `actual` and `cell`, true if the assertion holds."""

    expression: str
    reported: str  # source of the reported expression, in one line
    wording: str  # describes the expected value; `$value` is replaced by that of `expected`
    expected: str = ""  # expression
    cells: Mapping[int, str] = field(default_factory=dict)  # expressions for `cell`, by number


@dataclass(frozen=True, slots=True, kw_only=True)
class Assertion:
    """One assertion of the tests; `check` is None if it stays in the tests as written."""

    number: int
    line: int
    text: str
    test: str  # top-level function or `Class.method` around it; "" at module level
    is_unconditional: bool  # always reached if its test runs to the end
    count_may_vary: bool = False  # right answers may reach it a different number of times
    check: Check | None = None
    can_be_guessed: bool = False
    why_open: str = ""

    @property
    def is_sealed(self) -> bool:
        """Whether the expected value stays outside the sandbox."""
        return self.check is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedTests:
    """Tests without the expected values of their sealed assertions."""

    source: str
    assertions: tuple[Assertion, ...]
    silent_tests: tuple[str, ...] = ()  # tests without any assertion


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedCount:
    """Numbers of sealed and open assertions."""

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
    """Count assertions; `others` counts open ones of helpers and tests without any."""
    is_guessable = [assertion.can_be_guessed for assertion in assertions if assertion.is_sealed]
    sealed = len(is_guessable)
    return SealedCount(sealed=sealed, open=len(assertions) - sealed + others, guessable=sum(is_guessable))
