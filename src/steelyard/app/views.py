"""Convert results to HTML, text and rows, for scripts and notebooks."""

from collections.abc import Callable, Mapping

from steelyard.analysis.curves import pass_at_k_curves
from steelyard.app.formats import Renderable, renderer
from steelyard.errors import UnknownName
from steelyard.model.report import CaseSummary, Report
from steelyard.render.charts.names import NO_LINKS, PageLinks
from steelyard.render.csv import summary
from steelyard.render.html.notebook import shown_in_notebook
from steelyard.render.html.renderer import HtmlRenderer
from steelyard.render.parquet import column_type
from steelyard.store.run.query import Rows, rows_from

CASE_COLUMNS: Mapping[str, type] = {
    **dict.fromkeys(("model", "tier", "suite", "case"), str),
    **dict.fromkeys(("samples", "passed", "errored"), int),
    "missing": bool,
    **dict.fromkeys(("pass_rate", "score", "cost_usd", "mean_latency_s"), float),
}


def text_of(result: Renderable) -> str:
    """Render a result as on the command line."""
    kind = type(result)
    return str(renderer("text", kind, details=False).render(result)).rstrip("\n")


def report_rows(report: Report, table: str) -> Rows:
    """Return a report table's rows in US dollars, seconds and fractions."""
    if table not in TABLES:
        raise UnknownName(f"{table}: a report has the tables {' and '.join(TABLES)}")
    return TABLES[table](report)


def _list_subjects(report: Report) -> Rows:
    header, *rows = summary(report)
    return rows_from({str(name): column_type(str(name)) for name in header}, rows)


def _list_cases(report: Report) -> Rows:
    return rows_from(CASE_COLUMNS, [_format_case(case) for case in report.cases])


def _format_case(case: CaseSummary) -> tuple[str | int | float | None, ...]:
    return (
        *(case.model, case.tier, case.suite, case.case, case.n, case.c, case.errored, case.missing),
        *(case.c / case.n if case.n else None, case.mean_score, case.cost_usd, case.mean_latency_s),
    )


TABLES: Mapping[str, Callable[[Report], Rows]] = {"subjects": _list_subjects, "cases": _list_cases}


def html_renderer(links: PageLinks = NO_LINKS) -> HtmlRenderer:
    """Make the HTML renderer; its pages link to `links`."""
    return HtmlRenderer(curves=pass_at_k_curves, links=links)


def notebook_html(result: Renderable) -> str:
    """Render a result for a notebook."""
    return shown_in_notebook(result, page=html_renderer().render(result))
