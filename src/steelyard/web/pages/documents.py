"""Pages of documents: the report of a run, the verdict of a gate, a history of baselines."""

from steelyard.app.view.run_view import RunView
from steelyard.model.gate import GateReport
from steelyard.model.history import History
from steelyard.render.charts.markup import Markup, tag
from steelyard.render.charts.names import headline
from steelyard.render.document.gate import gate_document
from steelyard.render.document.history import history_document
from steelyard.render.html.blocks import folded, sections, sentence
from steelyard.render.html.parts import GATE_PARTS, REPORT_PARTS, history_plans, parts_of
from steelyard.render.words import counted
from steelyard.web.pages.layout import Place, page
from steelyard.web.pages.run import place_of


def report_page(run: RunView) -> str:
    """Return the report of a run, with all figures of the HTML report."""
    document = run.document()
    answer, warnings = document.pick("answer", "warnings")
    listed = tag("ul", (sentence(line, kind="li") for line in warnings.lines))
    return page(
        "Report",
        place_of(run, "Report"),
        tag("h1", headline(answer.lines[0].pieces)),
        folded(counted(len(warnings.lines), "warning"), listed) if warnings.lines else None,
        *(part.markup for part in parts_of(document, REPORT_PARTS)),
        tag("footer", sections(document.pick("settings"))),
    )


def gate_page(gate: GateReport, runs: tuple[RunView, RunView] | None) -> str:
    """Return the verdict of a gate, with links to the cases behind it."""
    document = gate_document(gate)
    verdict = document.sections["verdict"].lines[0]
    return page(
        "Gate",
        Place(),
        tag("h1", headline(verdict.pieces), class_=f"verdict tone-{verdict.tone}"),
        _links(runs),
        *(part.markup for part in parts_of(document, GATE_PARTS)),
        tag("footer", sections(document.pick("settings"))),
    )


def history_page(history: History) -> str:
    """Return the history of kept baselines."""
    document = history_document(history)
    first, *others = document.sections["answer"].lines
    return page(
        "History",
        Place(above=(("Runs", "/runs"),)),
        tag("h1", headline(first.pieces), class_=f"verdict tone-{first.tone}"),
        tag("ul", (sentence(line, kind="li") for line in others)) if others else None,
        *(part.markup for part in parts_of(document, history_plans(history))),
        tag("footer", sections(document.pick("settings"))),
    )


def _links(runs: tuple[RunView, RunView] | None) -> Markup:
    """Return links to the two opened runs, the baseline first."""
    if runs is None:
        hint = "To see the cases behind this verdict, name both runs: "
        return tag("p", hint, tag("code", "steelyard view gate.json BASELINE CURRENT"), class_="pager")
    before, after = runs
    link = tag("a", "the cases that changed", href=f"/compare?before={before.id}&after={after.id}")
    return tag("p", link, tag("a", "all runs", href="/runs"), class_="pager")
