"""Draw a table of the keys of each table of a rubric file, as its records know them.

`python -m tests.docs.rubric_tables` prints them all, to be put into docs/reference/rubrics.md.
"""

import sys
from dataclasses import MISSING, Field, fields
from typing import Any

from steelyard.sources.rubric.shape import FORM

LISTS = {"requirements", "categories", "categories.items"}


def titles() -> dict[str, type]:
    """Return the heading of each table, with the record that it fills."""
    named = {".".join(path): kind for path, kind in FORM.tables.items() if path}
    return {f"[[{name}]]" if name in LISTS else f"[{name}]": kind for name, kind in named.items()}


def rows(kind: type) -> list[list[str]]:
    """Return a row for each key: its name, its default, what it means."""
    return [
        [f"`{field.name}`", _default(field), str(field.metadata["description"])] for field in fields(kind)
    ]


def _default(field: Field[Any]) -> str:
    if field.default is MISSING:
        return "required" if field.default_factory is MISSING else ""
    if field.default in ("", ()):
        return ""
    return f"`{field.default:g}`" if isinstance(field.default, float) else f"`{field.default}`"


if __name__ == "__main__":
    for title, kind in titles().items():
        lines = [f"## {title}\n", "| key | default | meaning |", "|---|---|---|"]
        lines += [f"| {' | '.join(row)} |" for row in rows(kind)]
        sys.stdout.write("\n".join(lines) + "\n\n")
