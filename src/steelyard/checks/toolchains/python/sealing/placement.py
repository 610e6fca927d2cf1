"""Locate assertions: their test, whether they are always reached, and what may catch a failure."""

import ast
import re
from functools import cached_property

from steelyard.checks.toolchains.python.sealing.sites import RAISES
from steelyard.checks.toolchains.python.sealing.syntax import SCOPES, Function, Module, called_name

CATCHES = RAISES | {"suppress"}
BROAD = re.compile(r"\b(AssertionError|Exception|BaseException)\b")
EXPECTED_FAILURES = {"xfail", "expectedFailure"}
LOOPS = ast.For | ast.AsyncFor | ast.While
BRANCHES = ast.If | ast.IfExp | ast.Try | ast.ExceptHandler | ast.Match | ast.match_case | ast.ClassDef
INFINITY = float("inf")
LEAVES = ast.Return | ast.Raise | ast.Continue | ast.Break


class Placement:
    """Inspects the parents of a module's nodes."""

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

    def is_unconditional(self, node: ast.Assert | ast.Call) -> bool:
        """Whether a test that runs to its end reaches a node."""
        for parent, child in self._module.around(node):
            if isinstance(parent, SCOPES):
                return self._runs_by_itself(parent) and node.lineno < self._first_leaves.get(parent, INFINITY)
            is_skippable = isinstance(parent, BRANCHES | LOOPS) and child not in getattr(
                parent, "finalbody", []
            )
            if is_skippable or any(called_name(call) in CATCHES for call in _contexts(parent, child)):
                return False
        return True

    @cached_property
    def _first_leaves(self) -> dict[ast.AST, int]:
        leaves = [node for node in self._module.nodes if isinstance(node, LEAVES)]
        leaves.sort(key=lambda node: -node.lineno)
        return {next(self._module.scopes(node)): node.lineno for node in leaves}

    def count_may_vary(self, node: ast.AST) -> bool:
        """Whether the answer decides how often a node is reached, by a callback or a loop over its values."""
        scope = next(self._module.scopes(node))
        parents = [parent for parent, _ in self._module.around(node)]
        loops = [parent for parent in parents[: parents.index(scope)] if isinstance(parent, LOOPS)]
        return not (all(map(_is_fixed, loops)) and self._runs_by_itself(scope))

    def _runs_by_itself(self, function: ast.AST) -> bool:
        if not isinstance(function, Function):
            return isinstance(function, ast.Module)
        parent = self._module.parents[function]
        if any(
            isinstance(later, Function) and later.name == function.name and later.lineno > function.lineno
            for later in getattr(parent, "body", [])
        ):
            return False  # redefined later
        if isinstance(parent, ast.ClassDef):
            return function.name.startswith("test") and isinstance(self._module.parents[parent], ast.Module)
        return isinstance(parent, ast.Module) and (
            function.name.startswith("test") or not self._is_called(function)
        )

    def _is_called(self, function: Function) -> bool:
        return bool(self._module.reads[self._module.tree, function.name])

    def why_not_sealed(self, node: ast.AST) -> str:
        """Return why an assertion at a node may not be sealed, or ""."""
        for parent, child in self._module.around(node):
            if isinstance(parent, ast.Try | ast.TryStar) and child in parent.body:
                if any(map(_may_catch, parent.handlers)):
                    return "a `try` may catch it"
            elif any(map(_may_catch, _contexts(parent, child))):
                return "a context manager may catch it"
            elif parent in self._expected_to_fail:
                return "its test is expected to fail"
            elif isinstance(parent, Function) and self._is_called(parent) and self._catches_assertions:
                return "a caller may catch it"
        return ""

    @cached_property
    def _catches_assertions(self) -> bool:
        return any(map(_may_catch, self._module.nodes))

    @cached_property
    def _expected_to_fail(self) -> set[ast.AST]:
        """The functions and classes with an xfail mark; the module, for marks outside of them."""
        nodes = self._module.nodes
        marks = [
            node for node in nodes if getattr(node, "attr", getattr(node, "id", "")) in EXPECTED_FAILURES
        ]
        return set(map(self._definition_around, marks))

    def _definition_around(self, node: ast.AST) -> ast.AST:
        parents = (parent for parent, _ in self._module.around(node))
        definitions = (parent for parent in parents if isinstance(parent, Function | ast.ClassDef))
        return next(definitions, self._module.tree)


def _is_fixed(loop: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Whether a loop iterates over a literal or a range."""
    iterated = None if isinstance(loop, ast.While) else loop.iter
    is_range = isinstance(iterated, ast.Call) and called_name(iterated) == "range"
    return is_range or isinstance(iterated, ast.List | ast.Tuple)


def _contexts(block: ast.AST, child: ast.AST) -> list[ast.expr]:
    """Return the context managers of a `with` statement around a node in its body."""
    if not isinstance(block, ast.With | ast.AsyncWith) or child not in block.body:
        return []
    return [item.context_expr for item in block.items]


def _may_catch(node: ast.AST) -> bool:
    """Whether a handler, `raises(…)` or `suppress(…)` may catch an AssertionError."""
    match node:
        case ast.ExceptHandler(type=error):
            return error is None or BROAD.search(ast.unparse(error)) is not None
        case ast.Call(args=errors) if called_name(node) in CATCHES:
            return any(BROAD.search(ast.unparse(error)) for error in errors)
    return False
