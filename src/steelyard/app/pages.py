"""Make the renderer of pages: it draws curves that the report does not hold, so it is handed their source."""

from steelyard.analysis.curves import pass_at_k_curves
from steelyard.ports import Renderable
from steelyard.render.charts.links import NO_LINKS, PageLinks
from steelyard.render.html.notebook import shown_in_notebook
from steelyard.render.html.renderer import HtmlRenderer


def html_renderer(links: PageLinks = NO_LINKS) -> HtmlRenderer:
    """Return the renderer of the format `html`; its pages lead to those of `links`."""
    return HtmlRenderer(curves=pass_at_k_curves, links=links)


def notebook_html(result: Renderable) -> str:
    """Return what a notebook shows of a result."""
    return shown_in_notebook(result, page=html_renderer().render(result))
