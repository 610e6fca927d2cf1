"""How much of a case's tests is sealed."""

from collections.abc import Iterable
from dataclasses import dataclass

from steelyard.checks.python.sealing.records import Assertion
from steelyard.model.outcome import Integrity


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


def integrity(assertions: Iterable[Assertion], *, silent_tests: int = 0) -> SealedCount:
    """Return the integrity of assertions; a test without any counts as an open one."""
    counted = list(assertions)
    sealed = [assertion for assertion in counted if assertion.is_sealed]
    return SealedCount(
        sealed=len(sealed),
        open=len(counted) - len(sealed) + silent_tests,
        guessable=sum(assertion.can_be_guessed for assertion in sealed),
    )
