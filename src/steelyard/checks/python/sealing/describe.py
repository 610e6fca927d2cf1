"""Describe expected and reported values in messages."""

import ast
from collections.abc import Mapping

from steelyard.checks.python.sealing.evaluate import evaluate
from steelyard.checks.python.sealing.records import ACTUAL, CELL, Check

LONGEST = 200
NAMED_EQUALITIES = {"assert_equal", "assert_array_equal", "numpy.array_equal", "same"}
WORDS: dict[type[ast.cmpop], str] = {
    ast.NotEq: "!= ",
    ast.Lt: "< ",
    ast.LtE: "<= ",
    ast.Gt: "> ",
    ast.GtE: ">= ",
}
WORDS |= {ast.In: "in ", ast.NotIn: "not in "}

Values = Mapping[str, object]


def expected_text(check: Check, values: Values) -> str:  # noqa: PLR0911  # one for each kind of check
    """Return what a check expects; `values` are those of the reported row."""
    match check.expression:
        case ast.Compare(left=ast.Name(id="$actual"), ops=[op], comparators=[expected]):
            return WORDS.get(type(op), "") + _evaluated(expected, values)
        case ast.Compare(left=expected, ops=[ast.Eq()], comparators=[ast.Name(id="$actual")]):
            return _evaluated(expected, values)
        case ast.Name(id="$actual"):
            return "a true value"
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id="$actual")):
            return "a false value"
        case ast.Call(func=ast.Name(id="raised"), args=[_, classes, *pattern]):
            texts = [call.args[0] for call in pattern if isinstance(call, ast.Call)]
            matching = [f"matching {_evaluated(text, values)}" for text in texts]
            return " ".join([" or ".join(evaluate(classes, {})), *matching])
        case ast.Call(func=ast.Name(id="is_any_of"), args=[_, types]):
            return f"an instance of {' or '.join(evaluate(types, {}))}"
        case ast.Call(func=ast.Name(id=name), args=[ast.Name(id="$actual"), expected]) if _is_equality(name):
            return _evaluated(expected, values)
    text = ast.unparse(check.expression).replace(ACTUAL, "…").replace(CELL, shown(values.get(CELL)))
    return f"`{text[:LONGEST]}`"


def actual_text(check: Check, actual: object) -> str:
    """Return what was reported."""
    match check.expression, actual:
        case ast.Call(func=ast.Name(id="raised")), None:
            return "no exception"
        case ast.Call(func=ast.Name(id="raised")), [[str(name), *_], str(message)]:
            return f"{name}: {message}"[:LONGEST] if message else name
        case ast.Call(func=ast.Name(id="is_any_of")), [str(exact), *_]:
            return exact or "a class of the answer"
        case ast.Call(func=ast.Name(id="same")), str(name):
            return name[:LONGEST]
    return shown(actual)


def shown(value: object) -> str:
    """Return a value's representation, shortened."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001  # such as an int with more digits than Python converts
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _is_equality(name: str) -> bool:
    is_method = name.startswith("assert") and name.endswith("Equal") and "Not" not in name
    return is_method or name in NAMED_EQUALITIES


def _evaluated(node: ast.expr, values: Values) -> str:
    try:
        return shown(evaluate(node, values))
    except Exception:  # noqa: BLE001  # the report names no row of its table
        return "the value of another row"
