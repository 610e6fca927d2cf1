"""Closed expressions: expected values that need nothing from the answer, evaluated outside the sandbox.

They consist of the syntax and names listed here, and of hidden constants. Nothing else is evaluated.
"""

import ast
import builtins
import collections
import datetime as dt
import decimal
import math
import pathlib
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, SimpleNamespace
from typing import Any
from unittest import mock

from steelyard.checks.toolchains.python.sealing.comparisons import FUNCTIONS
from steelyard.checks.toolchains.python.sealing.syntax import Module

SYNTAX = (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.UnaryOp, ast.BinOp, ast.Subscript)
BOUNDED = {ast.Mult: "multiply", ast.Pow: "power", ast.LShift: "shift_left"}
BUILTINS = (
    *("set", "frozenset", "dict", "list", "tuple", "str", "bytes", "float", "int", "bool"),
    *("complex", "len", "sorted", "range"),
)
MODULES = (collections, dt, decimal, math, pathlib, re, textwrap)
CALLABLE = {
    *(f"builtins.{name}" for name in BUILTINS),
    *(f"collections.{name}" for name in ("Counter", "OrderedDict", "defaultdict", "deque")),
    *(f"datetime.{name}" for name in ("date", "datetime", "timedelta", "timezone")),
    *("datetime.date.fromisoformat", "datetime.datetime.fromisoformat", "decimal.Decimal"),
    *("pathlib.Path", "pathlib.PurePath", "pathlib.PurePosixPath", "pytest.approx"),
    *("re.escape", "textwrap.dedent"),
}
CONSTANTS = {"math.pi", "math.e", "math.inf", "datetime.timezone.utc", "datetime.UTC", "unittest.mock.ANY"}
MOCK_CALL = "unittest.mock.call"
METHODS = {
    *("strip", "lstrip", "rstrip", "encode", "lower", "upper", "title", "join", "split", "splitlines"),
    *("replace", "keys", "values", "items"),
}
ACTUAL, CELL = "actual", "cell"  # names in checks: the reported value, and the hidden value of its row


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Column:
    """A hidden name that only assertions read: a constant, or a column of table rows."""

    scope: ast.AST
    name: str
    nodes: Sequence[ast.expr]  # as in the tests
    values: Sequence[ast.expr]  # closed copies
    is_constant: bool


Columns = dict[tuple[ast.AST, str], Column]  # by scope and name


class NotClosed(Exception):
    """An expression needs the answer or the sandbox."""


class Closing:
    """Closes the expected values of one assertion, which may read one column."""

    def __init__(self, module: Module, columns: Columns) -> None:
        self._module, self._columns = module, columns
        self.column: Column | None = None

    def close(self, node: ast.expr) -> ast.expr | None:
        """Return a closed copy, or None if the expression is computed inside."""
        column = self.column
        try:
            return self._closed(node)
        except NotClosed:
            self.column = column
            return None

    def _closed(self, node: object) -> ast.expr:
        match node:
            case ast.BinOp(op=op) if type(op) in BOUNDED:
                function = ast.Name(id=BOUNDED[type(op)])
                return ast.Call(
                    func=function, args=[self._closed(node.left), self._closed(node.right)], keywords=[]
                )
            case ast.BinOp(op=ast.Mod()):  # formats texts
                raise NotClosed
            case ast.Call(keywords=options) if all(option.arg for option in options):
                arguments = [self._closed(argument) for argument in node.args]
                keywords = [
                    ast.keyword(arg=option.arg, value=self._closed(option.value)) for option in options
                ]
                return ast.Call(func=self._closed_function(node.func), args=arguments, keywords=keywords)
            case ast.Name() | ast.Attribute():
                return self._closed_name(node)
            case ast.expr() if isinstance(node, SYNTAX):
                fields: dict[str, Any] = {
                    name: self._closed_field(value) for name, value in ast.iter_fields(node)
                }
                return type(node)(**fields)
        raise NotClosed

    def _closed_field(self, value: object) -> object:
        if isinstance(value, list):
            return [self._closed(item) for item in value]  # an unpacked mapping has None for a key
        return self._closed(value) if isinstance(value, ast.expr) else value

    def _closed_function(self, node: ast.expr) -> ast.expr:
        name = self._module.full_name(node) or getattr(node, "id", "")
        if name in CALLABLE or name.startswith(MOCK_CALL):
            return ast.Name(id=name.removeprefix("builtins."))
        if isinstance(node, ast.Attribute) and node.attr in METHODS:
            return ast.Attribute(value=self._closed(node.value), attr=node.attr)
        raise NotClosed

    def _closed_name(self, node: ast.Name | ast.Attribute) -> ast.expr:
        if isinstance(node, ast.Name) and (column := self._column_of(node)):
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

    def _column_of(self, read: ast.Name) -> Column | None:
        keys = ((scope, read.id) for scope in self._module.scopes(read))
        return next((self._columns[key] for key in keys if key in self._columns), None)


def evaluate(expression: str, **values: object) -> object:
    """Evaluate a closed expression; raises any error of its operations."""
    code = _compiled(expression)
    names = {**_NAMES, **values}
    if "pytest" in code.co_names:
        import pytest  # noqa: PLC0415  # takes long to load

        names["pytest"] = pytest
    return eval(code, names)  # noqa: S307  # a closed expression


_NAMES = {
    "__builtins__": {name: getattr(builtins, name) for name in (*BUILTINS, "abs")},
    "unittest": SimpleNamespace(mock=mock),
    **{module.__name__: module for module in MODULES},
    **FUNCTIONS,
}


@lru_cache(maxsize=4096)
def _compiled(expression: str) -> CodeType:
    return compile(expression, "check", "eval", dont_inherit=True)
