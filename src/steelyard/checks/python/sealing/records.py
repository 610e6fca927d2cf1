"""Records of sealed tests: assertions, and what is needed to decide a report of one.

No parsing and no comparison.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

ACTUAL = "$actual"  # stands for the reported value in a check
CELL = "$cell"  # stands for the hidden value of the reported row


class Form(StrEnum):
    """Kind of assertion or of expected value, in the order of the coverage table."""

    EQUALITY = "equality with a literal"
    TRUTH = "truth value, `is None`, `is True`"
    TOLERANCE = "tolerance"
    MEMBERSHIP = "membership in or of a literal"
    ORDER = "ordering against a literal"
    EXCEPTION = "class and message of an expected exception"
    TABLE = "parametrize rows, tables, constants"
    TYPE = "`isinstance` of a built-in type"
    CONSTRUCTOR = "literal constructors"
    MOCK = "mock calls with literal arguments"
    TEXT = "regular expressions, prefixes and suffixes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Expression over ACTUAL and CELL that is true if the assertion holds."""

    expression: ast.expr
    reported: str  # source of the reported expression, in one line
    cells: Mapping[int, ast.expr]  # values of CELL by their number


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
    forms: frozenset[Form] = frozenset()

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
