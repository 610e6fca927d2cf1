"""Parse graded tests: which runner they need, and which tests they define. Executes nothing."""

import ast
import builtins
import re
import symtable
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from steelyard.checks.toolchains.python.sealing.sites import find_sites
from steelyard.checks.toolchains.python.sealing.syntax import Function, Module, called_name, parse_module

CHECK = "check"  # HumanEval's test function, called with the answer's function
SCRIPT = "script"  # the name of the only test in a script without assertions of its own
UNITTEST_SUFFIX = "TestCase"
# Tests that start a server, or a client of one, get a private loopback interface.
LOOPBACK = re.compile(r"\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0|socketserver|http\.server|create_server)\b")


class Runner(StrEnum):
    """What runs the tests."""

    PYTEST = "pytest"  # test functions and classes, those of unittest too
    SCRIPT = "script"  # top-level assertions, or `check(candidate)`


@dataclass(frozen=True, slots=True, kw_only=True)
class TestsSource:
    """Graded tests, parsed."""

    source: str
    runner: Runner
    names: tuple[str, ...]  # of the tests that the source defines
    lines: frozenset[int]  # of a script's top-level statements that assert
    imported: frozenset[str]  # top-level modules
    undefined: frozenset[str]  # names that the tests use without an import: those of the answer
    needs_loopback: bool
    is_idle: bool  # whether running them would call nothing
    helper_assertions: int = 0  # in other files of the case, which are not sealed

    __test__ = False  # for pytest, which would collect this class by its name


def read_source(source: str, *, entry_point: str = "") -> TestsSource:
    r"""Parse tests; raises SyntaxError or ValueError if they are not Python.

    >>> tests = read_source("from shapes import area\ndef test_area():\n    assert area(2) == 4")
    >>> tests.runner, tests.names, sorted(tests.imported)
    (<Runner.PYTEST: 'pytest'>, ('test_area',), ['shapes'])
    >>> read_source("assert f(1) == 2\nassert f(2) == 3").names
    ('line 1', 'line 2')
    """
    source = source.removeprefix("\ufeff")
    module = parse_module(source)
    body = module.tree.body
    lines = _asserting_lines(module)
    is_check = bool(entry_point) and any(_is_function(node, CHECK) for node in body)
    is_script = is_check or bool(not _defines_tests(module) and (lines or any(map(_runs, body))))
    names = [f"line {line}" for line in lines] if is_script else _test_names(body)
    if is_check:
        names.append(CHECK)
    is_idle = not names and bool(body) and not (_defines_tests(module) or any(map(_acts, body)))
    return TestsSource(
        source=source,
        runner=Runner.SCRIPT if is_script else Runner.PYTEST,
        names=tuple(names or [SCRIPT] * (is_script and bool(body))),
        lines=frozenset(lines if is_script else ()),
        imported=frozenset(_imported(module)),
        undefined=frozenset(_undefined_names(source)),
        needs_loopback=bool(LOOPBACK.search(source)),
        is_idle=is_idle,
    )


def count_assertions(source: str) -> int:
    r"""Return how many assertions a helper file has, 0 if it is not Python.

    >>> count_assertions("def check(x):\n    assert x\n    assert_close(x, 1)")
    2
    """
    try:
        return len(find_sites(parse_module(source.removeprefix("\ufeff"))))
    except (SyntaxError, ValueError):
        return 0


def _asserting_lines(module: Module) -> list[int]:
    """Return the lines of top-level statements that contain assertions."""
    lines = dict[int, None]()
    for site in find_sites(module):
        *parents, (_, statement) = module.around(site.node)
        if not any(isinstance(parent, Function | ast.ClassDef | ast.Lambda) for parent, _ in parents):
            lines[getattr(statement, "lineno", 0)] = None
    return list(lines)


def _defines_tests(module: Module) -> bool:
    """Whether a module defines a test function or test class."""
    return any(
        _is_test_class(node) if isinstance(node, ast.ClassDef) else _is_function(node, "test")
        for node in module.nodes
    )


def _is_function(node: ast.AST, prefix: str) -> bool:
    return isinstance(node, Function) and node.name.startswith(prefix)


def _is_test_class(node: ast.ClassDef) -> bool:
    bases = [ast.unparse(base) for base in node.bases]
    return node.name.startswith("Test") or any(base.endswith(UNITTEST_SUFFIX) for base in bases)


def _test_names(body: Iterable[ast.stmt], owner: str = "") -> list[str]:
    """Return the names of test functions and test methods."""
    names: list[str] = []
    for node in body:
        if _is_function(node, "test"):
            names.append(f"{owner}{getattr(node, 'name', '')}")
        elif isinstance(node, ast.ClassDef) and _is_test_class(node):
            names += _test_names(node.body, f"{owner}{node.name}.")
    return names


def _runs(node: ast.stmt) -> bool:
    """Whether a top-level statement executes more than a definition or an assignment."""
    is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return isinstance(node, ast.Expr | ast.If | ast.For | ast.With | ast.Try) and not is_docstring


def _acts(node: ast.stmt) -> bool:
    """Whether a top-level statement may run or import tests: not a definition or a constant."""
    if isinstance(node, Function | ast.ClassDef | ast.Import):
        return False
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").partition(".")[0] not in sys.stdlib_module_names
    return any(isinstance(inner, ast.Call | ast.Raise) for inner in ast.walk(node))


def _imported(module: Module) -> set[str]:
    """Return the top-level modules that the tests import, by statement or by name."""
    targets = [target for targets in module.imports.values() for target in targets]
    for node in module.nodes:
        match node:
            case ast.Call(args=[ast.Constant(value=str(name)), *_]):
                targets += [name] if called_name(node) in {"import_module", "__import__"} else []
            case ast.ImportFrom(module=str(name), level=0):
                targets.append(name)
    return {target.partition(".")[0] for target in targets} - {""}


def _undefined_names(source: str) -> set[str]:
    """Return global names that are used and never bound, except built-in ones."""
    used, bound = set[str](), set(vars(builtins)) | {"__file__"}
    tables = [symtable.symtable(source, "<tests>", "exec")]
    for table in tables:
        tables += table.get_children()
        for symbol in table.get_symbols():
            if symbol.is_global() or table.get_type() == "module":
                used |= {symbol.get_name()} if symbol.is_referenced() else set()
                is_bound = symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
                bound |= {symbol.get_name()} if is_bound else set()
    return used - bound
