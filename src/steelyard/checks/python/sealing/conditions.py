"""Seal conditions: the operand of `assert`, `assertTrue` and the like."""

import ast
import builtins
from dataclasses import replace

from steelyard.checks.python.sealing.closed import Closing
from steelyard.checks.python.sealing.plan import LeftOpen, Plan, actual, function
from steelyard.checks.python.sealing.records import Form
from steelyard.checks.python.sealing.scopes import Module, called_name

TYPES = {f"builtins.{name}" for name, value in vars(builtins).items() if isinstance(value, type)}
TOLERANT = {"math.isclose", "cmath.isclose", "numpy.isclose", "numpy.allclose", "numpy.array_equal"}
PATTERNS = {"re.search", "re.match", "re.fullmatch"}
AFFIXES = {"startswith", "endswith"}
NOT_TRUTHS = {"all", "any", "hasattr", "callable", "issubclass", "isinstance"}
ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
MEMBERSHIPS = (ast.In, ast.NotIn)
IDENTITIES = (ast.Is, ast.IsNot)


class Conditions:
    """Plans the conditions of one module's assertions."""

    def __init__(self, module: Module, closing: Closing) -> None:
        self._module, self._closing = module, closing

    def plan(self, condition: ast.expr) -> Plan:
        """Return how a condition is sealed; `not` stays outside."""
        is_negated = False
        while isinstance(condition, ast.UnaryOp) and isinstance(condition.op, ast.Not):
            condition, is_negated = condition.operand, not is_negated
        if any(isinstance(node, ast.NamedExpr) for node in ast.walk(condition)):
            raise LeftOpen("an assignment expression")
        plan = self.compare(condition) if isinstance(condition, ast.Compare) else self._truth(condition)
        if not is_negated:
            return plan
        check = ast.UnaryOp(op=ast.Not(), operand=plan.check)
        return replace(plan, check=check, can_be_guessed=True)

    def compare(self, node: ast.Compare) -> Plan:
        """Return how a comparison with one computed operand is sealed."""
        operands = [node.left, *node.comparators]
        closed = [self._closing.close(operand) for operand in operands]
        computed = [operand for operand, value in zip(operands, closed, strict=True) if value is None]
        if type_plan := self._compare_types(node):
            return type_plan
        if len(computed) != 1:
            raise LeftOpen("compares computed values" if computed else "compares literals")
        expected = [value for value in closed if value is not None]
        if any(isinstance(op, IDENTITIES) for op in node.ops):
            return self._identity(node, computed[0], expected)
        if difference := self._difference(node, computed[0], expected):
            return difference
        left, *others = [value or actual() for value in closed]
        return Plan(
            reported=computed[0],
            check=ast.Compare(left=left, ops=node.ops, comparators=others),
            form=_form(node.ops),
            method="numbers" if Form.TOLERANCE in self._closing.forms else "report",
            can_be_guessed=not self._is_telling(node.ops, expected),
        )

    def _is_telling(self, ops: list[ast.cmpop], expected: list[ast.expr]) -> bool:
        """Whether a value that meets the comparison is hard to guess."""
        is_positive = any(isinstance(op, ast.Eq | ast.In) for op in ops)
        return is_positive and not all(map(self._closing.is_guessable, expected))

    def _identity(self, node: ast.Compare, computed: ast.expr, expected: list[ast.expr]) -> Plan:
        if len(expected) != 1 or not self._closing.is_guessable(expected[0]):
            raise LeftOpen("compares identities")
        check = function("same", actual(), expected[0])
        if isinstance(node.ops[0], ast.IsNot):
            check = ast.UnaryOp(op=ast.Not(), operand=check)
        return Plan(reported=computed, check=check, form=Form.TRUTH, method="identity", can_be_guessed=True)

    def _difference(self, node: ast.Compare, computed: ast.expr, expected: list[ast.expr]) -> Plan | None:
        """Seal `abs(computed - expected) < tolerance`."""
        match node.ops[0], computed:
            case (
                ast.Lt() | ast.LtE(),
                ast.Call(func=called, args=[ast.BinOp(left=left, op=ast.Sub(), right=right)], keywords=[]),
            ) if self._module.full_name(called) in {"builtins.abs", "math.fabs"} and len(node.ops) == 1:
                closed = self._closing.close(left), self._closing.close(right)
                if computed is not node.left or (closed[0] is None) is (closed[1] is None):
                    return None
                minus = ast.BinOp(left=closed[0] or actual(), op=ast.Sub(), right=closed[1] or actual())
                difference = function("builtins.abs", minus)
                check = ast.Compare(left=difference, ops=node.ops, comparators=expected)
                return Plan(reported=left if closed[0] is None else right, check=check, form=Form.TOLERANCE)
        return None

    def _compare_types(self, node: ast.Compare) -> Plan | None:
        """Seal `type(computed) is int`."""
        match node:
            case ast.Compare(
                left=ast.Call(func=called, args=[value], keywords=[]),
                ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq() as op],
                comparators=[kind],
            ) if self._module.full_name(called) == "builtins.type" and self._module.full_name(kind) in TYPES:
                first = ast.Subscript(value=actual(), slice=ast.Constant(value=0))
                name = ast.Constant(value=self._type_name(kind))
                equality = ast.Eq() if isinstance(op, ast.Is | ast.Eq) else ast.NotEq()
                check = ast.Compare(left=first, ops=[equality], comparators=[name])
                return Plan(reported=value, check=check, form=Form.TYPE, method="types", can_be_guessed=True)
        return None

    def _truth(self, node: ast.expr) -> Plan:
        if isinstance(node, ast.Call) and (plan := self._call(node)):
            return plan
        if self._closing.close(node) is not None:
            raise LeftOpen("a literal")
        if called_name(node) in NOT_TRUTHS:
            raise LeftOpen(f"calls `{called_name(node)}`")
        if not isinstance(node, ast.Call | ast.Name | ast.Attribute | ast.Subscript | ast.Await):
            raise LeftOpen("combines or computes its condition")
        return Plan(reported=node, check=actual(), form=Form.TRUTH, method="truth", can_be_guessed=True)

    def _call(self, node: ast.Call) -> Plan | None:
        name = self._module.full_name(node.func)
        if name == "builtins.isinstance" and len(node.args) == len(("value", "types")):
            return self.is_instance(*node.args)
        if name in TOLERANT:
            form = Form.EQUALITY if name == "numpy.array_equal" else Form.TOLERANCE
            return self.pair(name, node.args, node.keywords, form)
        if name in PATTERNS and len(node.args) == len(("pattern", "text")) and not node.keywords:
            pattern = self._closing.close(node.args[0])
            if pattern is None:
                raise LeftOpen("a computed pattern")
            return Plan(
                reported=node.args[1],
                check=function(name, actual(), function("pattern", pattern)),
                form=Form.TEXT,
            )
        match node:
            case ast.Call(func=ast.Attribute(value=text, attr=method), args=[affix]) if method in AFFIXES:
                closed = self._closing.close(affix)
                if closed is not None and self._closing.close(text) is None:
                    return Plan(reported=text, check=function(method, actual(), closed), form=Form.TEXT)
        return None

    def is_instance(self, value: ast.expr, kinds: ast.expr) -> Plan:
        """Return how an `isinstance` of built-in types is sealed."""
        items = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
        if not all(self._module.full_name(item) in TYPES for item in items):
            raise LeftOpen("the type of another class")
        names = ast.List(elts=[ast.Constant(value=self._type_name(item)) for item in items])
        check = function("is_any_of", actual(), names)
        return Plan(reported=value, check=check, form=Form.TYPE, method="types", can_be_guessed=True)

    def _type_name(self, node: ast.expr) -> str:
        name = self._module.full_name(node).removeprefix("builtins.")
        kind: type = getattr(builtins, name)
        return kind.__name__

    def pair(self, name: str, arguments: list[ast.expr], keywords: list[ast.keyword], form: Form) -> Plan:
        """Seal a comparison function of one computed and one closed argument, then options."""
        options = [keyword for keyword in keywords if keyword.arg is not None]
        closed = [self._closing.close(item) for item in (*arguments, *(option.value for option in options))]
        sides, others = closed[:2], closed[2:]
        if len(options) < len(keywords) or len(sides) < len(("actual", "expected")) or None in others:
            raise LeftOpen("computed options")
        if (sides[0] is None) is (sides[1] is None):
            raise LeftOpen("compares computed values")
        extra = [item for item in (*sides, *others) if item is not None]
        count = len(arguments) - 1
        pairs = zip(options, extra[count:], strict=True)
        named = [ast.keyword(arg=item.arg, value=value) for item, value in pairs]
        check = function(name, actual(), *extra[:count], keywords=named)
        reported = arguments[0] if sides[0] is None else arguments[1]
        is_number = form is Form.TOLERANCE or name.startswith(("numpy.", "assert_"))
        return Plan(
            reported=reported,
            check=check,
            form=form,
            method="numbers" if is_number else "report",
            can_be_guessed="Not" in name,
        )


def _form(ops: list[ast.cmpop]) -> Form:
    if any(isinstance(op, ORDERS) for op in ops):
        return Form.ORDER
    return Form.MEMBERSHIP if any(isinstance(op, MEMBERSHIPS) for op in ops) else Form.EQUALITY
