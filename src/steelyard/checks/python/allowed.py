"""Say what graded tests may use where they are apart from the answer: the modules of a short list.

The grader runs no code of the answer, since nothing but values crosses. So tests must not use what turns a
text or a file into code, and what looks at its process would look at the wrong one. A list of all that is bad
is never complete; this one names what is known to be good. Nothing is run here.
"""

import ast
import builtins
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain

from steelyard.checks.python.grader_runtime import collect

ALL = "*"
# Each of these was looked at: nothing in it runs a text or a file.
WHOLE = (
    "__future__ array base64 binascii bisect calendar cmath collections colorsys copy csv",
    "datetime difflib errno fnmatch fractions functools glob hashlib heapq hmac html",
    "ipaddress itertools json keyword math numbers operator pathlib pprint queue re secrets",
    "shutil sortedcontainers stat statistics string struct tempfile textwrap tomllib",
    "unicodedata uuid zipfile zlib zoneinfo",
)
# And so were these names; of their modules tests may take nothing else.
NAMES = {
    "ast": "literal_eval parse",
    "contextlib": "contextmanager nullcontext redirect_stderr redirect_stdout suppress",
    "dataclasses": "FrozenInstanceError dataclass field",
    "decimal": "Decimal DivisionByZero InvalidOperation ROUND_05UP ROUND_CEILING ROUND_DOWN ROUND_FLOOR "
    "ROUND_HALF_DOWN ROUND_HALF_EVEN ROUND_HALF_UP ROUND_UP",
    "hypothesis": "HealthCheck Phase assume event example given note seed settings strategies target",
    "io": "BytesIO StringIO",
    "logging": "CRITICAL DEBUG ERROR INFO WARNING disable",
    "numpy": "abs all allclose any arange argmax argmin argsort around array array_equal asarray "
    "bool_ ceil clip concatenate cos cumsum diff dot exp eye float32 float64 floating floor "
    "full histogram hstack inf int32 int64 integer isclose isfinite isin isinf isnan linalg "
    "linspace log max maximum mean median min minimum nan ndarray number ones percentile pi "
    "prod random ravel reshape round sign sin sort sqrt std sum tan testing.assert_allclose "
    "testing.assert_almost_equal testing.assert_array_almost_equal "
    "testing.assert_array_equal testing.assert_equal transpose uint8 unique var vstack where "
    "zeros",
    "os": "F_OK PathLike R_OK W_OK access chmod fspath linesep listdir makedirs mkdir path remove rename "
    "replace rmdir scandir sep stat unlink urandom walk",
    "pytest": "CaptureFixture ExceptionInfo FixtureRequest TempPathFactory approx fail fixture param "
    "raises skip mark.integration mark.parametrize mark.skip mark.slow mark.unit mark.usefixtures",
    "random": "Random choice choices gauss getrandbits randint random randrange sample seed shuffle uniform",
    "sys": "__stderr__ __stdout__ byteorder float_info getsizeof maxsize maxunicode platform stderr "
    "stdout version_info",
    "time": "asctime ctime gmtime localtime mktime monotonic monotonic_ns perf_counter perf_counter_ns sleep "
    "strftime strptime struct_time time time_ns",
    "typing": "Annotated Any AnyStr Callable ClassVar Collection Container Counter DefaultDict Deque Dict "
    "Final FrozenSet Generator Generic Hashable Iterable Iterator List Literal Mapping "
    "MutableMapping MutableSequence NamedTuple NoReturn Optional Self Sequence Set Sized "
    "TYPE_CHECKING Text Tuple Type TypeVar Union cast",
    "urllib": "parse",
    "unittest": "SkipTest TestCase skip skipIf skipUnless",
    "xml": "etree",
}
MODULES = {
    **dict.fromkeys(" ".join(WHOLE).split(), frozenset({ALL})),
    **{module: frozenset(names.split()) for module, names in NAMES.items()},
}
# Methods and attributes that look for what the answer says or does in the grader, where it is not, or that
# load code.
METHODS = frozenset(
    {
        *("assertLogs", "assertNoLogs", "assertWarns", "assertWarnsRegex", "getfixturevalue"),
        *("__context__", "__notes__"),
    }
)
BUILTINS = frozenset({"__import__", "breakpoint", "compile", "eval", "exec", "input"})
FIXTURES = frozenset(
    {"capfd", "capfdbinary", "caplog", "capteesys", "monkeypatch", "pytester", "recwarn", "testdir"}
)
UNLESS = frozenset({"pathlib.Path.cwd", "pathlib.PosixPath.cwd"})  # the answer's process has its own
SPECIAL = frozenset({"__author__", "__name__", "__version__"})  # of the answer's module
MAY_BE_SET = frozenset({"sys.stdout", "sys.stderr"})  # what the answer prints arrives there
Imported = Mapping[str, AbstractSet[str]]  # what each name may stand for


def not_allowed(
    sources: Sequence[str], *, own: AbstractSet[str] = frozenset(), files: AbstractSet[str] = frozenset()
) -> Iterator[str]:
    r"""Give what tests use that they may not use apart, in their own source and those of prefix and files.

    `own` are names and modules of the answer, `files` modules of the case. A name counts as everything that
    one of the sources imports under it: tests get names from the others.

    >>> list(not_allowed(["from os import environ as e, path\nassert path.exists(e['A'])"]))
    ['os.environ']
    >>> list(not_allowed(["import pickle\nasync def test_it(): assert eval(f()) == 1"]))
    ['eval', 'async']
    """
    trees = [ast.parse(source) for source in sources]
    imported = defaultdict[str, set[str]](set)
    unknown, known = set[str](), set[str]()
    for source, tree in zip(sources, trees, strict=True):
        used, bound = collect.global_names(source)
        for name in collect.library_modules(tree).intersection(used - bound, MODULES):
            imported[name].add(name)  # the grader imports what the tests forgot to
        for here, there in chain.from_iterable(map(collect.imports, ast.walk(tree))):
            imported[here].add(there)
        yield from sorted((used - bound - own) & BUILTINS)
        unknown |= used - set(vars(builtins))
        known |= bound
    found = _Uses(imported, own | files, files, unknown - known)
    for tree in trees:
        for part in tree.body:
            for node in part.orelse if collect.is_main_guard(part) else [part]:
                yield from found.not_allowed_in(node)


class _Uses:
    """What sources use, by the names that they import."""

    def __init__(
        self,
        imported: Imported,
        own: AbstractSet[str],
        files: AbstractSet[str],
        answers: AbstractSet[str],
    ) -> None:
        self._imported = imported
        self._answers = answers  # names that nothing else defines
        self._own = own
        self._files = files

    def not_allowed_in(self, tree: ast.AST) -> Iterator[str]:
        """Give what a statement uses and may not."""
        nodes = list(ast.walk(tree))
        before_a_dot = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
        for node in nodes:
            match node:
                case ast.ImportFrom():
                    yield from (
                        name
                        for name in _imported_from(node)
                        if (name[-2:] == ".*" and not self._is_fine(name)) or self._is_of_module(name)
                    )
                case ast.ClassDef():  # from there it can be had under other names
                    inner = chain.from_iterable(map(collect.imports, node.body))
                    yield from (name for _, name in inner if not self._is_whole(name))
                case ast.Attribute():
                    yield from self._attribute(node)
                case ast.Name(ctx=ast.Load()) if id(node) not in before_a_dot:
                    yield from (name for name in self._meanings(node) if not self._is_whole(name))
                case ast.MatchClass(cls=named) if self._is_answers(named):
                    yield f"case {ast.unparse(named)}(…)"  # which asks Python, and not the answer
                case ast.AsyncFunctionDef() | ast.Await():
                    yield "async"
                case ast.arg() if node.arg in FIXTURES:
                    yield node.arg

    def _is_answers(self, node: ast.AST) -> bool:
        name = isinstance(node, ast.Name) and node.id in self._answers
        return name or any(map(self._is_of_answer, self._meanings(node)))

    def _attribute(self, node: ast.Attribute) -> Iterator[str]:
        names, is_set = self._meanings(node), not isinstance(node.ctx, ast.Load)
        for name in names:
            if not self._is_fine(name) or self._is_of_module(name):
                yield name
            elif is_set and not self._is_own(name) and name not in MAY_BE_SET:
                yield f"{name} = …"  # it would be replaced for the tests and not for the answer
        if node.attr in METHODS and not any(map(self._is_own, names)):
            yield node.attr

    def _meanings(self, node: ast.AST) -> list[str]:
        """Return what names joined by dots may stand for, if the first one was imported."""
        if isinstance(node, ast.Attribute):
            before = self._meanings(node.value)
            of_file = {name.partition(".")[0] for name in before} & self._files
            within = self._imported.get(node.attr, ()) if of_file else ()
            return sorted({*(f"{name}.{node.attr}" for name in before), *within})
        return sorted(self._imported.get(node.id, ())) if isinstance(node, ast.Name) else []

    def _is_own(self, name: str) -> bool:
        return name.partition(".")[0] in self._own

    def _is_of_answer(self, name: str) -> bool:
        return name.partition(".")[0] in self._own - self._files

    def _is_of_module(self, name: str) -> bool:
        """Whether this is what the answer's module says of itself; here there is another in its place."""
        rest = name.partition(".")[2]
        is_special = rest.startswith("__") and rest.endswith("__") and "." not in rest
        return is_special and rest not in SPECIAL and self._is_of_answer(name)

    def _is_fine(self, name: str) -> bool:
        """Whether tests may name this: a module, or what the list has of it, with whatever is behind that."""
        top, _, rest = name.partition(".")
        if top in self._own:
            return True
        allowed = MODULES.get(top, frozenset())
        if not rest or ALL in allowed:
            return bool(allowed) and name not in UNLESS
        parts = rest.split(".")
        return any(".".join(parts[:length]) in allowed for length in range(1, len(parts) + 1)) or any(
            one.startswith(f"{rest}.") for one in allowed
        )

    def _is_whole(self, name: str) -> bool:
        """Whether tests may have this as a value: of a module with a few names they may name only these."""
        top, _, rest = name.partition(".")
        return self._is_fine(name) and (bool(rest) or self._is_own(top) or ALL in MODULES[top])


def top_imports(tree: ast.Module) -> set[str]:
    """Return the modules that a source imports, without what is behind a dot."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    return {name.partition(".")[0] for node in nodes for name in _imported_from(node)}


def top_module(path: str) -> str:
    """Return the module that a file of a folder is, or is in."""
    return path.partition("/")[0].removesuffix(".py")


def _imported_from(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [f"{node.module}.{alias.name}" for alias in node.names if not node.level]
