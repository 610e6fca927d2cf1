"""The use cases: what the command line, the viewer and a notebook call.

Importing this package also tells records how to show themselves.
"""

from typing import Any

from steelyard.model.shown import Views, set_views


# Importing steelyard must stay cheap, so each view is imported when something is shown.
def _html(result: Any) -> str:  # noqa: ANN401  # a report, a comparison or a verdict
    from steelyard.app.views import notebook_html  # noqa: PLC0415

    return notebook_html(result)


def _text(result: Any) -> str:  # noqa: ANN401
    from steelyard.app.views import text_of  # noqa: PLC0415

    return text_of(result)


def _rows(report: Any, table: str) -> Any:  # noqa: ANN401
    from steelyard.app.views import report_rows  # noqa: PLC0415

    return report_rows(report, table)


set_views(Views(html=_html, text=_text, rows=_rows))
