"""Make the HTML renderer with the curves that are computed outside of a report."""

from steelyard.analysis.curves import pass_at_k_curves
from steelyard.ports import Renderable
from steelyard.render.charts.links import NO_LINKS, PageLinks
from steelyard.render.html.notebook import shown_in_notebook
from steelyard.render.html.renderer import HtmlRenderer


def html_renderer(links: PageLinks = NO_LINKS) -> HtmlRenderer:
    """Make the HTML renderer; its pages link to `links`."""
    return HtmlRenderer(curves=pass_at_k_curves, links=links)


def notebook_html(result: Renderable) -> str:
    """Render a result for a notebook."""
    return shown_in_notebook(result, page=html_renderer().render(result))
