"""Lay out the empty table of cases; page.js fills it from the packed data."""

from steelyard.model.report import Report
from steelyard.render.charts.markup import Markup, joined, tag
from steelyard.render.charts.subjects import ranked_subjects
from steelyard.render.html.payload import Payload
from steelyard.render.words import counted

MOST_NAMED = 4  # subjects whose names fit into the table header
STATES = {
    "": "all cases",
    "unsolved": "not passed by any subject",
    "solved": "always passed by all",
    "split": "solved by some only",
    "flaky": "with samples that disagree",
    "gaps": "missing or errored",
}


def case_table(report: Report, packed: Payload) -> Markup | None:
    """Return the controls and the empty table; None without cases."""
    if not report.cases:
        return None
    return joined(
        tag(
            "noscript",
            tag("p", "This table needs JavaScript; the rest of the page does not.", class_="tone-warning"),
        ),
        tag("p", _instructions(packed), class_="quiet"),
        tag("div", _controls(), id="controls", role="search", hidden=True),
        tag("p", id="status", role="status", class_="quiet"),
        _legend(report),
        tag(
            "div",
            tag("table", tag("thead"), tag("tbody"), id="matrix", class_="matrix"),
            class_="scroll",
            tabindex="0",
            role="group",
            aria_label="cases",
        ),
        tag("div", _pager(), id="pager", hidden=True),
    )


def _instructions(packed: Payload) -> str:
    text = "How many samples of each case passed."
    if not packed.samples:
        return text
    return (
        f"{text} Click a cell for its samples, or a case for those of all subjects "
        f"({counted(packed.samples, 'sample')} kept here). "
        "The address bar then has a link to the open samples."
    )


def _legend(report: Report) -> Markup | None:
    """Return the subjects by number, if the table header has numbers only."""
    subjects = ranked_subjects(report)
    if len(subjects) <= MOST_NAMED:
        return None
    entries = (tag("li", subject.label) for subject in subjects)
    return tag("ul", entries, id="legend", class_="key", tabindex="0", aria_label="subjects by number")


def _controls() -> Markup:
    states = (tag("option", words, value=state) for state, words in STATES.items())
    return joined(
        tag(
            "label",
            "Search ",
            tag("input", type="search", id="query", autocomplete="off", spellcheck="false"),
        ),
        tag("label", "Suite ", tag("select", tag("option", "all suites", value=""), id="suite")),
        tag("label", "Show ", tag("select", states, id="state")),
    )


def _pager() -> Markup:
    return joined(
        tag("button", "previous", type="button", id="previous"),
        tag("span", id="page"),
        tag("button", "next", type="button", id="next"),
    )
