"""Describe the numbers that a table may show for each of its rows, and the gaps where one is undefined."""

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

    `gap` is the undefined estimate behind a dash, or None for a row that has the number. Dashes that
    another column explains already need not be explained again.
    """

    title: str
    cell: Callable[[Row], str]
    gap: Callable[[Row], Estimate | None]
    is_number: bool = True
    is_explained: bool = True

    def column(self, rows: Sequence[Row]) -> TableColumn:
        """Return the cells of all rows."""
        return TableColumn(title=self.title, cells=tuple(map(self.cell, rows)), is_number=self.is_number)

    def dashes(self, rows: Sequence[Row], whose: Callable[[Row], tuple[Piece, ...]]) -> Iterator[Dash]:
        """Return what is undefined in this column."""
        for row in rows:
            gap = self.gap(row)
            if gap is not None and self.is_explained:
                yield Dash(what=self.title, whose=whose(row), gap=gap)

    def is_measured(self, rows: Iterable[Row]) -> bool:
        """Whether the number was measured for any row."""
        gaps = (self.gap(row) for row in rows)
        return any(gap is None or gap.reason is not Reason.NOT_MEASURED for gap in gaps)


def quantity(
    title: str, of: Callable[[Row], Estimate | None], written: Callable[[float], str]
) -> TableQuantity[Row]:
    """Describe a number that rows hold as an estimate; no estimate means not measured."""

    def gap(row: Row) -> Estimate | None:
        estimate = of(row) or NOT_MEASURED
        return estimate if estimate.value is None else None

    return TableQuantity(title=title, cell=lambda row: estimated(of(row), written), gap=gap)


def measured(quantities: Iterable[TableQuantity[Row]], rows: Sequence[Row]) -> list[TableQuantity[Row]]:
    """Return the quantities that were measured for at least one row."""
    return [quantity for quantity in quantities if quantity.is_measured(rows)]
