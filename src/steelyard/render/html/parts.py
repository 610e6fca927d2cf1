"""Lay out a document as the parts of a page: which sections stand under which heading, and how."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from steelyard.model.history import History
from steelyard.render.charts.links import NO_LINKS, PageLinks
from steelyard.render.charts.markup import Content, Markup, joined, tag
from steelyard.render.document.blocks import Document, Section, TextLine
from steelyard.render.document.gate import WHY
from steelyard.render.html.blocks import folded, sections, sentence
from steelyard.render.html.figures import drawn

Layout = Callable[[Sequence[Section]], Content]


def with_pictures(found: Sequence[Section]) -> Markup:
    """Return pictures with their tables folded below; where there is nothing to draw, all sections open."""
    pictures = [picture for section in found if (picture := drawn(section.figure))]
    if not pictures:
        return joined(sections(found))
    tables = [section for section in found if section.columns]
    others = [section for section in found if not section.columns]
    return joined(pictures, folded("Numbers", sections(tables)), sections(others))


def pictures_only(found: Sequence[Section]) -> Markup:
    """Return pictures that say all that their tables say."""
    return joined(*(drawn(section.figure) for section in found))


def each_folded(found: Sequence[Section]) -> Markup:
    """Return every section folded under its title."""
    return joined(*(folded(section.title, sections([replace(section, title="")])) for section in found))


def all_folded(found: Sequence[Section]) -> Markup | None:
    """Return all sections folded together."""
    return folded("Numbers", sections(found))


def as_reasons(found: Sequence[Section]) -> Markup:
    """Return sections below a heading that asks why: their sentences do not say it again."""
    return with_pictures([replace(section, lines=tuple(map(_reason, section.lines))) for section in found])


def _reason(line: TextLine) -> TextLine:
    return replace(line, pieces=line.pieces[1:]) if line.pieces[0] == WHY else line


def as_list(found: Sequence[Section]) -> Markup | None:
    """Return the sentences of the sections as a list."""
    lines = [sentence(line, kind="li") for section in found for line in section.lines]
    return tag("ul", lines) if lines else None


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePart:
    """A part of a page under a heading; parts with the same `tab` share a link in the navigation."""

    id: str
    title: str
    content: Content
    tab: str = ""

    @property
    def markup(self) -> Markup:
        """The part as an element."""
        return tag("section", tag("h2", self.title), self.content, id=self.id)


@dataclass(frozen=True, slots=True)
class PartPlan:
    """The sections of a document that make up a part, and their layout."""

    id: str
    title: str
    names: tuple[str, ...]
    layout: Layout = with_pictures
    tab: str = ""


def parts_of(document: Document, plans: Sequence[PartPlan]) -> list[PagePart]:
    """Return the parts that have any content."""
    parts = [
        PagePart(id=plan.id, title=plan.title, content=plan.layout(document.pick(*plan.names)), tab=plan.tab)
        for plan in plans
    ]
    return [part for part in parts if part.content]


def navigation(parts: Sequence[PagePart], beside: PageLinks = NO_LINKS) -> Markup:
    """Return the bar at the top: other pages, the parts of this one, the switch between light and dark."""
    tabs: dict[str, PagePart] = {}
    for part in parts:
        tabs.setdefault(part.tab or part.title, part)
    links = (
        *(tag("a", f"← {name}", href=address) for name, address in beside.known.items()),
        *(tag("a", title, href=f"#{part.id}") for title, part in tabs.items()),
    )
    switch = tag("button", "light / dark", type="button", id="theme", hidden=True)
    skip = tag("a", "Skip to the content", href="#content", class_="skip")
    return joined(skip, tag("nav", tag("div", links), switch, aria_label="on this page"))


COST, REPEATED, TRUST = "Cost and latency", "Repeated samples", "Coverage and trust"
TIERS = "Tiers and runs"
REPORT_PARTS = (
    PartPlan("ranking", "Ranking", ("subjects", "benchmark")),
    PartPlan("failures", "How samples failed", ("failures",), tab="Failures"),
    PartPlan("suites", "Suites", ("suites", "overall")),
    PartPlan("tiers", "Tiers", ("uplift", "tier-spread", "spreads"), tab=TIERS),
    PartPlan("runs", "Runs", ("runs", "run-tiers", "run-spreads", "each-run"), all_folded, tab=TIERS),
    PartPlan("cost", "Cost and quality", ("means", "frontier"), tab=COST),
    PartPlan("latency", "Latency", ("latency",), tab=COST),
    PartPlan("pass-at-k", "pass@k", ("every-k", "also-at-k"), tab=REPEATED),
    PartPlan("steadiness", "Steadiness", ("flakiness",), tab=REPEATED),
    PartPlan("coverage", "Coverage", ("coverage",), tab=TRUST),
    PartPlan("trust", "Trust", ("integrity", "honeypots"), tab=TRUST),
    PartPlan("judges", "Judges", ("judges",), tab=TRUST),
)
FLIPPED_PARTS = (
    PartPlan("regressions", "Regressions by the threshold rule", ("regressions",), pictures_only),
    PartPlan("improvements", "Improvements", ("improvements",), pictures_only),
)
COMPARISON_PARTS = (
    *FLIPPED_PARTS,
    PartPlan("change", "Change", ("changes",)),
    PartPlan("suites", "By suite", ("suite-changes",)),
    PartPlan("evidence", "Evidence", ("evidence",), as_list),
    PartPlan("lone", "Not compared", ("new", "removed", "changed", "without-evidence"), each_folded),
    PartPlan("trust", "Trust", ("integrity",)),
)
GATE_PARTS = (
    PartPlan("drop", "The largest plausible drop", ("drops",)),
    PartPlan("why", "Why", ("reasons",), as_reasons),
    PartPlan("carried", "Cases behind this verdict", ("carried",), pictures_only),
    PartPlan("next", "What to do next", ("resample",)),
    PartPlan("tests", "How it was tested", ("surroundings", "integrity")),
)
MATRIX_PARTS = (
    PartPlan("subjects", "Subjects", ("subjects",)),
    PartPlan("pairs", "All pairs", ("pairs",)),
    PartPlan("next", "Generate next", ("next",)),
)


def history_plans(history: History) -> list[PartPlan]:
    """Return a part for each subject of a history."""
    return [
        PartPlan(f"subject-{index}", subject.model, (f"subject-{index}",))
        for index, subject in enumerate(history.subjects)
    ]
