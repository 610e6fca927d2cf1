"""Forms of assertions that can be sealed: conditions, methods of unittest and mocks, expected exceptions.

A form is a template of a check. All of its operands but one must be closed; that one is reported. An
assertion of any other form stays as written and counts as open.
"""

import ast
import builtins
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from steelyard.checks.toolchains.python.sealing.expressions import ACTUAL, CELL, MOCK_CALL, Closing, evaluate
from steelyard.checks.toolchains.python.sealing.sites import RAISES, Site
from steelyard.checks.toolchains.python.sealing.syntax import Module, called_name

METHODS = {
    **dict.fromkeys(("assertEqual", "assertEquals", "assertListEqual", "assertTupleEqual"), "{} == {}"),
    **dict.fromkeys(("assertDictEqual", "assertSetEqual", "assertMultiLineEqual"), "{} == {}"),
    "assertNotEqual": "{} != {}",
    "assertIs": "{} is {}",
    "assertIsNot": "{} is not {}",
    "assertIsNone": "{} is None",
    "assertIsNotNone": "{} is not None",
    "assertIn": "{} in {}",
    "assertNotIn": "{} not in {}",
    "assertLess": "{} < {}",
    "assertLessEqual": "{} <= {}",
    "assertGreater": "{} > {}",
    "assertGreaterEqual": "{} >= {}",
    "assertCountEqual": "count_equal({}, {})",
    "assertAlmostEqual": "almost_equal({}, {})",
}
MOCK_METHODS = {
    "assert_called": "len({}) > 0",
    "assert_called_once": "len({}) == 1",
    "assert_not_called": "len({}) == 0",
    "assert_called_with": "{}[-1] == {}",
    "assert_called_once_with": "{} == [{}]",
    "assert_any_call": "{1} in {0}",
}
TRUTHS = {"assertTrue", "assert_", "assertFalse"}
INSTANCES = {"assertIsInstance", "assertNotIsInstance"}
NOT_TRUTHS = {"all", "any", "hasattr", "callable", "issubclass", "isclose", "allclose", "array_equal"}
PATTERNS = {"re.search", "re.match", "re.fullmatch"}
AFFIXES = {"startswith", "endswith"}
CATCH_ALL = {"AssertionError", "BaseException"}
VALUE = "$value"  # placeholder in a wording
SINGLETONS = {"True", "False", "None"}
GUESSABLE = SINGLETONS | {"0", "1", "0.0", "1.0"}  # equal to False and True
GUESSED = re.compile(r"\b(is|not)\b|!=|[<>]")  # operators that many values satisfy
MIN_MEMBER = 7  # characters of a literal: one large container can hold all shorter ones
TYPES = {f"builtins.{name}": kind.__name__ for name, kind in vars(builtins).items() if isinstance(kind, type)}
PAIR = 2  # arguments


class LeftOpen(Exception):
    """An assertion cannot be sealed; the message is the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How one assertion is sealed: the reported expression, and the check outside."""

    reported: ast.expr
    check: str
    wording: str  # describes the expected value; VALUE is replaced by the first of `expected`
    expected: tuple[str, ...] = ()  # closed expressions
    method: str = "report"  # of the reporter
    can_be_guessed: bool = True


class Forms:
    """Plans how one assertion is sealed."""

    def __init__(self, module: Module, closing: Closing) -> None:
        self._module, self._closing = module, closing

    def plan(self, site: Site) -> Plan:
        """Plan an assertion; raises LeftOpen."""
        call = site.node
        if not isinstance(call, ast.Call):
            return self._condition(site.part)
        options = [option for option in call.keywords if option.arg != "msg"]
        if called_name(call) in RAISES:
            return self._exception(call, options, is_context=site.is_context)
        if any(isinstance(item, ast.Starred) for item in call.args) or not all(item.arg for item in options):
            raise LeftOpen("unpacked arguments")
        if called_name(call) in MOCK_METHODS and isinstance(call.func, ast.Attribute):
            return self._mock(call.func, call.args, options)
        return self._method(called_name(call), call.args, options)

    def _condition(self, node: ast.expr) -> Plan:  # noqa: PLR0911  # one return for each form
        if any(isinstance(inner, ast.NamedExpr) for inner in ast.walk(node)):
            raise LeftOpen("an assignment expression")
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return _negated(self._condition(operand))
            case ast.Compare(left=left, ops=ops, comparators=others):
                gap = ast.Name(id="{}")
                template = ast.unparse(ast.Compare(left=gap, ops=ops, comparators=[gap] * len(others)))
                return self._operation(template, [left, *others])
            case ast.Call(func=function, args=[first, second], keywords=options):
                name = self._module.full_name(function)
                if name == "builtins.isinstance":
                    return self._instance(first, second)
                if name in PATTERNS and not options:
                    return self._pattern(name.removeprefix("re."), first, second)
                if name == "math.isclose":
                    return self._operation("math.isclose({}, {})", [first, second], options)
            case ast.Call(func=ast.Attribute(value=text, attr=name), args=[affix]) if name in AFFIXES:
                if self._closing.close(affix) and not self._closing.close(text):
                    return self._operation(f"{{}}.{name}({{}})", [text, affix])
        return self._truth(node)

    def _truth(self, node: ast.expr) -> Plan:
        if self._closing.close(node):
            raise LeftOpen("a literal")
        if called_name(node) in NOT_TRUTHS:
            raise LeftOpen(f"calls `{called_name(node)}`")
        if not isinstance(node, ast.Call | ast.Name | ast.Attribute | ast.Subscript | ast.Await):
            raise LeftOpen("combines or computes its condition")
        return Plan(reported=node, check=ACTUAL, wording="a true value", method="truth")

    def _method(self, name: str, arguments: Sequence[ast.expr], options: Sequence[ast.keyword]) -> Plan:
        if name == "assertAlmostEqual" and len(arguments) > PAIR:
            options = [*options, ast.keyword(arg="places", value=arguments[PAIR])]
        elif options and name != "assertAlmostEqual":
            raise LeftOpen(f"options of `{name}`")
        if name in TRUTHS and arguments:
            plan = self._condition(arguments[0])
            return _negated(plan) if name == "assertFalse" else plan
        template = METHODS.get(name, "{} {}")
        if len(arguments) < template.count("{}"):
            raise LeftOpen(f"arguments of `{name}`")
        if name in INSTANCES:
            plan = self._instance(*arguments[:PAIR])
            return _negated(plan) if "Not" in name else plan
        if name == "assertRegex":
            return self._pattern("search", arguments[1], arguments[0])
        if name not in METHODS:
            raise LeftOpen(f"`{name}` is not supported")
        return self._operation(template, arguments[: template.count("{}")], options)

    def _operation(
        self, template: str, operands: Sequence[ast.expr], options: Sequence[ast.keyword] = ()
    ) -> Plan:
        """Seal an operation with one computed operand."""
        if options:
            template = f"{template[:-1]}, {', '.join(f'{option.arg}={{}}' for option in options)})"
        operands = [*operands, *(option.value for option in options)]
        closed = [self._closing.close(operand) for operand in operands]
        computed = [operand for operand, value in zip(operands, closed, strict=True) if value is None]
        expected = [ast.unparse(value) for value in closed if value is not None]
        if len(computed) != 1:
            raise LeftOpen("compares computed values" if computed else "compares literals")
        if " is " in template and not SINGLETONS.issuperset(self._values(expected)):
            raise LeftOpen("compares identities")
        reported, actual = self._difference(computed[0]) if "<" in template else (computed[0], ACTUAL)
        parts = [f"({ast.unparse(value)})" if value else actual for value in closed]
        check = ast.unparse(ast.parse(template.format(*parts), mode="eval"))
        is_member = template.endswith("in {}") and closed[-1] is None
        is_guessable = _is_guessable(template, self._values(expected), is_member=is_member)
        return Plan(
            reported=reported,
            check=check,
            wording=VALUE if template == "{} == {}" else _wording(check),
            expected=tuple(expected),
            method="identity" if " is " in template else "members" if is_member else "report",
            can_be_guessed=actual == ACTUAL and is_guessable,
        )

    def _values(self, expected: Sequence[str]) -> list[str]:
        """Return expected values; for a column, those of all rows."""
        rows = [ast.unparse(row) for row in self._closing.column.values] if self._closing.column else []
        return [text for value in expected for text in (rows if value == CELL else [value])]

    def _difference(self, node: ast.expr) -> tuple[ast.expr, str]:
        """Return the computed operand of `abs(computed - expected)`, and the expression in the check."""
        match node:
            case ast.Call(func=function, args=[ast.BinOp(left=left, op=ast.Sub(), right=right)], keywords=[]):
                closed = [self._closing.close(operand) for operand in (left, right)]
                if self._module.full_name(function) == "builtins.abs" and closed.count(None) == 1:
                    parts = [f"({ast.unparse(value)})" if value else ACTUAL for value in closed]
                    return (left if closed[1] else right), "abs({} - {})".format(*parts)
        return node, ACTUAL

    def _instance(self, value: ast.expr, kinds: ast.expr) -> Plan:
        items = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
        names = [TYPES.get(self._module.full_name(item), "") for item in items]
        if not all(names):
            raise LeftOpen("the type of another class")
        wording = f"an instance of {' or '.join(names)}"
        return Plan(reported=value, check=f"is_any_of({ACTUAL}, {names})", wording=wording, method="types")

    def _pattern(self, function: str, pattern: ast.expr, text: ast.expr) -> Plan:
        expected = self._expected_pattern(pattern)
        return Plan(
            reported=text,
            check=f"{function}({expected[1]}, {ACTUAL})",
            wording=f"a text matching {VALUE}",
            expected=expected,
            can_be_guessed=False,
        )

    def _expected_pattern(self, node: ast.expr) -> tuple[str, str]:
        closed = self._closing.close(node)
        if closed is None:
            raise LeftOpen("a computed pattern")
        return ast.unparse(closed), f"pattern({ast.unparse(closed)})"

    def _mock(self, method: ast.Attribute, arguments: list[ast.expr], options: list[ast.keyword]) -> Plan:
        call = ast.Call(func=ast.Name(id=MOCK_CALL), args=arguments, keywords=options)
        closed = self._closing.close(call)
        if closed is None:
            raise LeftOpen("a mock's call with computed arguments")
        check = MOCK_METHODS[method.attr].format(ACTUAL, ast.unparse(closed))
        return Plan(
            reported=method.value,
            check=check,
            wording=_wording(check.replace(MOCK_CALL, "call")),
            expected=(ast.unparse(closed),),
            method="calls",
            can_be_guessed=not arguments and not options,
        )

    def _exception(self, call: ast.Call, options: list[ast.keyword], *, is_context: bool) -> Plan:
        match = {option.arg: option.value for option in options}
        arguments = call.args
        if called_name(call) == "assertRaisesRegex" and len(arguments) == PAIR:
            match, arguments = {"match": arguments[1]}, arguments[:1]
        if not is_context or len(arguments) != 1 or match.keys() - {"match"}:
            raise LeftOpen(f"arguments of `{called_name(call)}`")
        names = self._exception_names(arguments[0])
        pattern = self._expected_pattern(match["match"]) if match else None
        return Plan(
            reported=call,
            check=f"raised({ACTUAL}, {names}{f', {pattern[1]}' if pattern else ''})",
            wording=" or ".join(names) + (f" matching {VALUE}" if pattern else ""),
            expected=pattern or (),
            method="raises",
            can_be_guessed=pattern is None,
        )

    def _exception_names(self, node: ast.expr) -> list[str]:
        """Return the names of exception classes: they are compared by name."""
        items = node.elts if isinstance(node, ast.Tuple) else [node]
        names = [self._exception_name(item) for item in items]
        if CATCH_ALL.intersection(names):
            raise LeftOpen("expects a failing assertion")
        return names

    def _exception_name(self, node: ast.expr) -> str:
        full_name = self._module.full_name(node)
        if full_name.startswith("builtins."):
            return str(getattr(builtins, full_name.removeprefix("builtins.")).__name__)
        is_class = isinstance(node, ast.Attribute) or self._module.may_be_class(node)
        name = (full_name or ast.unparse(node)).rpartition(".")[2]
        # `socket.timeout` is an alias, and `pytest.fail.Exception` is not `Exception`.
        if not is_class or not name[:1].isupper() or name in CATCH_ALL | {"Exception"}:
            raise LeftOpen("a computed exception class")
        return name


def _is_guessable(template: str, expected: Sequence[str], *, is_member: bool) -> bool:
    """Whether many values satisfy an operation, or the expected ones are guessed first."""
    if GUESSED.search(template) or GUESSABLE.issuperset(expected):
        return True
    if is_member:
        return min(map(len, expected)) < MIN_MEMBER
    # The empty text is in every text.
    return " in " in template and any(isinstance(evaluate(text), str | bytes) for text in expected)


def _negated(plan: Plan) -> Plan:
    check = ast.unparse(ast.parse(f"not ({plan.check})", mode="eval"))
    wording = "a false value" if plan.check == ACTUAL else _wording(check)
    return replace(plan, check=check, wording=wording, can_be_guessed=True)


def _wording(check: str) -> str:
    """Return a check as messages show it: `!= 3`, or the expression with a gap."""
    rest = check.removeprefix(f"{ACTUAL} ")
    return (
        rest.removeprefix("is ")
        if rest != check and ACTUAL not in rest
        else f"`{check.replace(ACTUAL, '…')}`"
    )
