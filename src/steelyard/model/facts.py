"""Record what a check saw about one sample: facts only, never a score.

A fact nobody looked for is None; it is never guessed and never a zero.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from steelyard.model.classification import Classification
from steelyard.model.judgement import Judgement


class NoTests(StrEnum):
    """Why not a single graded test ran; three situations that one zero would hide."""

    NONE_DEFINED = "none_defined"  # the case has no tests
    BUILD_FAILED = "build_failed"  # the answer builds, the tests against it do not
    NONE_COLLECTED = "none_collected"  # there are tests, but the runner found none of them


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What one check saw."""

    classification: Classification | None = None
    passed: bool | None = None
    built: bool | None = None
    tests_passed: int | None = None
    tests_failed: int | None = None
    tests_ignored: int | None = None
    no_tests: NoTests | None = None
    lint_warnings: int | None = None
    diagnostic_errors: int | None = None
    diagnostic_warnings: int | None = None
    impl_rate: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a check of one sample saw, what it took, and an excerpt of what the tools said.

    `check_digest` names the check (tests, tools, limits) so that a changed one is noticed. `is_shared`
    tells that an equal answer to the same case had been checked already and this one was not run again.
    """

    facts: Facts
    check_digest: str | None = None
    check_us: int | None = None
    peak_memory_bytes: int | None = None
    is_shared: bool = False
    detail: str = ""
    judgement: Judgement | None = None  # where a judge was asked: who said what
