"""Say what was expected, what was there, and what was left out.

Part of every report: a mean over the cases that happened to be there is not the mean over the suite.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How complete the outcomes of one subject are.

    `expected`, `seen`, `missing` and `unknown` count cases; `duplicate` and `errored` count samples.
    The names are capped; the counts are not.
    """

    expected: int
    seen: int
    missing: int
    unknown: int
    duplicate: int
    errored: int
    missing_cases: tuple[str, ...] = ()
    unknown_cases: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether nothing is missing, unknown, repeated or broken."""
        return not (self.missing or self.unknown or self.duplicate or self.errored)
