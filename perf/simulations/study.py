"""Hold what a simulation found, and write it as Markdown and JSON."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

Row: TypeAlias = dict[str, str | int | float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A title, Markdown to read, and rows to compute with."""

    title: str
    markdown: str
    rows: list[Row]


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table, numbers as they are given."""
    lines = ["| " + " | ".join(map(str, cells)) + " |" for cells in [header, ["---"] * len(header), *rows]]
    return "\n".join(lines)


def percent(share: float) -> str:
    """Show a share in percent with one decimal.

    >>> percent(0.9512)
    '95.1'
    """
    return f"{100 * share:.1f}"


def number(row: Row, name: str) -> float:
    """Return a number of a row."""
    value = row[name]
    assert isinstance(value, int | float), name
    return float(value)


def write(studies: Sequence[Study], *, out: Path | None, settings: Row) -> None:
    """Print the Markdown, or write it to a file with the rows as JSON beside it."""
    noted = ", ".join(f"{name} {value}" for name, value in settings.items())
    text = "\n\n".join(f"## {study.title}\n\n{study.markdown}" for study in studies)
    text = f"{text}\n\nMade by `python -m perf.simulations` ({noted}).\n"
    if out is None:
        print(text)
        return
    out.write_text(text, encoding="utf-8")
    rows = {study.title: study.rows for study in studies}
    content = json.dumps({"settings": settings, "studies": rows}, indent=1, allow_nan=False)
    out.with_suffix(".json").write_text(content + "\n", encoding="utf-8")
