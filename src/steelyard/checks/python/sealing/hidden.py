"""Hidden values: constants and table columns that only assertions read.

Which of them can be hidden is found in `tables`.
"""

import ast
from dataclasses import dataclass, field

from steelyard.checks.python.sealing.records import Form
from steelyard.checks.python.sealing.scopes import Module


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Column:
    """A name whose values can be replaced: one value of a constant, or one for each row."""

    scope: ast.AST
    name: str
    nodes: tuple[ast.expr, ...]  # as in the tests
    values: tuple[ast.expr, ...]  # closed copies
    forms: frozenset[Form]
    is_constant: bool = False
    table: ast.AST | None = None  # the loop, for a loop's table


@dataclass(slots=True)
class Hidden:
    """The columns to hide, by scope and name."""

    module: Module
    columns: dict[tuple[ast.AST, str], Column] = field(default_factory=dict)

    def column_of(self, read: ast.Name) -> Column | None:
        """Return the column that a name reads."""
        keys = ((scope, read.id) for scope in self.module.scopes(read))
        return next((self.columns[key] for key in keys if key in self.columns), None)

    def add(self, column: Column) -> None:
        """Add a column whose name is bound once, and is read."""
        is_bound_once = self.module.bindings[column.scope][column.name] == 1
        if is_bound_once and self.module.reads[column.scope, column.name]:
            self.columns[column.scope, column.name] = column

    def drop_exposed(self, harmless: set[ast.Name]) -> bool:
        """Drop columns that are read elsewhere; return whether there were any."""
        reads = self.module.reads
        exposed = [key for key in self.columns if not harmless.issuperset(reads[key])]
        for key in exposed:
            del self.columns[key]
        return bool(exposed)
