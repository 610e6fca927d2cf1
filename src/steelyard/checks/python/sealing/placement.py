"""Where an assertion stands: its test, whether it is always reached, and what may catch its failure."""

import ast
from functools import cached_property

from steelyard.checks.python.sealing.scopes import SCOPES, Function, Module, called_name
from steelyard.checks.python.sealing.sites import RAISES

CATCHES = RAISES | {"suppress"}
CATCHES_ASSERTIONS = {"AssertionError", "Exception", "BaseException"}
EXPECTED_FAILURES = ("xfail", "expectedFailure")
BRANCHES = (ast.If, ast.While, ast.IfExp, ast.Try, ast.ExceptHandler, ast.Match, ast.match_case, ast.ClassDef)
LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)


class Placement:
    """Answers questions about the surroundings of a module's nodes."""

    def __init__(self, module: Module) -> None:
        self._module = module

    def test_of(self, node: ast.AST) -> str:
        """Return the top-level function or `Class.method` around a node."""
        names = [
            parent.name
            for parent, child in self._module.around(node)
            if isinstance(parent, Function | ast.ClassDef) and child in parent.body
        ]
        is_method = names and names[-1] not in self._functions
        return ".".join(reversed(names[-2:])) if is_method else names[-1] if names else ""

    @cached_property
    def _functions(self) -> set[str]:
        return {node.name for node in self._module.tree.body if isinstance(node, Function)}

    def is_unconditional(self, node: ast.Assert | ast.Call, table: ast.AST | None) -> bool:
        """Whether a test that runs to its end always reaches a node; `table` is a loop with rows."""
        for parent, child in self._module.around(node):
            if isinstance(parent, SCOPES):
                return self._runs_by_itself(parent) and node.lineno < self._first_leave(parent)
            is_skippable = isinstance(parent, BRANCHES) and child not in getattr(parent, "finalbody", [])
            is_loop = isinstance(parent, ast.For | ast.AsyncFor) and parent is not table
            if is_skippable or is_loop or (child not in getattr(parent, "items", []) and _catching(parent)):
                return False
        return True

    def count_may_vary(self, node: ast.AST) -> bool:
        """Whether the answer decides how often a node is reached: in a callback, or a loop over its value."""
        for parent, _ in self._module.around(node):
            if isinstance(parent, SCOPES):
                break
            if isinstance(parent, ast.While) or (
                isinstance(parent, ast.For | ast.AsyncFor) and not _is_fixed(parent.iter)
            ):
                return True
        return not self._runs_by_itself(next(self._module.scopes(node)))

    def _first_leave(self, scope: ast.AST) -> float:
        return self._first_leaves.get(scope, float("inf"))

    @cached_property
    def _first_leaves(self) -> dict[ast.AST, int]:
        leaves = [node for node in self._module.nodes if isinstance(node, LEAVES)]
        scopes = {node: next(self._module.scopes(node)) for node in leaves}
        return {scopes[node]: node.lineno for node in sorted(leaves, key=lambda node: -node.lineno)}

    def _runs_by_itself(self, function: ast.AST) -> bool:
        if not isinstance(function, Function):
            return isinstance(function, ast.Module)
        parent = self._module.parents[function]
        if any(
            isinstance(later, Function) and later.name == function.name and later.lineno > function.lineno
            for later in getattr(parent, "body", [])
        ):
            return False  # the later function replaces it
        if isinstance(parent, ast.ClassDef):
            return function.name.startswith("test") and isinstance(self._module.parents[parent], ast.Module)
        return isinstance(parent, ast.Module) and (
            function.name.startswith("test") or not self._is_called(function)
        )

    def _is_called(self, function: Function) -> bool:
        return bool(self._module.reads[self._module.tree, function.name])

    def why_not_sealed(self, node: ast.AST) -> str:
        """Return why no assertion at a node may be sealed, or ""."""
        for parent, child in self._module.around(node):
            if isinstance(parent, ast.Try | ast.TryStar) and child in parent.body:
                if any(_is_broad(handler.type) for handler in parent.handlers):
                    return "a `try` may catch it"
            elif child not in getattr(parent, "items", []) and any(map(_is_broad, _catching(parent))):
                return "a context manager may catch it"
            elif isinstance(parent, Function) and _is_expected_to_fail(parent):
                return "its test is expected to fail"
            elif isinstance(parent, Function) and self._is_called(parent) and self._catches_assertions:
                return "a caller may catch it"
        return ""

    @cached_property
    def _catches_assertions(self) -> bool:
        for node in self._module.nodes:
            if isinstance(node, ast.ExceptHandler) and _is_broad(node.type):
                return True
            if isinstance(node, ast.Call) and any(map(_is_broad, _caught_by(node))):
                return True
        return False


def _is_fixed(iterated: ast.expr) -> bool:
    """Whether a loop goes over what the tests state."""
    is_range = isinstance(iterated, ast.Call) and called_name(iterated) == "range"
    return is_range or isinstance(iterated, ast.List | ast.Tuple)


def _catching(block: ast.AST) -> list[ast.expr]:
    """Return the exceptions that a `with` statement catches."""
    if not isinstance(block, ast.With | ast.AsyncWith):
        return []
    calls = [item.context_expr for item in block.items if isinstance(item.context_expr, ast.Call)]
    return [error for call in calls for error in _caught_by(call)]


def _caught_by(call: ast.Call) -> list[ast.expr]:
    """Return the exceptions that `raises(…)` or `suppress(…)` catches."""
    if called_name(call) not in CATCHES:
        return []
    return call.args if called_name(call) == "suppress" else call.args[:1]


def _is_expected_to_fail(function: Function) -> bool:
    return any(name in ast.unparse(item) for item in function.decorator_list for name in EXPECTED_FAILURES)


def _is_broad(error: ast.expr | None) -> bool:
    """Whether an exception class, or a tuple of them, may include AssertionError."""
    if error is None:
        return True
    errors = error.elts if isinstance(error, ast.Tuple) else [error]
    return any(ast.unparse(item).rpartition(".")[2] in CATCHES_ASSERTIONS for item in errors)
