"""Say which column name of a table stands there more than once.

No file is read here.
"""

from collections.abc import Sequence

MOST_SHOWN = 8  # places of one name


def repeated_column(names: Sequence[str]) -> str | None:
    """Return what is wrong with column names of which two are equal; None if every column has its own.

    Upper and lower case count as one; a column without a name repeats nothing.

    >>> repeated_column(["case", "passed", "note", "passed"])
    "the column name 'passed' occurs twice (columns 2 and 4)"
    >>> repeated_column(["case", "", ""])
    """
    places: dict[str, list[int]] = {}
    for index, name in enumerate(names, start=1):
        places.setdefault(name.strip().lower(), []).append(index)
    result = next((here for name, here in places.items() if name and len(here) > 1), None)
    if result is None:
        return None
    times = "twice" if len(result) == 2 else f"{len(result)} times"  # noqa: PLR2004  # a pair has a word
    *first, last = map(str, result[:MOST_SHOWN])
    more = " …" if len(result) > MOST_SHOWN else ""
    return (
        f"the column name {names[result[0] - 1].strip()!r} occurs {times} "
        f"(columns {', '.join(first)} and {last}{more})"
    )
