"""The list of runs."""

from steelyard.model.listed_run import ListedRun
from steelyard.model.viewing import RunLine
from steelyard.render.charts.markup import Markup, joined, tag
from steelyard.render.charts.names import named
from steelyard.render.listed_runs import answers
from steelyard.render.numbers import UNDEFINED, in_percent, known_cost, or_undefined
from steelyard.render.words import counted
from steelyard.web.links import query
from steelyard.web.pages.layout import Place, heading, page

MODELS_SHOWN = 3
NUMBERS = ("passes", "cost", "answers", "cases")
WORDS = ("began", "set", "models")
RUNS_SHOWN = 25  # on a page; each takes some 20 ms when it is first read


def runs_page(  # noqa: PLR0913  # which runs, and what else there is
    address: str,
    lines: list[RunLine],
    shown: list[RunLine],
    *,
    start: int = 0,
    has_history: bool = False,
    unlisted: int = 0,
    comparison: str | None = None,
) -> str:
    """Return a page of the list of runs found at an address: those that are shown, from one on.

    `unlisted` older runs are not in the list; `comparison` is the address of the only one there is.
    """
    head = tag(
        "tr",
        tag("th", "run", scope="col"),
        (tag("th", title, scope="col", class_="number") for title in NUMBERS),
        (tag("th", title, scope="col") for title in WORDS),
    )
    rows = [_row(line) for line in shown]
    table = tag("table", tag("thead", head), tag("tbody", rows), class_="plain list runs")
    empty = tag("p", "There are no runs here yet. ", tag("code", "steelyard run"), " makes one.")
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
        joined(", " if place else "", named(one)) for place, one in enumerate(line.subjects[:MODELS_SHOWN])
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
    """Return the pass rate, the cost, and how many answers there are."""
    if result is None:
        return UNDEFINED, UNDEFINED, UNDEFINED
    cost = known_cost(result.cost_usd, unpriced=result.unpriced)
    return or_undefined(result.pass_rate, in_percent), cost, answers(result)


def _pager(start: int, shown: int, total: int) -> Markup:
    """Return which runs these are, and the way to those before and after."""
    back = tag("a", "previous", href=f"/runs{query(start=max(0, start - RUNS_SHOWN) or None)}", rel="prev")
    on = tag("a", "next", href=f"/runs{query(start=start + shown)}", rel="next")
    return tag(
        "p",
        f"{start + 1:,} to {start + shown:,} of {total:,}",
        back if start else None,
        on if start + shown < total else None,
        class_="pager",
    )


def _unlisted(number: int) -> Markup:
    said = "older run is" if number == 1 else "older runs are"
    return tag("p", f"{number:,} {said} not listed. Open a folder with fewer runs to list all.")


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
