"""Read graded tests as source: which tests they hold, which names they want, and where they assert.

Nothing is run here; the checker outside asks the same questions of the same source.
"""

import ast
import builtins
import sys
import types
from collections.abc import Iterable

CHECK = "check"  # HumanEval's function of tests, called with the answer's function
WHOLE = "module"  # the name of the one test there is when nothing in the tests has a name
TESTS_FILE = "<graded tests>"
COUNT = "__steelyard_asserted__"
Function = ast.FunctionDef | ast.AsyncFunctionDef


def names_of_tests(tree: ast.Module, *, entry_point: str = "") -> list[str]:
    r"""Return the names of the tests, as far as the source tells.

    >>> names_of_tests(ast.parse("assert f(1) == 2\ndef test_more(): pass"))
    ['line 1', 'test_more']
    >>> names_of_tests(ast.parse("def check(candidate): pass"), entry_point="f")
    ['check']
    >>> names_of_tests(ast.parse("run_all()"))
    ['module']
    """
    found: dict[str, None] = {}
    for node in tree.body:
        if isinstance(node, ast.Assert):
            found[assert_name(node)] = None
        elif isinstance(node, Function) and node.name.startswith("test"):
            found[node.name] = None
        elif isinstance(node, Function) and node.name == CHECK and entry_point:
            found[CHECK] = None
        elif isinstance(node, ast.ClassDef) and holds_tests(node):
            found.update(dict.fromkeys(f"{node.name}.{name}" for name in _methods(node)))
    return list(found) or ([WHOLE] if tree.body else [])


def runs_nothing(tree: ast.Module) -> bool:
    r"""Whether tests without a name only define what nobody calls, as when `test` was forgotten in a name.

    >>> runs_nothing(ast.parse("def check_small():\n    assert f(1) == 2"))
    True
    >>> runs_nothing(ast.parse("def check_small():\n    assert f(1) == 2\ncheck_small()"))
    False
    >>> runs_nothing(ast.parse("import solution"))
    False
    """
    if names_of_tests(tree) != [WHOLE]:
        return False
    defined = Function | ast.ClassDef
    idle = defined | ast.Import | ast.ImportFrom | ast.Assign | ast.AnnAssign
    others = [node for node in tree.body if not isinstance(node, idle) and not _is_docstring(node)]
    return not others and any(isinstance(node, defined) for node in tree.body)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def assert_name(node: ast.Assert) -> str:
    """Return the name of an assertion that stands outside every function."""
    return f"line {node.lineno}"


def holds_tests(node: ast.ClassDef) -> bool:
    """Whether a class looks like one of tests."""
    bases = [base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in node.bases]
    return node.name.startswith("Test") or any(name.endswith("TestCase") for name in bases)


def _methods(node: ast.ClassDef) -> list[str]:
    return [item.name for item in node.body if isinstance(item, Function) and item.name.startswith("test")]


def wanted_names(tree: ast.Module, *, module: str) -> set[str]:
    """Return the names that tests use and do not define, those imported from the answer among them."""
    used, bound = set[str](), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == module:
            used.add(node.attr)
        elif isinstance(node, Function | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.ImportFrom) and node.module == module:
            used.update(alias.name for alias in node.names)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            bound.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
    return used - bound - set(vars(builtins))


def library_modules(tree: ast.Module) -> set[str]:
    r"""Return the names that tests use only as modules of the standard library, imported or not.

    >>> sorted(library_modules(ast.parse("assert math.isclose(f(2), 4)\nassert copy(3) == copy.x")))
    ['math']
    """
    before_a_dot = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    other = {node.id for node in names if id(node) not in before_a_dot}
    return {node.id for node in names if node.id in sys.stdlib_module_names} - other


def class_names(names: Iterable[str]) -> set[str]:
    """Return the names that by their first letter are those of classes.

    >>> sorted(class_names({"Stack", "_Node", "push"}))
    ['Stack', '_Node']
    """
    return {name for name in names if name.lstrip("_")[:1].isupper()}


def needs_pytest(tree: ast.Module) -> bool:
    """Whether tests ask for pytest by name, or for fixtures by having parameters."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and any(alias.name.startswith("pytest") for alias in node.names):
            return True
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pytest"):
            return True
    functions = [node for node in tree.body if isinstance(node, Function) and node.name.startswith("test")]
    return any(len(node.args.args) > len(node.args.defaults) for node in functions)


class Counted(ast.NodeTransformer):
    """Counts assertions as they are passed: every `assert` is followed by a call that nobody else knows."""

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        """Return an assertion and the call that counts it."""
        call = ast.Expr(ast.Call(func=ast.Name(id=COUNT, ctx=ast.Load()), args=[], keywords=[]))
        ast.copy_location(call, node)
        return [node, ast.fix_missing_locations(call)]


def steps(tree: ast.Module, names: list[str]) -> list[tuple[str, types.CodeType]]:
    """Return the tests as code to run in order: assertions by name, what stands around them without."""
    if names == [WHOLE]:
        return [(WHOLE, _code([statement for node in tree.body for statement in _counted(node)]))]
    made, waiting = list[tuple[str, types.CodeType]](), list[ast.stmt]()
    for node in tree.body:
        if not isinstance(node, ast.Assert):
            waiting += _counted(node)
            continue
        made += [("", _code(waiting)), (assert_name(node), _code(_counted(node)))]
        waiting = []
    return [*made, ("", _code(waiting))]


def _counted(node: ast.stmt) -> list[ast.stmt]:
    found = Counted().visit(node)
    return found if isinstance(found, list) else [found]


def _code(statements: list[ast.stmt]) -> types.CodeType:
    module = ast.Module(body=statements, type_ignores=[])
    return compile(module, TESTS_FILE, "exec", dont_inherit=True)
