"""Expected values: expressions that need nothing from the answer.

Their copies use full names (`decimal.Decimal`) and the values of hidden constants.
"""

import ast

from steelyard.checks.python.sealing.functions import CONSTANTS, CONSTRUCTORS, METHODS
from steelyard.checks.python.sealing.hidden import Column, Hidden
from steelyard.checks.python.sealing.records import CELL, Form
from steelyard.checks.python.sealing.scopes import Module

CONTAINERS = (ast.List, ast.Tuple, ast.Set)
GUESSABLE = (True, False, None)


class NotClosed(Exception):
    """An expression needs the answer, or something else that is only inside."""


class Closing:
    """Closes the expected values of one assertion, and collects what they use."""

    def __init__(self, module: Module, hidden: Hidden) -> None:
        self._module, self._hidden = module, hidden
        self.forms: set[Form] = set()
        self.column: Column | None = None

    def close(self, node: ast.expr) -> ast.expr | None:
        """Return a closed copy of an expression; None if it is computed inside."""
        before = set(self.forms), self.column
        try:
            return self._closed(node)
        except NotClosed:
            self.forms, self.column = before
            return None

    def _closed(self, node: ast.expr) -> ast.expr:  # noqa: PLR0911  # one line for each kind of node
        match node:
            case ast.Constant(value=value) if value is not Ellipsis:
                return node
            case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
                return type(node)(elts=[self._closed(item) for item in items])
            case ast.Dict(keys=keys, values=values):
                closed_keys = [self._closed(key) for key in keys if key is not None]
                if len(closed_keys) < len(keys):
                    raise NotClosed
                return ast.Dict(keys=[*closed_keys], values=[self._closed(value) for value in values])
            case ast.UnaryOp(op=op, operand=operand) if not isinstance(op, ast.Not):
                return ast.UnaryOp(op=op, operand=self._closed(operand))
            case ast.BinOp(left=left, op=op, right=right):
                return ast.BinOp(left=self._closed(left), op=op, right=self._closed(right))
            case ast.Subscript(value=owner, slice=index) if not isinstance(index, ast.Slice):
                return ast.Subscript(value=self._closed(owner), slice=self._closed(index))
            case ast.Call():
                return self._closed_call(node)
            case ast.Name() | ast.Attribute():
                return self._closed_name(node)
        raise NotClosed

    def _closed_call(self, node: ast.Call) -> ast.expr:
        name = self._module.full_name(node.func)
        form = CONSTRUCTORS.get(name) or (Form.MOCK if name.startswith("unittest.mock.call") else None)
        if form is None and isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
            function: ast.expr = ast.Attribute(value=self._closed(node.func.value), attr=node.func.attr)
        elif form is None:
            raise NotClosed
        else:
            function = ast.Name(id=name)
            self.forms |= {form} - {Form.EQUALITY}
        if any(keyword.arg is None for keyword in node.keywords):
            raise NotClosed
        keywords = [ast.keyword(arg=item.arg, value=self._closed(item.value)) for item in node.keywords]
        return ast.Call(func=function, args=[self._closed(item) for item in node.args], keywords=keywords)

    def _closed_name(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Name) and (column := self._hidden.column_of(node)):
            self.forms |= column.forms | {Form.TABLE}
            if column.is_constant:
                return column.values[0]
            if self.column not in {None, column}:
                raise NotClosed
            self.column = column
            return ast.Name(id=CELL)
        name = self._module.full_name(node)
        if name not in CONSTANTS:
            raise NotClosed
        return ast.Name(id=name)

    def is_guessable(self, expected: ast.expr) -> bool:
        """Whether an expected value is always True, False or None."""
        values = self.column.values if self.column and is_cell(expected) else (expected,)
        return all(isinstance(value, ast.Constant) and value.value in GUESSABLE for value in values)


def is_cell(node: ast.expr) -> bool:
    """Whether a closed expression is the hidden value of a row."""
    return isinstance(node, ast.Name) and node.id == CELL
