"""Describe expected and reported values in messages."""

import ast
from collections.abc import Mapping

from steelyard.checks.python.sealing.evaluate import evaluate
from steelyard.checks.python.sealing.records import ACTUAL, CELL, Check

LONGEST = 200
EQUALITIES = {"assertListEqual", "assertTupleEqual", "assertDictEqual", "assertMultiLineEqual", "assertSetEqual"}
EQUALITIES |= {"assertSequenceEqual", "assert_equal", "assert_array_equal", "numpy.array_equal"}
WORDS = {ast.NotEq: "!= ", ast.Lt: "< ", ast.LtE: "<= ", ast.Gt: "> ", ast.GtE: ">= ", ast.In: "in ", ast.NotIn: "not in "}


def shown(value: object) -> str:
    """Return a value's representation, shortened."""
    try:
        text = repr(value)
    except ValueError:  # an int with more digits than Python converts
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def expectation(check: Check, values: Mapping[str, object]) -> str:
    """Return "expected …, ", from the values of a table's row if there is one."""
    node = check.expression
    cell = values.get(CELL)
    match node:
        case ast.Compare(left=ast.Name(id="$actual"), ops=[op], comparators=[expected]):
            return f"expected {WORDS.get(type(op), '')}{_expected(expected, values)}, "
        case ast.Compare(left=expected, ops=[ast.Eq()], comparators=[ast.Name(id="$actual")]):
            return f"expected {_expected(expected, values)}, "
        case ast.Name(id="$actual"):
            return "expected a true value, "
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id="$actual")):
            return "expected a false value, "
        case ast.Call(func=ast.Name(id=name), args=[ast.Name(id="$actual"), expected]) if name in EQUALITIES:
            return f"expected {_expected(expected, values)}, "
    text = ast.unparse(node).replace(ACTUAL, "…").replace(CELL, shown(cell))
    return f"expected `{text[:LONGEST]}`, "


def _expected(node: ast.expr, values: Mapping[str, object]) -> str:
    try:
        return shown(evaluate(node, values))
    except Exception:  # noqa: BLE001  # an expected value that the reported row does not have
        return "another value"
