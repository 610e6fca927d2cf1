"""The use cases: what the command line, the viewer and a notebook call.

Importing this package also tells records how notebooks show them.
"""

from typing import Any

from steelyard.model.shown import set_notebook_view


def _notebook_html(result: Any) -> str:  # noqa: ANN401  # a report, a comparison or a verdict
    from steelyard.app.pages import notebook_html  # noqa: PLC0415  # importing steelyard must stay cheap

    return notebook_html(result)


set_notebook_view(_notebook_html)
