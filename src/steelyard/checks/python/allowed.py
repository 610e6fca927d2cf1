"""Say what graded tests may use where they are apart from the answer: the modules of a short list.

The grader runs no code of the answer, since nothing but values crosses. So tests must not use what turns a
text or a file into code, and what looks at its process would look at the wrong one. A list of all that is bad
is never complete; this one names what is known to be good. Nothing is run here.
"""

import ast
import builtins
from collections.abc import Iterator, Mapping

from steelyard.checks.python.grader_runtime.collect import Function, is_main_guard

ALL = "*"
# Modules by what tests may take from them. Each name was looked at: none runs a text or a file.
NAMES = {
    **dict.fromkeys(
        (
            *("__future__", "array", "base64", "binascii", "bisect", "calendar", "cmath", "collections"),
            *("colorsys", "copy", "csv", "datetime", "difflib", "fractions", "functools", "glob", "hashlib"),
            *("heapq", "hmac", "html", "ipaddress", "itertools", "json", "keyword", "math", "numbers"),
            *("operator", "pathlib", "pprint", "queue", "re", "secrets", "shutil", "stat", "statistics"),
            *(
                "string",
                "struct",
                "tempfile",
                "textwrap",
                "time",
                "unicodedata",
                "uuid",
                "zipfile",
                "zlib",
                "zoneinfo",
            ),
            "sortedcontainers",
        ),
        ALL,
    ),
    "ast": "literal_eval parse",
    "contextlib": "contextmanager nullcontext redirect_stderr redirect_stdout suppress",
    "decimal": "Decimal DivisionByZero InvalidOperation ROUND_DOWN ROUND_HALF_EVEN ROUND_HALF_UP ROUND_UP",
    "hypothesis": "HealthCheck Phase assume event example given note seed settings strategies target",
    "io": "BytesIO StringIO",
    "logging": "CRITICAL DEBUG ERROR INFO WARNING basicConfig disable getLogger",
    "numpy": "abs all allclose any arange argsort around array array_equal bool_ concatenate cumsum diff "
    "dot exp eye float32 float64 floating full hstack inf int32 int64 integer isclose isfinite isinf isnan "
    "linalg linspace log max mean median min nan ndarray number ones pi prod random ravel reshape round sort "
    "sqrt std sum testing.assert_allclose testing.assert_almost_equal testing.assert_array_almost_equal "
    "testing.assert_array_equal testing.assert_equal transpose unique var vstack where zeros",
    "os": "F_OK R_OK W_OK access chmod getcwd linesep listdir makedirs mkdir path remove rename replace "
    "rmdir scandir sep stat unlink urandom walk",
    "pytest": "CaptureFixture ExceptionInfo FixtureRequest TempPathFactory approx fail fixture param "
    "raises skip mark.integration mark.parametrize mark.skip mark.slow mark.timeout mark.unit "
    "mark.usefixtures",
    "random": "Random choice choices gauss getrandbits randint random randrange sample seed shuffle uniform",
    "sqlite3": "Error IntegrityError OperationalError Row connect",
    "sys": "__stderr__ __stdout__ byteorder float_info maxsize maxunicode stderr stdout version_info",
    "typing": "Any Callable ClassVar Collection Container Counter DefaultDict Deque Dict Final FrozenSet "
    "Generator Generic Hashable Iterable Iterator List Literal Mapping MutableMapping MutableSequence "
    "NoReturn Optional Self Sequence Set Sized TYPE_CHECKING Text Tuple Type TypeVar Union cast",
    "unittest": "FunctionTestCase SkipTest TestCase TestLoader TestSuite TextTestRunner defaultTestLoader "
    "expectedFailure makeSuite skip skipIf skipUnless",
    "warnings": "filterwarnings simplefilter",
    "xml": "etree",
}
MODULES = {module: frozenset(names.split()) for module, names in NAMES.items()}
# Methods that look for what the answer says or does in the grader, where it is not, or that load code.
METHODS = frozenset(
    {
        *(
            "assertWarns",
            "assertWarnsRegex",
            "assertLogs",
            "assertNoLogs",
            "discover",
            "enable_load_extension",
        ),
        *("exec_module", "load_module", "loadTestsFromName", "loadTestsFromNames"),
    }
)
BUILTINS = frozenset({"__import__", "breakpoint", "compile", "eval", "exec", "input"})
FIXTURES = frozenset({"caplog", "capfd", "monkeypatch", "pytester", "recwarn"})


def not_allowed(tree: ast.Module, *, own: frozenset[str] = frozenset()) -> Iterator[str]:
    r"""Give what tests use that they may not use apart; `own` are names and modules of case and answer.

    >>> list(not_allowed(ast.parse("from os import environ as e, path\nassert path.exists(e['A'])")))
    ['os.environ']
    >>> list(not_allowed(ast.parse("import pickle\nasync def test_it(): assert eval(f()) == 1")))
    ['async', 'eval']
    """
    nodes = [node for part in tree.body if not is_main_guard(part) for node in ast.walk(part)]
    imported = {here: there for node in nodes for here, there in _imports(node)}
    defined = own | {
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    defined |= {node.name for node in nodes if isinstance(node, Function | ast.ClassDef)}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            yield from (
                name for name in _imported_from(node) if name[-2:] == ".*" and not _is_fine(name, own)
            )
        elif isinstance(node, ast.Attribute):
            name = _dotted(node, imported)
            if node.attr in METHODS or (name and not _is_fine(name, own)):
                yield name or node.attr
        elif isinstance(node, ast.Name) and not _is_fine(imported.get(node.id, "math"), own):
            yield imported[node.id]
        elif isinstance(node, ast.AsyncFunctionDef | ast.Await):
            yield "async"
        elif isinstance(node, ast.arg) and node.arg in FIXTURES:
            yield node.arg
        elif isinstance(node, ast.Name) and node.id in BUILTINS - defined and hasattr(builtins, node.id):
            yield node.id


def top_imports(tree: ast.Module) -> set[str]:
    """Return the modules that a source imports, without what is behind a dot."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    return {name.partition(".")[0] for node in nodes for name in _imported_from(node)}


def top_module(path: str) -> str:
    """Return the module that a file of a folder is, or is in."""
    return path.partition("/")[0].removesuffix(".py")


def _imports(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Give each name that an import binds, with what it stands for."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            top = alias.name.partition(".")[0]
            yield (alias.asname, alias.name) if alias.asname else (top, top)
    elif isinstance(node, ast.ImportFrom) and not node.level:  # or else it is the case's own
        for alias in node.names:
            yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _imported_from(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [f"{node.module}.{alias.name}" for alias in node.names if not node.level]


def _is_fine(name: str, own: frozenset[str]) -> bool:
    """Whether tests may name this: a module, or what the list has of it, with whatever is behind that."""
    top, _, rest = name.partition(".")
    if top in own:
        return True
    allowed = MODULES.get(top, frozenset())
    if not rest or ALL in allowed:
        return bool(allowed)
    parts = rest.split(".")
    return any(".".join(parts[:length]) in allowed for length in range(1, len(parts) + 1)) or any(
        one.startswith(f"{rest}.") for one in allowed
    )


def _dotted(node: ast.AST, imported: Mapping[str, str]) -> str:
    """Return names joined by dots, if the first one was imported; nothing for other expressions."""
    if isinstance(node, ast.Attribute):
        before = _dotted(node.value, imported)
        return f"{before}.{node.attr}" if before else ""
    return imported.get(node.id, "") if isinstance(node, ast.Name) else ""
