"""Render pass@k of several models as a printed pandas DataFrame, or as CSV.

Compatible with the original script, without pandas. Names are never truncated.
"""

from collections.abc import Iterable, Sequence

from steelyard.render.csv import csv_text
from steelyard.render.names import visible

DECIMALS = 6
NULL = "null"

Row = tuple[str, Sequence[float | None]]


def pass_at_k_table(rows: Sequence[Row], ks: Sequence[int]) -> str:
    """Return an index, the model names and one column for each k.

    >>> print(pass_at_k_table([("gemini", (0.77, 1.0)), ("gpt", (0.625, None))], (1, 10)), end="")
          LLM  pass@1  pass@10
    0  gemini   0.770      1.0
    1     gpt   0.625     null
    """
    index = ["", *map(str, range(len(rows)))]
    # pandas puts a space before every cell except the title of a text column; visible if all names are short.
    names = ["LLM", *_spaced(visible(name) for name, _ in rows)]
    values = [
        _spaced([f"pass@{k}", *_formatted([row[position] for _, row in rows])])
        for position, k in enumerate(ks)
    ]
    columns = [_aligned(index, "<"), *(_aligned(column, ">") for column in (names, *values))]
    return "".join(" ".join(cells) + "\n" for cells in zip(*columns, strict=True))


def pass_at_k_csv(rows: Sequence[Row], ks: Sequence[int]) -> str:
    """Return the numbers with all digits; undefined ones are empty cells.

    >>> print(pass_at_k_csv([("gemini", (0.77, None))], (1, 5)), end="")
    LLM,pass@1,pass@5
    gemini,0.77,
    """
    return csv_text([("LLM", *(f"pass@{k}" for k in ks)), *((name, *values) for name, values in rows)])


def _formatted(values: Sequence[float | None]) -> list[str]:
    """Format a column with equal decimals, as few as keep six-digit precision."""
    known = [value for value in values if value is not None]
    if any(0 < value < 10**-DECIMALS for value in known):
        return [NULL if value is None else f"{value:.{DECIMALS}e}" for value in values]
    decimals = max((_decimals(value) for value in known), default=1)
    return [
        NULL if value is None else f"{value:.{DECIMALS}f}"[: decimals - DECIMALS or None] for value in values
    ]


def _decimals(value: float) -> int:
    """Return how many of the six decimals a value needs, at least one."""
    return max(1, len(f"{value:.{DECIMALS}f}".rstrip("0").partition(".")[2]))


def _spaced(cells: Iterable[str]) -> list[str]:
    return [f" {cell}" for cell in cells]


def _aligned(cells: Sequence[str], side: str) -> list[str]:
    width = max(map(len, cells))
    return [f"{cell:{side}{width}}" for cell in cells]
