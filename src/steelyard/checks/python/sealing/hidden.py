"""Hidden values: constants and table columns that only assertions read."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from steelyard.checks.python.sealing.syntax import Module


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Column:
    """A name whose values can be replaced: one value of a constant, or one for each row."""

    scope: ast.AST
    name: str
    nodes: Sequence[ast.expr]  # as in the tests
    values: Sequence[ast.expr]  # closed copies
    is_constant: bool


Columns = dict[tuple[ast.AST, str], Column]  # by scope and name


def column_of(module: Module, columns: Columns, read: ast.Name) -> Column | None:
    """Return the column that a name reads."""
    keys = ((scope, read.id) for scope in module.scopes(read))
    return next((columns[key] for key in keys if key in columns), None)
