"""Name how a check of one answer ended.

Only the names and what they mean; which one applies is decided by the checks.
"""

from enum import StrEnum


class Classification(StrEnum):
    """How the check of one sample ended."""

    PASS = "pass"  # the answer met every demand
    FAIL = "fail"  # the answer ran and was wrong
    BUILD_ERROR = "build_error"  # the answer does not build or validate
    TIMEOUT = "timeout"  # the answer used up its own time
    CRASH = "crash"  # the answer died while running
    REFUSAL = "refusal"  # the model declined to answer
    WRONG_FORMAT = "wrong_format"  # the answer is not in the form that was asked for
    POLICY_VIOLATION = "policy_violation"  # the answer does what it was told not to do
    ERROR = "error"  # we broke, not the model: no evidence either way

    @property
    def is_evidence(self) -> bool:
        """Whether this tells about the model rather than about us."""
        return self is not Classification.ERROR

    @property
    def is_failure(self) -> bool:
        """Whether the model, and not we, failed."""
        return self.is_evidence and self is not Classification.PASS


FAILURES = tuple(kind for kind in Classification if kind.is_failure)
