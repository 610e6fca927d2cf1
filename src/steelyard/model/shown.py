"""Let notebooks show a record; what it looks like is set from above, by `steelyard.app`."""

from collections.abc import Callable
from typing import Any

_views: list[Callable[[Any], str]] = []  # the last one counts


def set_notebook_view(view: Callable[[Any], str]) -> None:
    """Set the function that makes the HTML of a record."""
    _views.append(view)


class Shown:
    """A record that a notebook shows as more than a long line of fields."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows; None, where no view was set, makes it show the fields."""
        return _views[-1](self) if _views else None
