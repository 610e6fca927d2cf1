"""The list of runs."""

from steelyard.model.viewing import RunLine
from steelyard.render.charts.markup import Content, Markup, joined, tag
from steelyard.render.charts.names import named
from steelyard.render.words import counted
from steelyard.web.pages.layout import Place, heading, page

MODELS_SHOWN = 3


def runs_page(address: str, lines: list[RunLine], *, has_history: bool = False) -> str:
    """Return the page that lists the runs found at an address."""
    head = tag(
        "tr",
        (tag("th", title, scope="col") for title in ("run", "began", "models")),
        (tag("th", title, scope="col", class_="number") for title in ("cases", "checked")),
    )
    rows = [_row(line) for line in lines]
    table = tag("table", tag("thead", head), tag("tbody", rows), class_="plain list")
    empty = tag("p", "There are no runs here yet. ", tag("code", "steelyard run"), " makes one.")
    return page(
        "Runs",
        Place(),
        heading("Runs", over=joined(counted(len(lines), "run"), " in ", named(address))),
        tag("div", table, class_="scroll", tabindex="0", role="group", aria_label="runs") if lines else empty,
        tag("p", tag("a", "the history of the baselines", href="/history")) if has_history else None,
        _compare(lines),
    )


def _row(line: RunLine) -> Markup:
    if line.problem:
        return tag(
            "tr",
            tag("th", named(line.name), scope="row"),
            tag("td", line.problem, colspan=4, class_="tone-bad"),
        )
    name = tag("a", named(line.name), href=f"/r/{line.id}", data_row=True)
    models = ", ".join(line.subjects[:MODELS_SHOWN])
    more = f" and {len(line.subjects) - MODELS_SHOWN} more" if len(line.subjects) > MODELS_SHOWN else ""
    return tag(
        "tr",
        tag("th", name, scope="row"),
        tag("td", line.created_at[:16].replace("T", " ")),
        tag("td", f"{models}{more}"),
        tag("td", f"{line.cases:,}", class_="number"),
        tag("td", progress(line), class_="number"),
    )


def progress(line: RunLine) -> Content:
    """Return how many samples were checked, of how many."""
    if line.planned is None or line.checked == line.planned:
        return f"{line.checked:,}"
    return f"{line.checked:,} of {line.planned:,}"


def _compare(lines: list[RunLine]) -> Markup | None:
    """Return the form that puts two runs side by side."""
    usable = [line for line in lines if not line.problem]
    if len(usable) < 2:  # noqa: PLR2004  # it takes two
        return None
    newest, before = usable[0], usable[1]

    def choice(name: str, chosen: RunLine) -> Markup:
        options = (tag("option", line.name, value=line.id, selected=line is chosen) for line in usable)
        return tag("select", options, name=name)

    return tag(
        "form",
        tag("h2", "Compare two runs"),
        tag("label", "before ", choice("before", before)),
        tag("label", "after ", choice("after", newest)),
        tag("button", "compare"),
        action="/compare",
        class_="controls",
    )
