"""Make code of graded tests, in which each assertion that holds is counted. Nothing is run here."""

import ast
import types

from steelyard.checks.python.grader_runtime.collect import (
    COUNT,
    TESTS_FILE,
    WHOLE,
    asserts,
    expects_error,
    is_assertion,
    statement_name,
)


class Counted(ast.NodeTransformer):
    """Follows each assertion by a call of ours, which counts those that hold.

    A message is kept if it is a text: what goes wrong in making one must not take the place of the failure.
    """

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        """Return an assertion and the call that counts it."""
        node.msg = node.msg if isinstance(node.msg, ast.Constant) else None
        return self._followed(node)

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | list[ast.stmt]:
        """Return a call that asserts, and the one that counts it; every other statement as it is."""
        return self._followed(node) if is_assertion(node) else node

    def visit_With(self, node: ast.With) -> ast.stmt | list[ast.stmt]:
        """Return a block that expects an error, and the call that counts it; look at what is within, too."""
        self.generic_visit(node)
        return self._followed(node) if expects_error(node) else node

    def _followed(self, node: ast.stmt) -> list[ast.stmt]:
        call = ast.Expr(ast.Call(func=ast.Name(id=COUNT, ctx=ast.Load()), args=[], keywords=[]))
        ast.copy_location(call, node)
        return [node, ast.fix_missing_locations(call)]


def steps(tree: ast.Module, names: list[str]) -> list[tuple[str, types.CodeType]]:
    """Return the tests as code to run in order: what asserts by its name, what stands around it without."""
    if names == [WHOLE]:
        return [(WHOLE, _code([statement for node in tree.body for statement in _counted(node)]))]
    made, waiting = list[tuple[str, types.CodeType]](), list[ast.stmt]()
    for node in tree.body:
        if not asserts(node):
            waiting += _counted(node)
            continue
        made += [("", _code(waiting)), (statement_name(node), _code(_counted(node)))]
        waiting = []
    return [*made, ("", _code(waiting))]


def steps_of(source: str, names: list[str]) -> list[tuple[str, types.CodeType]]:
    """Return the tests of a source as code to run in order."""
    return steps(ast.parse(source), names)


def _counted(node: ast.stmt) -> list[ast.stmt]:
    found = Counted().visit(node)
    return found if isinstance(found, list) else [found]


def _code(statements: list[ast.stmt]) -> types.CodeType:
    module = ast.Module(body=statements, type_ignores=[])
    return compile(module, TESTS_FILE, "exec", dont_inherit=True)
