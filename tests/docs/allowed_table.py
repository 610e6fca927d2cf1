"""Draw the tables of what Python tests may use that are apart from the answer, as the checker knows it.

`python -m tests.docs.allowed_table` prints them, to be put into docs/how-to/check-python.md.
"""

import sys

from steelyard.checks.python.allowed import ALL, BUILTINS, FIXTURES, METHODS, MODULES


def rows() -> list[list[str]]:
    """Return a row for all whole modules, and one for each module with some names."""
    whole = [module for module, names in MODULES.items() if ALL in names]
    parts = [[_code([module]), _code(names)] for module, names in MODULES.items() if ALL not in names]
    return [[_code(whole), "all"], *sorted(parts)]


def refused() -> list[list[str]]:
    """Return a row for each kind of what is refused wherever it stands."""
    kinds = {"builtins": BUILTINS, "fixtures of pytest": FIXTURES, "methods and attributes": METHODS}
    return [[kind, _code(names)] for kind, names in kinds.items()]


def _code(names: list[str] | frozenset[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names, key=lambda name: (name.lower(), name)))


def _table(head: str, cells: list[list[str]]) -> str:
    return "\n".join([head, "|---|---|", *(f"| {' | '.join(row)} |" for row in cells)])


if __name__ == "__main__":
    tables = _table("| modules | names |", rows()), _table("| refused | names |", refused())
    sys.stdout.write("\n\n".join(tables) + "\n")
