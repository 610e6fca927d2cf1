"""Draw words, lines and marks as SVG text; no library, and nothing is known about what they mean.

Colours are for readers who see few of them, and turn lighter on a dark ground.
"""

from dataclasses import dataclass, field
from html import escape

STYLE = """\
svg { color: #24292f; font: 13px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
text, path, rect { fill: currentColor; }
.quiet { opacity: .65; }
.faint { opacity: .4; }
.strong { font-weight: 600; }
.stroke { fill: none; stroke: currentColor; }
.ours { color: #0072b2; }
.others { color: #b8560f; }
@media (prefers-color-scheme: dark) {
svg { color: #e4e6eb; }
.ours { color: #56b4e9; }
.others { color: #f0a33f; }
}
"""


@dataclass(kw_only=True)
class Canvas:
    """A figure in the making; `title` and `description` are for readers who cannot see it."""

    width: int
    height: int
    title: str
    description: str
    parts: list[str] = field(default_factory=list)

    def words(self, x: float, y: float, text: str, *, look: str = "", anchor: str = "start") -> None:
        """Write words, their base line at y."""
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}"{_class(look)}{_anchor(anchor)}>{escape(text, quote=False)}</text>'
        )

    def path(self, data: str, *, look: str = "") -> None:
        """Draw a filled shape."""
        self.parts.append(f'<path d="{data}"{_class(look)}/>')

    def lines(self, data: str, *, look: str = "", width: float = 1, dash: str = "") -> None:
        """Draw lines."""
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<path d="{data}"{_class(f"stroke {look}")} stroke-width="{width:g}"{dashes}/>')

    def bar(self, x: float, y: float, width: float, height: float, *, look: str = "") -> None:
        """Draw a filled rectangle."""
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:.1f}" height="{height:g}"{_class(look)}/>'
        )

    def render(self) -> str:
        """Return the whole figure, ending in a newline."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}" role="img" aria-labelledby="title description">'
        )
        told = (
            f'<title id="title">{escape(self.title, quote=False)}</title>\n'
            f'<desc id="description">{escape(self.description, quote=False)}</desc>'
        )
        return "\n".join([head, told, f"<style>\n{STYLE}</style>", *self.parts, "</svg>"]) + "\n"


def circle(x: float, y: float, size: float) -> str:
    """Return the path of a disc."""
    half = f"a{size:g} {size:g} 0 1 0"
    return f"M{x - size:.1f} {y:g}{half} {2 * size:g} 0{half} {-2 * size:g} 0z"


def square(x: float, y: float, size: float) -> str:
    """Return the path of a square."""
    return f"M{x - size:.1f} {y - size:g}h{2 * size:g}v{2 * size:g}h{-2 * size:g}z"


def triangle(x: float, y: float, size: float) -> str:
    """Return the path of a triangle that stands on its base."""
    return f"M{x:.1f} {y - 1.2 * size:g}l{1.2 * size:g} {2.1 * size:g}h{-2.4 * size:g}z"


def _class(look: str) -> str:
    return f' class="{look.strip()}"' if look.strip() else ""


def _anchor(anchor: str) -> str:
    return "" if anchor == "start" else f' text-anchor="{anchor}"'
