"""Let notebooks show a record; how it looks is not known here."""

from importlib import import_module

LOOKS = "steelyard.render.html.notebook"  # by name, since records know nothing of those who show them


class Shown:
    """A record that a notebook shows as more than a long line of fields."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        text: str = import_module(LOOKS).notebook_html(self)
        return text
