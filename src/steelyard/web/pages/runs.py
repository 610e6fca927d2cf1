"""The page with the list of runs."""

from steelyard.model.listed_run import ListedRun
from steelyard.model.viewing import RunLine
from steelyard.render.charts.markup import Markup, joined, tag
from steelyard.render.charts.names import named
from steelyard.render.listed_runs import answer_count
from steelyard.render.numbers import UNDEFINED, in_percent, known_cost, or_undefined
from steelyard.render.words import counted
from steelyard.web.links import query
from steelyard.web.pages.layout import Place, heading, page

MODELS_SHOWN = 3
NUMBERS = ("passes", "cost", "answers", "cases")
WORDS = ("began", "set", "models")
RUNS_SHOWN = 25  # per page; the first read of a run takes about 20 ms


def runs_page(  # noqa: PLR0913  # options of the list
    address: str,
    lines: list[RunLine],
    shown: list[RunLine],
    *,
    start: int = 0,
    has_history: bool = False,
    unlisted: int = 0,
    comparison: str | None = None,
) -> str:
    """Return a page of the list of runs.

    Args:
        address: Where the runs were found.
        lines: All runs of the list.
        shown: The runs of this page.
        start: The index of the first run of this page.
        has_history: Whether baselines are open.
        unlisted: The number of older runs that are not in the list.
        comparison: The address of a comparison to link to.
    """
    head = tag(
        "tr",
        tag("th", "run", scope="col"),
        (tag("th", title, scope="col", class_="number") for title in NUMBERS),
        (tag("th", title, scope="col") for title in WORDS),
    )
    rows = [_row(line) for line in shown]
    table = tag("table", tag("thead", head), tag("tbody", rows), class_="plain list runs")
    empty = tag("p", "No runs yet. ", tag("code", "steelyard run"), " creates one.")
    return page(
        "Runs",
        Place(),
        heading("Runs", over=joined(counted(len(lines), "run"), " in ", named(address))),
        tag("div", table, class_="scroll", tabindex="0", role="group", aria_label="runs") if lines else empty,
        _pager(start, len(shown), len(lines)) if len(shown) < len(lines) else None,
        _unlisted(unlisted) if unlisted else None,
        tag("p", tag("a", "compare the two runs", href=comparison)) if comparison else None,
        tag("p", tag("a", "the history of the baselines", href="/history")) if has_history else None,
        _compare(lines),
    )


def _row(line: RunLine) -> Markup:
    if line.problem:
        return tag(
            "tr",
            tag("th", named(line.name), scope="row"),
            tag("td", line.problem, colspan=7, class_="tone-bad"),
        )
    name = tag("a", named(line.name), href=f"/r/{line.id}", data_row=True)
    models = [
        joined(", " if index else "", named(model))
        for index, model in enumerate(line.subjects[:MODELS_SHOWN])
    ]
    more = f" and {len(line.subjects) - MODELS_SHOWN} more" if len(line.subjects) > MODELS_SHOWN else ""
    numbers = (*_result(line.result), f"{line.cases:,}")
    return tag(
        "tr",
        tag("th", name, scope="row"),
        (tag("td", written, class_="number") for written in numbers),
        tag("td", line.created_at[:16].replace("T", " "), class_="when"),
        tag("td", named(line.eval_set) if line.eval_set else UNDEFINED),
        tag("td", *models, more),
    )


def _result(result: ListedRun | None) -> tuple[str, str, str]:
    """Return pass rate, cost and number of answers."""
    if result is None:
        return UNDEFINED, UNDEFINED, UNDEFINED
    cost = known_cost(result.cost_usd, unpriced=result.unpriced)
    return or_undefined(result.pass_rate, in_percent), cost, answer_count(result)


def _pager(start: int, shown: int, total: int) -> Markup:
    """Return the range of runs on this page, with links to the pages before and after."""
    previous = tag(
        "a", "previous", href=f"/runs{query(start=max(0, start - RUNS_SHOWN) or None)}", rel="prev"
    )
    following = tag("a", "next", href=f"/runs{query(start=start + shown)}", rel="next")
    return tag(
        "p",
        f"{start + 1:,} to {start + shown:,} of {total:,}",
        previous if start else None,
        following if start + shown < total else None,
        class_="pager",
    )


def _unlisted(number: int) -> Markup:
    runs = "older run is" if number == 1 else "older runs are"
    return tag("p", f"{number:,} {runs} not listed. Open a folder with fewer runs to list all.")


def _compare(lines: list[RunLine]) -> Markup | None:
    """Return the form that compares two runs."""
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
