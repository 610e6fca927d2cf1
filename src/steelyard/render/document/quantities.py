"""Describe the columns that a table may have, and the gaps where a number is undefined."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from steelyard.model.estimate import Estimate, Reason
from steelyard.render.document.blocks import Piece, TableColumn
from steelyard.render.document.undefined import Dash
from steelyard.render.numbers import estimated

Row = TypeVar("Row")

NOT_MEASURED = Estimate.undefined(Reason.NOT_MEASURED)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableQuantity(Generic[Row]):
    """One number of each row.

    `gap` returns the undefined estimate behind a dash, or None. Unless `is_explained`, another column
    explains the dashes.
    """

    title: str
    cell: Callable[[Row], str]
    gap: Callable[[Row], Estimate | None]
    is_number: bool = True
    is_explained: bool = True

    def column(self, rows: Sequence[Row]) -> TableColumn:
        """Return the cells of all rows."""
        return TableColumn(title=self.title, cells=tuple(map(self.cell, rows)), is_number=self.is_number)

    def dashes(self, rows: Sequence[Row], owner: Callable[[Row], tuple[Piece, ...]]) -> Iterator[Dash]:
        """Yield the dashes of this column."""
        for row in rows:
            gap = self.gap(row)
            if gap is not None and self.is_explained:
                yield Dash(title=self.title, owner=owner(row), gap=gap)

    def is_measured(self, rows: Iterable[Row]) -> bool:
        """Whether the number was measured for any row."""
        gaps = (self.gap(row) for row in rows)
        return any(gap is None or gap.reason is not Reason.NOT_MEASURED for gap in gaps)


def quantity(
    title: str, of: Callable[[Row], Estimate | None], written: Callable[[float], str]
) -> TableQuantity[Row]:
    """Describe a column of estimates; no estimate means not measured."""

    def gap(row: Row) -> Estimate | None:
        estimate = of(row) or NOT_MEASURED
        return estimate if estimate.value is None else None

    return TableQuantity(title=title, cell=lambda row: estimated(of(row), written), gap=gap)


def measured(quantities: Iterable[TableQuantity[Row]], rows: Sequence[Row]) -> list[TableQuantity[Row]]:
    """Return the quantities that were measured for at least one row."""
    return [quantity for quantity in quantities if quantity.is_measured(rows)]
