"""Evaluate the checks of assertions outside of the sandbox: a whitelist of syntax, never `eval`.

Operations whose results could be far larger than their operands are bounded.
"""

import ast
import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any
from unittest import mock

from steelyard.checks.python.sealing.functions import CONSTANTS, FUNCTIONS, METHODS

LARGEST_BITS = 1_000_000
LONGEST = 1_000_000
MOCK_CALL = "unittest.mock.call"

Values = Mapping[str, object]


class NotEvaluated(Exception):
    """An expression uses what is not in the whitelist, or would be too large."""


def _multiply(left: Any, right: Any) -> Any:  # noqa: ANN401  # any operands
    for number, sequence in ((left, right), (right, left)):
        if isinstance(number, int) and isinstance(sequence, str | bytes | list | tuple):
            _bound(number * len(sequence), LONGEST)
    return left * right


def _power(left: Any, right: Any) -> Any:  # noqa: ANN401  # any operands
    if isinstance(left, int) and isinstance(right, int):
        _bound(left.bit_length() * abs(right), LARGEST_BITS)
    return left**right


def _shift_left(left: Any, right: Any) -> Any:  # noqa: ANN401  # any operands
    _bound(right, LARGEST_BITS)
    return left << right


def _modulo(left: Any, right: Any) -> Any:  # noqa: ANN401  # any operands
    if isinstance(left, str | bytes):
        raise NotEvaluated("a format with %")
    return left % right


def _bound(size: int, limit: int) -> None:
    if size > limit:
        raise NotEvaluated("the result is too large")


OPERATORS: Mapping[type[ast.AST], Callable[..., Any]] = MappingProxyType(
    {
        ast.Add: operator.add,
        ast.Sub: operator.sub,
        ast.Mult: _multiply,
        ast.Div: operator.truediv,
        ast.FloorDiv: operator.floordiv,
        ast.Mod: _modulo,
        ast.Pow: _power,
        ast.LShift: _shift_left,
        ast.RShift: operator.rshift,
        ast.BitOr: operator.or_,
        ast.BitAnd: operator.and_,
        ast.BitXor: operator.xor,
        ast.UAdd: operator.pos,
        ast.USub: operator.neg,
        ast.Invert: operator.invert,
        ast.Not: operator.not_,
        ast.Eq: operator.eq,
        ast.NotEq: operator.ne,
        ast.Lt: operator.lt,
        ast.LtE: operator.le,
        ast.Gt: operator.gt,
        ast.GtE: operator.ge,
        ast.In: lambda item, container: item in container,
        ast.NotIn: lambda item, container: item not in container,
    }
)


def evaluate(node: ast.expr, values: Values) -> Any:  # noqa: ANN401, C901, PLR0911  # one line for each kind of node
    """Return the value of a closed expression; raises whatever the operations raise."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return values[name] if name in values else CONSTANTS[name]
        case ast.List(elts=items):
            return [evaluate(item, values) for item in items]
        case ast.Tuple(elts=items):
            return tuple(evaluate(item, values) for item in items)
        case ast.Set(elts=items):
            return {evaluate(item, values) for item in items}
        case ast.Dict(keys=keys, values=items):
            pairs = zip(keys, items, strict=True)
            return {evaluate(key, values): evaluate(item, values) for key, item in pairs if key is not None}
        case ast.UnaryOp(op=op, operand=operand):
            return OPERATORS[type(op)](evaluate(operand, values))
        case ast.BinOp(left=left, op=op, right=right):
            return OPERATORS[type(op)](evaluate(left, values), evaluate(right, values))
        case ast.Subscript(value=owner, slice=index):
            return evaluate(owner, values)[evaluate(index, values)]
        case ast.Compare():
            return _compare(node, values)
        case ast.Call():
            return _call(node, values)
    raise NotEvaluated(type(node).__name__)


def _compare(node: ast.Compare, values: Values) -> bool:
    operands = [evaluate(operand, values) for operand in (node.left, *node.comparators)]
    pairs = zip(node.ops, operands[:-1], operands[1:], strict=True)
    return all(OPERATORS[type(op)](left, right) for op, left, right in pairs)


def _call(node: ast.Call, values: Values) -> object:
    arguments = [evaluate(argument, values) for argument in node.args]
    options = {item.arg: evaluate(item.value, values) for item in node.keywords if item.arg is not None}
    return _function(node.func, values)(*arguments, **options)


def _function(node: ast.expr, values: Values) -> Callable[..., object]:
    match node:
        case ast.Attribute(value=owner, attr=name) if name in METHODS:
            method: Callable[..., object] = getattr(evaluate(owner, values), name)
            return method
        case ast.Name(id=name) if name.startswith(MOCK_CALL):
            made: Callable[..., object] = operator.attrgetter(f"call{name.removeprefix(MOCK_CALL)}")(mock)
            return made
        case ast.Name(id=name):
            return FUNCTIONS[name]
    raise NotEvaluated(type(node).__name__)
