"""Arrange the sections of a document into the parts of a page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from steelyard.model.history import History
from steelyard.render.charts.markup import Content, Markup, joined, tag
from steelyard.render.charts.names import NO_LINKS, PageLinks
from steelyard.render.document.blocks import Document, Section, TextLine
from steelyard.render.document.gate import WHY
from steelyard.render.html.blocks import folded, sections, sentence
from steelyard.render.html.figures import draw

Layout = Callable[[Sequence[Section]], Content]


def with_figures(shown: Sequence[Section]) -> Markup:
    """Return figures with their tables folded below; without figures, all sections unfolded."""
    figures = [figure for section in shown if (figure := draw(section.figure))]
    if not figures:
        return joined(sections(shown))
    tables = [section for section in shown if section.columns]
    others = [section for section in shown if not section.columns]
    return joined(figures, folded("Numbers", sections(tables)), sections(others))


def figures_only(shown: Sequence[Section]) -> Markup:
    """Return figures without their tables, which add nothing."""
    return joined(*(draw(section.figure) for section in shown))


def each_folded(shown: Sequence[Section]) -> Markup:
    """Return every section folded under its title."""
    return joined(*(folded(section.title, sections([replace(section, title="")])) for section in shown))


def all_folded(shown: Sequence[Section]) -> Markup | None:
    """Return all sections folded together."""
    return folded("Numbers", sections(shown))


def as_reasons(shown: Sequence[Section]) -> Markup:
    """Return sections under a heading "Why", without "why:" in their sentences."""
    return with_figures([replace(section, lines=tuple(map(_reason, section.lines))) for section in shown])


def _reason(line: TextLine) -> TextLine:
    return replace(line, pieces=line.pieces[1:]) if line.pieces[0] == WHY else line


def as_list(shown: Sequence[Section]) -> Markup | None:
    """Return the sentences of the sections as a list."""
    lines = [sentence(line, kind="li") for section in shown for line in section.lines]
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
    layout: Layout = with_figures
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
    PartPlan("cost", "Cost and quality", ("means", "frontier"), tab=COST),
    PartPlan("latency", "Latency", ("latency",), tab=COST),
    PartPlan("pass-at-k", "pass@k", ("every-k", "also-at-k"), tab=REPEATED),
    PartPlan("steadiness", "Steadiness", ("flakiness",), tab=REPEATED),
    PartPlan("coverage", "Coverage", ("coverage",), tab=TRUST),
    PartPlan("trust", "Trust", ("integrity", "honeypots"), tab=TRUST),
    PartPlan("judges", "Judges", ("judges",), tab=TRUST),
    PartPlan("runs", "Runs", ("runs", "run-tiers", "run-spreads", "each-run"), all_folded, tab=TIERS),
)
FLIPPED_PARTS = (
    PartPlan("regressions", "Regressions by the threshold rule", ("regressions",), figures_only),
    PartPlan("improvements", "Improvements", ("improvements",), figures_only),
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
    PartPlan("carried", "Cases behind this verdict", ("carried",), figures_only),
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
