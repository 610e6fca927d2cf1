"""Hold how far grades can be trusted: integrity by subject, and passed honeypots."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectIntegrity:
    """How many samples of one subject have which integrity.

    `partial_cases`, `open_cases` and `unknown_cases` name the cases with such samples, at most 20 of each.
    """

    model: str
    tier: str
    sealed: int
    partial: int
    open: int
    unknown: int
    partial_cases: tuple[str, ...] = ()
    open_cases: tuple[str, ...] = ()
    unknown_cases: tuple[str, ...] = ()

    @property
    def samples(self) -> int:
        """How many samples were graded."""
        return self.sealed + self.partial + self.open + self.unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class HoneypotSummary:
    """How often one subject passed cases that no honest answer passes; these samples are in no score.

    `passed_cases` names the cases that were passed, at most 20.
    """

    model: str
    tier: str
    cases: int
    samples: int
    passed: int
    passed_cases: tuple[str, ...] = ()
