"""Seal calls of assertion methods: unittest, numpy.testing and unittest.mock."""

import ast

from steelyard.checks.python.sealing.closed import Closing
from steelyard.checks.python.sealing.comparisons import MOCK_METHODS
from steelyard.checks.python.sealing.conditions import Conditions
from steelyard.checks.python.sealing.plan import LeftOpen, Plan, actual, function
from steelyard.checks.python.sealing.records import Form
from steelyard.checks.python.sealing.scopes import called_name

MESSAGES = {"msg", "err_msg", "verbose"}
OPERATORS: dict[str, type[ast.cmpop]] = {
    "assertEqual": ast.Eq,
    "assertEquals": ast.Eq,
    "assertNotEqual": ast.NotEq,
    "assertIs": ast.Is,
    "assertIsNot": ast.IsNot,
    "assertIn": ast.In,
    "assertNotIn": ast.NotIn,
    "assertGreater": ast.Gt,
    "assertGreaterEqual": ast.GtE,
    "assertLess": ast.Lt,
    "assertLessEqual": ast.LtE,
}
TRUTHS = {"assertTrue": True, "assert_": True, "assertFalse": False}
# The form of each comparison, and how many positional arguments are not a message.
PAIRS: dict[str, tuple[Form, int]] = {
    "assertListEqual": (Form.EQUALITY, 2),
    "assertTupleEqual": (Form.EQUALITY, 2),
    "assertDictEqual": (Form.EQUALITY, 2),
    "assertSetEqual": (Form.EQUALITY, 2),
    "assertMultiLineEqual": (Form.EQUALITY, 2),
    "assertSequenceEqual": (Form.EQUALITY, 2),
    "assertCountEqual": (Form.EQUALITY, 2),
    "assertAlmostEqual": (Form.TOLERANCE, 3),
    "assertAlmostEquals": (Form.TOLERANCE, 3),
    "assertNotAlmostEqual": (Form.TOLERANCE, 3),
    "assert_allclose": (Form.TOLERANCE, 4),
    "assert_almost_equal": (Form.TOLERANCE, 3),
    "assert_array_almost_equal": (Form.TOLERANCE, 3),
    "assert_equal": (Form.EQUALITY, 2),
    "assert_array_equal": (Form.EQUALITY, 2),
}


def plan_method(call: ast.Call, conditions: Conditions, closing: Closing) -> Plan:  # noqa: C901, PLR0911  # one for each kind
    """Return how a call of an assertion method is sealed."""
    name = called_name(call)
    arguments = call.args
    keywords = [item for item in call.keywords if item.arg not in MESSAGES]
    if any(isinstance(item, ast.Starred) for item in arguments) or any(item.arg is None for item in keywords):
        raise LeftOpen("unpacked arguments")
    if name in MOCK_METHODS and isinstance(call.func, ast.Attribute):
        return _mock(call.func, arguments, keywords, closing)
    if name == "match" and len(arguments) == 1 and isinstance(call.func, ast.Attribute):
        return _pattern("assertRegex", call.func.value, arguments[0], closing, "message")
    if name in TRUTHS and len(arguments) in {1, 2} and not keywords:
        condition = arguments[0] if TRUTHS[name] else ast.UnaryOp(op=ast.Not(), operand=arguments[0])
        return conditions.plan(condition)
    if name in {"assertIsNone", "assertIsNotNone"} and arguments and not keywords:
        op: ast.cmpop = ast.Is() if name == "assertIsNone" else ast.IsNot()
        return conditions.compare(_comparison(arguments[0], op, ast.Constant(value=None)))
    if len(arguments) < len(("actual", "expected")):
        raise LeftOpen(f"a form of `{name}` that is not known")
    left, right = arguments[:2]
    if name in OPERATORS and not keywords:
        return conditions.compare(_comparison(left, OPERATORS[name](), right))
    if name in {"assertIsInstance", "assertNotIsInstance"} and not keywords:
        plan = conditions.is_instance(left, right)
        return plan if name == "assertIsInstance" else _negated(plan)
    if name in {"assertRegex", "assertNotRegex"} and not keywords:
        return _pattern(name, left, right, closing)
    if name in PAIRS:
        form, count = PAIRS[name]
        return conditions.pair(name, arguments[:count], keywords, form)
    raise LeftOpen(f"`{name}` is not known")


def _comparison(left: ast.expr, op: ast.cmpop, right: ast.expr) -> ast.Compare:
    return ast.Compare(left=left, ops=[op], comparators=[right])


def _pattern(name: str, text: ast.expr, pattern: ast.expr, closing: Closing, method: str = "report") -> Plan:
    closed = closing.close(pattern)
    if closed is None:
        raise LeftOpen("a computed pattern")
    check = function(name, actual(), function("pattern", closed))
    return Plan(reported=text, check=check, form=Form.TEXT, method=method, can_be_guessed="Not" in name)


def _negated(plan: Plan) -> Plan:
    check = ast.UnaryOp(op=ast.Not(), operand=plan.check)
    return Plan(reported=plan.reported, check=check, form=plan.form, method=plan.method, can_be_guessed=True)


def _mock(
    method: ast.Attribute, arguments: list[ast.expr], keywords: list[ast.keyword], closing: Closing
) -> Plan:
    closed = [closing.close(item) for item in arguments]
    named = [closing.close(item.value) for item in keywords]
    if None in closed or None in named:
        raise LeftOpen("a mock's call with computed arguments")
    options = [
        ast.keyword(arg=item.arg, value=value) for item, value in zip(keywords, named, strict=True) if value
    ]
    reporter = "awaits" if "await" in method.attr else "mock_calls" if "has_calls" in method.attr else "calls"
    return Plan(
        reported=method.value,
        check=function(method.attr, actual(), *(item for item in closed if item), keywords=options),
        form=Form.MOCK,
        method=reporter,
        can_be_guessed=not closed and not options,
    )
