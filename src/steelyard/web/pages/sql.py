"""The SQL page: one SELECT over the run's tables."""

from steelyard.app.view.run_view import RunView
from steelyard.errors import UserError
from steelyard.render.charts.markup import Markup, joined, tag
from steelyard.render.html.code import plain
from steelyard.render.words import counted
from steelyard.web.pages.layout import heading, page
from steelyard.web.pages.run import place_of

EXAMPLE = "SELECT model, classification, count(*) AS samples\nFROM outcomes\nGROUP BY ALL\nORDER BY ALL"


def sql_page(run: RunView, query: str) -> str:
    """Return the page with the result of a query, or its error."""
    return page(
        "SQL",
        place_of(run, "SQL"),
        heading("SQL"),
        _form(query),
        _result(run, query) if query.strip() else None,
    )


def _form(query: str) -> Markup:
    editor = tag(
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
            tag("label", "One SELECT over the views samples and outcomes", editor, class_="wide-field"),
            tag("button", "run"),
            class_="controls",
        ),
        tag(
            "p",
            "Queries read this run's tables only, stop after 20 seconds, and show 500 rows.",
            class_="quiet",
        ),
    )


def _result(run: RunView, query: str) -> Markup:
    try:
        table = run.sql(query)
    except UserError as error:
        return tag("p", str(error), class_="tone-bad", role="status")
    head = tag("tr", (tag("th", name, scope="col") for name in table.columns))
    rows = (tag("tr", (tag("td", "NULL" if value is None else value) for value in row)) for row in table.rows)
    more = "" if table.is_whole else "; there are more"
    return joined(
        tag("p", f"{counted(len(table.rows), 'row')}{more}.", class_="quiet", role="status"),
        tag(
            "div",
            tag("table", tag("thead", head), tag("tbody", rows), class_="plain"),
            class_="scroll",
            tabindex="0",
            role="group",
            aria_label="rows",
        ),
    )
