"""A box for SQL: one SELECT over the run's tables."""

from steelyard.app.view.run_view import RunView
from steelyard.errors import UserError
from steelyard.render.charts.markup import Markup, joined, tag
from steelyard.render.html.code import plain
from steelyard.render.words import counted
from steelyard.web.pages.layout import heading, page
from steelyard.web.pages.run import place_of

EXAMPLE = "SELECT model, classification, count(*) AS samples\nFROM outcomes\nGROUP BY ALL\nORDER BY ALL"


def sql_page(run: RunView, query: str) -> str:
    """Return the page with what a query found, or why it was refused."""
    return page(
        "SQL",
        place_of(run, "SQL"),
        heading("SQL"),
        _form(query),
        _answer(run, query) if query.strip() else None,
    )


def _form(query: str) -> Markup:
    box = tag(
        "textarea",
        plain(query or EXAMPLE),
        name="q",
        rows=6,
        id="query",
        spellcheck="false",
        maxlength=10_000,
    )
    return joined(
        tag(
            "form",
            tag("label", "One SELECT over the views samples and outcomes", box, class_="wide-field"),
            tag("button", "run"),
            class_="controls",
        ),
        tag(
            "p",
            "It reads this run's tables and nothing else; it stops after 20 seconds, and shows 500 rows.",
            class_="quiet",
        ),
    )


def _answer(run: RunView, query: str) -> Markup:
    try:
        found = run.sql(query)
    except UserError as error:
        return tag("p", str(error), class_="tone-bad", role="status")
    head = tag("tr", (tag("th", name, scope="col") for name in found.columns))
    rows = (tag("tr", (tag("td", "NULL" if value is None else value) for value in row)) for row in found.rows)
    more = "" if found.is_whole else "; there are more"
    return joined(
        tag("p", f"{counted(len(found.rows), 'row')}{more}.", class_="quiet", role="status"),
        tag(
            "div",
            tag("table", tag("thead", head), tag("tbody", rows), class_="plain"),
            class_="scroll",
            tabindex="0",
            role="group",
            aria_label="rows",
        ),
    )
