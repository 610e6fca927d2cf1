"""Hold graded tests that are plain data: calls of a function, and inputs and outputs of a program.

What is expected never enters a sandbox; `checks/forms/calls` and `checks/forms/io` compare outside.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

ANY_ERROR = "any"  # in `FunctionCall.raises`: an error of whatever kind

# A value of JSON, or a table with one key for a type that JSON lacks, such as `{"tuple": [1, 2]}`.
Plain = object


class Compare(StrEnum):
    """How what an answer gave is compared with what is expected."""

    EXACT = "exact"  # equal values; for programs, equal text
    LINES = "lines"  # programs: blanks at line ends and empty lines at the end do not count
    TOKENS = "tokens"  # programs: only words between blanks count
    NUMBERS = "numbers"  # programs: like tokens, numbers within the tolerance
    PROGRAM = "program"  # a program of the case decides, for calls only about results that are not equal
    SET = "set"  # calls: sequences are equal if they have the same elements, in any order
    EXISTS = "exists"  # calls: `true` stands for any value but null, `false` for null


FOR_CALLS = frozenset({Compare.EXACT, Compare.SET, Compare.EXISTS, Compare.PROGRAM})
FOR_IO = frozenset(Compare) - {Compare.SET, Compare.EXISTS}


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionCall:
    """One call of the answer's function: its arguments, and what must come of it."""

    args: tuple[Plain, ...] = ()
    kwargs: Mapping[str, Plain] = field(default_factory=dict)
    returns: Plain = None
    raises: str | None = None  # a kind of error, or `any`; then `returns` counts for nothing
    name: str = ""

    def form(self) -> list[object]:
        """Return the fields for a digest."""
        return [self.name, self.args, dict(self.kwargs), self.returns, self.raises]


@dataclass(frozen=True, slots=True, kw_only=True)
class InputOutput:
    """One run of the answer's program: what it is given, and what it must print."""

    stdin: str = ""
    args: tuple[str, ...] = ()
    stdout: str = ""
    name: str = ""

    def form(self) -> list[object]:
        """Return the fields for a digest."""
        return [self.name, self.stdin, self.args, self.stdout]
