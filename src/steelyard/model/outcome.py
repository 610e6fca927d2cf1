"""Hold what a check found about one sample: its classification and facts, never a score.

A fact that no check looked for is None; it is never guessed and never a zero.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from steelyard.model.judgement import Judgement


class Classification(StrEnum):
    """How the check of one sample ended."""

    PASS = "pass"  # the answer met every demand
    FAIL = "fail"  # the answer ran and was wrong
    BUILD_ERROR = "build_error"  # the answer does not build or validate
    TIMEOUT = "timeout"  # the answer used up its own time
    CRASH = "crash"  # the answer died while running
    REFUSAL = "refusal"  # the model declined to answer
    WRONG_FORMAT = "wrong_format"  # the answer is not in the requested form
    POLICY_VIOLATION = "policy_violation"  # the answer does what the case forbids
    ERROR = "error"  # an infrastructure error, not the model's: no evidence either way

    @property
    def is_evidence(self) -> bool:
        """Whether this is evidence about the model, not about the infrastructure."""
        return self is not Classification.ERROR

    @property
    def is_failure(self) -> bool:
        """Whether the model failed, and not our infrastructure."""
        return self.is_evidence and self is not Classification.PASS


FAILURES = tuple(kind for kind in Classification if kind.is_failure)


class NoTests(StrEnum):
    """Why not a single graded test ran; three situations that one zero would hide."""

    NONE_DEFINED = "none_defined"  # the case has no tests
    BUILD_FAILED = "build_failed"  # the answer builds, the tests against it do not
    NONE_COLLECTED = "none_collected"  # there are tests, but the runner found none of them


class Integrity(StrEnum):
    """How far a grade is out of the answer's reach, the least first."""

    OPEN = "open"  # no assertion is sealed: a hostile answer may forge the result
    PARTIAL = "partial"  # some assertions are sealed
    SEALED = "sealed"  # expected values and their comparison stay out of the sandbox

    def is_at_least(self, least: "Integrity") -> bool:
        """Whether this is as good as `least` or better."""
        order = list(Integrity)
        return order.index(self) >= order.index(least)


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
    """What a check of one sample saw, what it took, and an excerpt of the tools' output.

    `check_digest` names the check (tests, tools, limits) so that a changed one is noticed. `is_repeat`
    is set if an equal answer to the same case was already checked and this one was not run again.
    `integrity` is None where only judges decide, without a sandbox, and for plug-ins that do not set it.
    The counts of assertions are None for checkers that do not count them. `broke_its_check`, `had_longer`
    and `memory_limited` are counted while a run goes on and not kept: the first for an answer whose own doing
    broke its check, the second if a command got longer than its limit, since others had the processors, the
    third if the sandbox could not limit memory.
    """

    facts: Facts
    check_digest: str | None = None
    check_us: int | None = None
    peak_memory_bytes: int | None = None
    is_repeat: bool = False
    integrity: Integrity | None = None
    sealed_assertions: int | None = None
    open_assertions: int | None = None
    detail: str = ""
    judgement: Judgement | None = None  # of the judges, if there are any
    broke_its_check: bool = False
    had_longer: bool = False
    cpu_us: int | None = None  # processor time of the check's commands; not kept
    memory_limited: bool = True
    needs_setup: bool = False  # an error that the user can correct; not kept either
