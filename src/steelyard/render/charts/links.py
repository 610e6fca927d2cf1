"""Name the places of a page that links lead to, and the pages that stand beside it.

A case has the same name on every page, so that a link may lead from one page to another.
"""

from dataclasses import dataclass
from urllib.parse import quote

from steelyard.model.comparison import CaseRef, ScoreChange
from steelyard.render.names import visible


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLinks:
    """Where other pages about the same runs are, as seen from this one; None where there is no such page."""

    report: str | None = None
    comparison: str | None = None
    gate: str | None = None

    @property
    def known(self) -> dict[str, str]:
        """The pages there are, by what they are called."""
        result = {"report": self.report, "comparison": self.comparison, "gate": self.gate}
        return {name: address for name, address in result.items() if address}


NO_LINKS = PageLinks()


def case_fragment(case: CaseRef | ScoreChange) -> str:
    """Return what a link to a case of a subject says after its `#`; the script of a report reads it.

    >>> case_fragment(CaseRef(model="a/b", tier="T0", suite="basics", case="fizz buzz"))
    'case=fizz%20buzz&suite=basics&model=a%2Fb&tier=T0'
    """
    named = {"case": case.case, "suite": case.suite, "model": case.model, "tier": case.tier}
    return "&".join(f"{key}={quote(visible(text), safe='')}" for key, text in named.items())
