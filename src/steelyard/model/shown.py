"""Let records show themselves; what they look like is set from above, by `steelyard.app`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


@dataclass(frozen=True, slots=True, kw_only=True)
class Views:
    """How a record is shown: as a page in a notebook, as text, and as rows of one of its tables."""

    html: Callable[[Any], str]
    text: Callable[[Any], str]
    rows: Callable[[Any, str], Any]


REPR_LINES = 10

_views: list[Views] = []  # the last one counts


def set_views(views: Views) -> None:
    """Set the functions that show a record."""
    _views.append(views)


class Shown:
    """A record that shows itself as more than a long line of fields."""

    __slots__ = ()

    def __repr__(self) -> str:  # type: ignore[explicit-override]  # as every class has it
        """Return the first lines of the text: all fields would fill pages."""
        if _views:
            lines = str(self).splitlines()
            return "\n".join(lines if len(lines) <= REPR_LINES else [*lines[: REPR_LINES - 1], "…"])
        values = {name: getattr(self, name) for name in getattr(self, "__dataclass_fields__", {})}
        counts = (f"{name}: {len(value)}" for name, value in values.items() if value and type(value) is tuple)
        return f"<{type(self).__name__} ({', '.join(counts)}); print() shows it>"

    def __str__(self) -> str:  # type: ignore[explicit-override]  # as every class has it
        """Return what a terminal shows; the short form, where no view was set."""
        return _views[-1].text(self) if _views else repr(self)

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows; None, where no view was set, makes it show the fields."""
        return _views[-1].html(self) if _views else None


class Tabular(Shown):
    """A record that also gives data frames."""

    __slots__ = ()

    def to_pandas(self, table: str = "subjects") -> "pd.DataFrame":
        """Return a row for each subject, or of the table `cases`, as a pandas data frame."""
        frame: pd.DataFrame = _views[-1].rows(self, table).to_pandas()
        return frame

    def to_polars(self, table: str = "subjects") -> "pl.DataFrame":
        """Return a row for each subject, or of the table `cases`, as a polars data frame."""
        frame: pl.DataFrame = _views[-1].rows(self, table).to_polars()
        return frame
