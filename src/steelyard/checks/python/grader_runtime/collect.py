"""Read graded tests as source: which tests they hold, which names they want, and where they assert.

Nothing is run here.
"""

import ast
import builtins
import symtable
import sys
from collections.abc import Iterator, Sequence
from typing import TypeGuard

CHECK = "check"  # HumanEval's function of tests, called with the answer's function
WHOLE = "module"  # the name of the one test there is when nothing in the tests has a name
TESTS = "graded_tests"  # the name of the module that holds the tests
TESTS_FILE = "<graded tests>"
PREFIX_FILE = "<prefix>"
COUNT = "__steelyard_asserted__"
MODULE_SET_UPS = frozenset({"setup_module", "teardown_module", "setup_function", "teardown_function"}) | {
    "setUpModule",
    "tearDownModule",
}
SET_UPS = frozenset(f"{when}_{what}" for when in ("setup", "teardown") for what in ("class", "method")) | {
    "setUpClass",
    "tearDownClass",
}
MAKE_NAMES = frozenset({"setattr", "globals", "locals", "vars", "type"})
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
        if asserts(node):
            found[statement_name(node)] = None
        elif isinstance(node, Function) and node.name.startswith("test"):
            found[node.name] = None
        elif isinstance(node, Function) and node.name == CHECK and entry_point:
            found[CHECK] = None
        elif isinstance(node, ast.ClassDef) and holds_tests(node):
            found.update(dict.fromkeys(f"{node.name}.{name}" for name in _methods(node)))
    return list(found) or ([WHOLE] if tree.body else [])


def may_vary(tree: ast.Module) -> bool:
    r"""Whether which tests there are may depend on the answer, as far as the source tells.

    >>> [may_vary(ast.parse(source)) for source in ("def test_a(): pass", "if f():\n  def test_a(): pass")]
    [False, True]
    """
    nodes = list(ast.walk(tree))
    all_tests = sum(isinstance(node, Function) and node.name.startswith("test") for node in nodes)
    named = [name for name in names_of_tests(tree) if name.rpartition(".")[2].startswith("test")]
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    return all_tests > len(named) or bool(used & MAKE_NAMES)


def asserts(statement: ast.stmt) -> bool:
    r"""Whether a statement outside of all functions asserts: it is a test of its own.

    >>> [asserts(node) for node in ast.parse("for x in f():\n  assert x\nx = 1\ndef g():\n  assert x").body]
    [True, False, False]
    """
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if is_assertion(node) or expects_error(node):
            return True
        if is_main_guard(node):
            waiting.extend(node.orelse)
        elif not isinstance(node, Function | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))
    return False


def runs_nothing(tree: ast.Module) -> bool:
    r"""Whether tests without a name only define what is never called, as when `test` was forgotten in a name.

    >>> runs_nothing(ast.parse("def check_small():\n    assert f(1) == 2"))
    True
    >>> runs_nothing(ast.parse("def check_small():\n    assert f(1) == 2\ncheck_small()"))
    False
    >>> runs_nothing(ast.parse("if __name__ == '__main__':\n    assert f(1) == 2"))
    True
    >>> runs_nothing(ast.parse("import random\nrandom.seed(1)\ndef check_small():\n    assert f(1) == 2"))
    True
    >>> runs_nothing(ast.parse("def unused(): pass\nif add(1, 2) != 3: raise ValueError"))
    False
    >>> runs_nothing(ast.parse("def check(): assert f(1) == 2\nCHECKS = [check]"))
    True
    >>> runs_nothing(ast.parse("def check(): assert f(1) == 2\ndone = check()"))
    False
    >>> runs_nothing(ast.parse("'>>> f(1)'")), runs_nothing(ast.parse("import solution"))
    (True, False)
    """
    if names_of_tests(tree) != [WHOLE] or any(map(_may_hold_tests, tree.body)):
        return False
    idle = [node for node in tree.body if isinstance(node, Function | ast.ClassDef) or is_main_guard(node)]
    rest = [node for node in tree.body if node not in idle and not _is_docstring(node)]
    acts = [node for node in rest if not isinstance(node, ast.Assign | ast.AnnAssign)]
    calls = [call for node in rest for call in ast.walk(node) if isinstance(call, ast.Call)]
    used = _names_used([*acts, *calls]) - _names_of_library(tree)
    return (bool(idle) or not rest) and not used


def _names_used(statements: Sequence[ast.AST]) -> set[str]:
    """Return the names that statements look up and do not define."""
    names = [name for node in statements for name in ast.walk(node) if isinstance(name, ast.Name)]
    loaded = {name.id for name in names if isinstance(name.ctx, ast.Load)}
    return loaded.difference(name.id for name in names if isinstance(name.ctx, ast.Store)) - set(
        vars(builtins)
    )


def _names_of_library(tree: ast.Module) -> set[str]:
    """Return the names that are imported from the standard library."""
    found = [names for node in ast.walk(tree) for names in imports(node)]
    return {here for here, there in found if there.partition(".")[0] in sys.stdlib_module_names}


def imports(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Give each name that an import binds, with what it stands for."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            top = alias.name.partition(".")[0]
            yield (alias.asname, alias.name) if alias.asname else (top, top)
    elif isinstance(node, ast.ImportFrom) and not node.level:  # or else it is the case's own
        for alias in node.names:
            yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _may_hold_tests(node: ast.stmt) -> bool:
    """Whether this is a class that has tests from another class, within one, or under another name."""
    if isinstance(node, ast.ClassDef) and holds_tests(node):
        within = [item for item in node.body if isinstance(item, Function | ast.ClassDef)]
        return _inherits(node) or any(
            holds_tests(item) if isinstance(item, ast.ClassDef) else item.name == "runTest" for item in within
        )
    return False


def never_awaited(tree: ast.Module) -> list[str]:
    r"""Return the tests whose bodies nothing would run: those that yield, and async ones of a plain TestCase.

    >>> never_awaited(ast.parse("def test_a():\n  yield\nclass T(TestCase):\n  async def test_b(self): pass"))
    ['test_a', 'test_b']
    """
    found: list[Function] = [node for node in tree.body if isinstance(node, Function)]
    lost: list[Function] = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and holds_tests(node):
            methods = [item for item in node.body if isinstance(item, Function)]
            found += methods
            bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
            lost += [
                item for item in methods if "TestCase" in bases and isinstance(item, ast.AsyncFunctionDef)
            ]
    lost += filter(_yields, found)
    return [node.name for node in sorted(lost, key=_line) if node.name.startswith("test")]


def _line(node: ast.stmt) -> int:
    return node.lineno


def _yields(function: Function) -> bool:
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, Function | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))
    return False


def is_main_guard(node: ast.AST) -> TypeGuard[ast.If]:
    """Whether a statement is `if __name__ == "__main__"`, which is never true of graded tests."""
    return isinstance(node, ast.If) and ast.unparse(node.test) in {
        "__name__ == '__main__'",
        "'__main__' == __name__",
    }


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def statement_name(node: ast.stmt) -> str:
    """Return the name of a statement that asserts outside every function."""
    return f"line {node.lineno}"


def holds_tests(node: ast.ClassDef) -> bool:
    """Whether a class looks like one of tests."""
    bases = [base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in node.bases]
    return node.name.startswith("Test") or any(name.endswith("TestCase") for name in bases)


def _inherits(node: ast.ClassDef) -> bool:
    """Whether a class of tests may have them from another class."""
    bases = [ast.unparse(base) for base in node.bases]
    return any(base != "object" and not base.endswith("TestCase") for base in bases)


def _methods(node: ast.ClassDef) -> list[str]:
    return [item.name for item in node.body if isinstance(item, Function) and item.name.startswith("test")]


def wanted_names(source: str, *, module: str, entry_point: str = "") -> set[str]:
    r"""Return the names that tests use and do not define, those imported from the answer among them.

    >>> sorted(wanted_names("def ref(g): return g\nassert f(len(ref(3))) == g(x=3)", module="solution"))
    ['f', 'g']
    >>> wanted_names("assert sum(10, 15) == 6", module="solution")
    {'sum'}
    """
    tree = ast.parse(source)
    used, bound = global_names(source)
    wanted = used - bound - set(vars(builtins))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == module:
            wanted.add(node.attr)
        elif isinstance(node, ast.ImportFrom) and node.module == module:
            wanted.update(alias.name for alias in node.names)
    return wanted if wanted or entry_point else _builtin_under_test(tree, bound)


def global_names(source: str) -> tuple[set[str], set[str]]:
    """Return the names that are looked up outside every function, and those that are given a value there."""
    used, bound = set[str](), set[str]()
    tables = [symtable.symtable(source, TESTS_FILE, "exec")]
    for table in tables:
        tables += table.get_children()
        for symbol in table.get_symbols():
            if not symbol.is_global() and table.get_type() != "module":
                continue
            if symbol.is_referenced():
                used.add(symbol.get_name())
            if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace():
                bound.add(symbol.get_name())
    return used, bound


def _builtin_under_test(tree: ast.Module, bound: set[str]) -> set[str]:
    """Return the one builtin that tests call, if there is nothing else that they could be about."""
    nodes = list(ast.walk(tree))
    if any(isinstance(node, ast.Import | ast.ImportFrom) for node in nodes):
        return set()
    names = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    called = (names - bound).intersection(vars(builtins))
    return called if len(called) == 1 else set()


def library_modules(tree: ast.Module) -> set[str]:
    r"""Return the names that tests use only as modules of the standard library, imported or not.

    >>> sorted(library_modules(ast.parse("assert math.isclose(f(2), 4)\nassert copy(3) == copy.x")))
    ['math']
    """
    before_a_dot = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    other = {node.id for node in names if id(node) not in before_a_dot}
    return {node.id for node in names if node.id in sys.stdlib_module_names} - other


def is_assertion(node: ast.AST) -> TypeGuard[ast.Assert | ast.Expr]:
    """Whether a statement asserts: `assert`, or a call such as `self.assertEqual(…)` or `assert_equal(…)`."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return _called_name(node.value).startswith("assert")
    return isinstance(node, ast.Assert)


def expects_error(node: ast.AST) -> bool:
    """Whether a block expects an error: `with pytest.raises(…)`, `with self.assertRaises(…)` and the like."""
    calls = [item.context_expr for item in node.items] if isinstance(node, ast.With) else []
    names = [_called_name(call) for call in calls if isinstance(call, ast.Call)]
    return any(name == "raises" or name.startswith("assert") for name in names)


def _called_name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def assertion_lines(source: str) -> frozenset[int]:
    r"""Return the lines on which assertions stand.

    >>> sorted(assertion_lines("assert (f() ==\n  2)\nx = 1\nself.assertTrue(x)"))
    [1, 2, 4]
    """
    found = [node for node in ast.walk(ast.parse(source)) if is_assertion(node)]
    return frozenset(
        line for node in found for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    )


def needs_pytest(tree: ast.Module) -> bool:
    """Whether tests ask for pytest: by name, by parameters for fixtures, or by what it alone calls."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and any(alias.name.startswith("pytest") for alias in node.names):
            return True
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pytest"):
            return True
    if _sets_up(tree):
        return True
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and holds_tests(node)]
    if any(isinstance(item, ast.ClassDef) and holds_tests(item) for node in classes for item in node.body):
        return True
    plain = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name.startswith("Test")]
    methods = [item for node in plain if not node.bases for item in node.body]
    return any(map(_has_parameters, tree.body)) or any(_has_parameters(node, bound=1) for node in methods)


def _sets_up(tree: ast.Module) -> bool:
    """Whether a module, or a class in it, is set up by a function that has a name for that."""
    within = [item for node in tree.body if isinstance(node, ast.ClassDef) for item in node.body]
    return any(isinstance(node, Function) and node.name in MODULE_SET_UPS for node in tree.body) or any(
        isinstance(node, Function) and node.name in SET_UPS for node in within
    )


def _has_parameters(node: ast.stmt, *, bound: int = 0) -> bool:
    """Whether a test has parameters without defaults, besides those that it is bound to."""
    if not isinstance(node, Function) or not node.name.startswith("test"):
        return False
    return len(node.args.args) - bound > len(node.args.defaults)


def defines_tests(tree: ast.Module) -> bool:
    """Whether there is something for pytest to collect: a script with `pytest.raises` runs without it."""
    return any(
        holds_tests(node)
        if isinstance(node, ast.ClassDef)
        else isinstance(node, Function) and node.name.startswith("test")
        for node in ast.walk(tree)
    )
