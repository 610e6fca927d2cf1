"""Seal expected exceptions: their classes and messages."""

import ast

from steelyard.checks.python.sealing.closed import Closing
from steelyard.checks.python.sealing.plan import LeftOpen, Plan, actual, function
from steelyard.checks.python.sealing.records import Form
from steelyard.checks.python.sealing.scopes import Module, called_name

WITH_MESSAGE = "assertRaisesRegex"
ASSERTIONS = {"AssertionError", "BaseException"}


def plan_context(call: ast.Call, module: Module, closing: Closing) -> Plan:
    """Return how `with raises(…)` is sealed."""
    name = called_name(call)
    options = {item.arg: item.value for item in call.keywords if item.arg != "msg"}
    match = options.pop("match", None)
    rest = call.args[1:]
    if name == WITH_MESSAGE and len(rest) == 1:
        (match,) = rest
        rest = []
    if not call.args or rest or options:
        raise LeftOpen(f"a form of `{name}` that is not known")
    return _plan(call, call.args[0], match, closing, module)


def plan_call(call: ast.Call, module: Module, closing: Closing) -> Plan:
    """Return how `assertRaises(error, function, …)` is sealed."""
    hidden = 2 if called_name(call) == WITH_MESSAGE else 1
    if len(call.args) <= hidden or isinstance(call.args[hidden], ast.Starred):
        raise LeftOpen("an exception's context that is not in a `with` statement")
    match = call.args[1] if called_name(call) == WITH_MESSAGE else None
    plan = _plan(call, call.args[0], match, closing, module)
    return Plan(
        reported=call,
        check=plan.check,
        form=plan.form,
        method="caught",
        can_be_guessed=plan.can_be_guessed,
        arguments=(call.args[hidden - 1], call.args[hidden]),
    )


def _plan(call: ast.Call, kinds: ast.expr, match: ast.expr | None, closing: Closing, module: Module) -> Plan:
    items = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
    names = [ast.unparse(item) for item in items if isinstance(item, ast.Name | ast.Attribute)]
    if not items or len(names) < len(items) or any(_is_variable(item, module) for item in items):
        raise LeftOpen("a computed exception class")
    if ASSERTIONS.intersection(names):
        raise LeftOpen("expects a failing assertion")
    pattern = None if match is None else closing.close(match)
    if match is not None and pattern is None:
        raise LeftOpen("a computed pattern")
    classes = ast.List(elts=[ast.Constant(value=name) for name in names])
    check = function("raised", actual(), classes, *([function("pattern", pattern)] if pattern else []))
    return Plan(
        reported=call, check=check, form=Form.EXCEPTION, method="raises", can_be_guessed=pattern is None
    )


def _is_variable(node: ast.expr, module: Module) -> bool:
    """Whether a class is held by a parameter or a variable of a function."""
    if not isinstance(node, ast.Name) or node.id in module.imports:
        return False
    return any(module.bindings[scope][node.id] for scope in module.scopes(node) if scope is not module.tree)
