"""Lay out the table of cases, empty: the script of the page fills it from the packed data."""

from steelyard.model.report import Report
from steelyard.render.charts.markup import Markup, joined, tag
from steelyard.render.html.payload import Payload
from steelyard.render.words import counted

STATES = {
    "": "all cases",
    "unsolved": "not passed by any subject",
    "solved": "always passed by all",
    "split": "solved by some only",
    "flaky": "with samples that disagree",
    "gaps": "missing or errored",
}


def case_table(report: Report, packed: Payload) -> Markup | None:
    """Return the controls and the frame of the table, or nothing where there is no case."""
    if not report.cases:
        return None
    return joined(
        tag("noscript", tag("p", "This table needs JavaScript; nothing above does.", class_="tone-warning")),
        tag("p", _explained(packed), class_="quiet"),
        tag("div", _controls(), id="controls", role="search", hidden=True),
        tag("p", id="status", role="status", class_="quiet"),
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


def _explained(packed: Payload) -> str:
    opens = (
        f" A case opens to its samples ({counted(packed.samples, 'sample')} kept here)."
        if packed.samples
        else ""
    )
    return f"How many samples of each case passed.{opens}"


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
