"""Hold what is said about how far grades can be trusted: isolation by subject, and passed honeypots."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectIsolation:
    """How the samples of one subject were graded: out of the answer's reach, within it, or unknown.

    `shared_cases` and `unknown_cases` name the cases with such samples, at most 20 of each.
    """

    model: str
    tier: str
    apart: int
    shared: int
    unknown: int
    shared_cases: tuple[str, ...] = ()
    unknown_cases: tuple[str, ...] = ()

    @property
    def samples(self) -> int:
        """How many samples were graded."""
        return self.apart + self.shared + self.unknown


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
