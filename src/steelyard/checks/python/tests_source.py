"""Read the source of graded tests: how they are run, and which tests they define. Nothing is executed."""

import ast
import builtins
import re
import symtable
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

CHECK = "check"  # HumanEval's test function, called with the answer's function
SCRIPT = "script"  # the name of the only test in a script without assertions of its own
UNITTEST_SUFFIX = "TestCase"
# Tests that start a server or a client of one need a network of their own, if only to themselves.
LOOPBACK = re.compile(r"\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0|socketserver|http\.server|create_server)\b")
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Runner(StrEnum):
    """What runs the tests."""

    PYTEST = "pytest"  # test functions and classes, those of unittest too
    SCRIPT = "script"  # top-level assertions, or `check(candidate)`


@dataclass(frozen=True, slots=True, kw_only=True)
class TestsSource:
    """Graded tests, read once."""

    source: str
    runner: Runner
    names: tuple[str, ...]  # of the tests, as far as the source shows
    lines: frozenset[int]  # of a script's top-level statements that assert
    imported: frozenset[str]  # top-level modules
    undefined: frozenset[str]  # names that the tests use and do not define: the answer's, without an import
    needs_loopback: bool
    is_idle: bool  # whether running them would call nothing
    helper_assertions: int = 0  # in other files of the case, which are not sealed

    __test__ = False  # for pytest, which would collect this class by its name


def read_source(source: str, *, entry_point: str = "") -> TestsSource:
    r"""Read tests; raises SyntaxError or ValueError if they are not Python.

    >>> found = read_source("from shapes import area\ndef test_area():\n    assert area(2) == 4")
    >>> found.runner, found.names, sorted(found.imported)
    (<Runner.PYTEST: 'pytest'>, ('test_area',), ['shapes'])
    >>> read_source("assert f(1) == 2\nassert f(2) == 3").names
    ('line 1', 'line 2')
    """
    tree = ast.parse(source)
    is_check = bool(entry_point) and any(_is_function(node, CHECK) for node in tree.body)
    runner = Runner.PYTEST if not is_check and _is_for_pytest(tree) else Runner.SCRIPT
    is_script = runner is Runner.SCRIPT
    lines = dict.fromkeys(node.lineno for node in tree.body if is_script and _asserts(node))
    names = [f"line {line}" for line in lines] if is_script else _test_names(tree.body)
    if is_check:
        names.append(CHECK)
    elif is_script and not names and tree.body:
        names = [SCRIPT]
    return TestsSource(
        source=source,
        runner=runner,
        names=tuple(names),
        lines=frozenset(lines),
        imported=frozenset(_imported(tree)),
        undefined=frozenset(_undefined_names(source)),
        needs_loopback=bool(LOOPBACK.search(source)),
        is_idle=bool(tree.body)
        and names in ([], [SCRIPT])
        and not (_defines_tests(tree) or any(map(_acts, tree.body))),
    )


def count_assertions(source: str) -> int:
    r"""Return how many assertions a helper file has, 0 if it is not Python.

    >>> count_assertions("def check(x):\n    assert x\n    assert_close(x, 1)")
    2
    """
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError):
        return 0
    return sum(isinstance(node, ast.Assert) or _is_assertion_call(node) for node in nodes)


def called_name(call: ast.expr) -> str:
    """Return the last part of the name of a called function.

    >>> called_name(ast.parse("self.assertEqual(1, 2)", mode="eval").body)
    'assertEqual'
    """
    if not isinstance(call, ast.Call):
        return ""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _is_function(node: ast.stmt, prefix: str) -> bool:
    return isinstance(node, Function) and node.name.startswith(prefix)


def _is_for_pytest(tree: ast.Module) -> bool:
    """Whether there is anything for pytest to collect, be it imported from another file."""
    if _defines_tests(tree) or any(map(_asserts, tree.body)):
        return _defines_tests(tree)
    # Without a statement that runs anything, tests can only be imported or made, such as `test_a = make(f)`.
    return not any(isinstance(node, ast.Expr | ast.If | ast.For | ast.With | ast.Try) for node in _code(tree))


def _defines_tests(tree: ast.Module) -> bool:
    """Whether there is a test function or a class of tests."""
    return any(
        _is_test_class(node) if isinstance(node, ast.ClassDef) else _is_function(node, "test")
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt)
    )


def _code(tree: ast.Module) -> list[ast.stmt]:
    """Return the top-level statements except docstrings."""
    return [
        node
        for node in tree.body
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    ]


def _is_test_class(node: ast.ClassDef) -> bool:
    bases = [ast.unparse(base) for base in node.bases]
    return node.name.startswith("Test") or any(base.endswith(UNITTEST_SUFFIX) for base in bases)


def _test_names(body: Iterable[ast.stmt], owner: str = "") -> list[str]:
    """Return the names of test functions, and of those in classes."""
    names: list[str] = []
    for node in body:
        if _is_function(node, "test"):
            names.append(f"{owner}{getattr(node, 'name', '')}")
        elif isinstance(node, ast.ClassDef) and _is_test_class(node):
            names += _test_names(node.body, f"{owner}{node.name}.")
    return names


def _asserts(statement: ast.stmt) -> bool:
    """Whether a statement asserts something when it is executed, functions that it defines left aside."""
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Assert) or _is_assertion_call(node):
            return True
        if not isinstance(node, Function | ast.ClassDef | ast.Lambda):
            pending.extend(ast.iter_child_nodes(node))
    return False


def _is_assertion_call(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr):
        return called_name(node.value).startswith("assert")
    if isinstance(node, ast.With | ast.AsyncWith):
        names = [called_name(item.context_expr) for item in node.items]
        return any(name == "raises" or name.startswith("assert") for name in names)
    return False


def _acts(node: ast.stmt) -> bool:
    """Whether a top-level statement may run or bring tests: definitions and constants do not."""
    if isinstance(node, Function | ast.ClassDef | ast.Import):
        return False
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").partition(".")[0] not in sys.stdlib_module_names
    return any(isinstance(inner, ast.Call | ast.Raise) for inner in ast.walk(node))


def _imported(tree: ast.Module) -> Iterator[str]:
    """Yield the top-level modules that the tests import, or patch and load by name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
        elif isinstance(node, ast.Call) and called_name(node) in {"import_module", "__import__"}:
            first = node.args[0] if node.args else None
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value.partition(".")[0]


def _undefined_names(source: str) -> set[str]:
    """Return global names that are used and never bound, built-in ones left aside."""
    used, bound = set[str](), set(vars(builtins)) | {"__file__"}
    tables = [symtable.symtable(source, "<tests>", "exec")]
    for table in tables:
        tables += table.get_children()
        for symbol in table.get_symbols():
            if not symbol.is_global() and table.get_type() != "module":
                continue
            if symbol.is_referenced():
                used.add(symbol.get_name())
            if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace():
                bound.add(symbol.get_name())
    return used - bound
