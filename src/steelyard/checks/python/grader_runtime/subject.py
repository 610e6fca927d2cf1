"""Let tests find the answer: by the bare names they use, and as a module they import.

What the tests define themselves, the prompt's own code and the builtins come first: an answer that defines
`len` or redefines a function of the prompt changes nothing for the tests.
"""

import ast
import importlib
import importlib.machinery
import importlib.util
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from importlib._abc import Loader  # what importlib.abc has, without the half of the library it brings along
from typing import Any

from steelyard.checks.python.grader_runtime.answer import new_module
from steelyard.checks.python.grader_runtime.collect import PREFIX_FILE, TESTS

# Modules whose classes and functions tests use without importing them, because the answer has done so.
HOMES = frozenset(
    {
        *("bisect", "collections", "copy", "dataclasses", "datetime", "decimal", "enum", "fractions"),
        *("functools", "heapq", "itertools", "json", "math", "operator", "re", "statistics", "string"),
        *("typing", "_operator", "json.decoder"),
    }
)


OWN_SCOPE = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class AnswerModule(types.ModuleType):
    """The answer, as a module whose contents live in the other process."""

    def __init__(self, name: str, there: object, names: list[str]) -> None:
        super().__init__(name)
        vars(self).update(_there=there, __all__=names)

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(vars(self)["_there"], name)

    def __setattr__(self, name: str, value: object) -> None:
        if name.startswith("__"):
            super().__setattr__(name, value)
        else:
            setattr(vars(self)["_there"], name, value)

    def __delattr__(self, name: str) -> None:
        delattr(vars(self)["_there"], name)


class GivenModules(Loader):
    """Imports the case's files for the tests from memory: the folder they lie in is the answer's to fill."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = sources

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002  # the import system's signature
        target: types.ModuleType | None = None,  # noqa: ARG002  # as above
    ) -> importlib.machinery.ModuleSpec | None:
        """Find a module among the case's files."""
        here = fullname.replace(".", "/")
        for file, is_package in ((f"{here}.py", False), (f"{here}/__init__.py", True)):
            if file in self._sources:
                return importlib.util.spec_from_loader(fullname, self, origin=file, is_package=is_package)
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        """Run a module's source."""
        file = (module.__spec__ and module.__spec__.origin) or ""
        exec(compile(self._sources[file], file, "exec", dont_inherit=True), module.__dict__)  # noqa: S102


def library_names(code: str) -> dict[str, object]:
    r"""Return what an answer has merely imported from the library, our own, by the names it has there.

    Its text is what counts: a function may say of itself that it comes from `math`.

    >>> sorted(library_names("from math import gcd, pi as p\ndef gcd(a, b): return 0"))
    ['p']
    """
    tree = ast.parse(code)
    bound = set(_bound(tree))
    found: dict[str, object] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in HOMES and not node.level:
            module = importlib.import_module(node.module)
            names = {alias.asname or alias.name: alias.name for alias in node.names}
            if "*" in names:
                names = {name: name for name in vars(module) if not name.startswith("_")}
            found |= {here: getattr(module, there) for here, there in names.items() if hasattr(module, there)}
    return {name: thing for name, thing in found.items() if name not in bound}


def _is_from_home(thing: object) -> bool:
    """Whether something of the answer says that it comes from the library."""
    home = getattr(thing, "__module__", None)
    return type(home) is str and home in HOMES


def _bound(module: ast.Module) -> Iterator[str]:
    """Give the names of a module for something of its own; those within its functions are others."""
    waiting: list[ast.AST] = [module]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif not isinstance(node, OWN_SCOPE):
            waiting.extend(ast.iter_child_nodes(node))
    for node in ast.walk(module):
        if isinstance(node, ast.Global):
            yield from node.names


def namespace(job: Mapping[str, Any], there: object, names: list[str]) -> types.ModuleType:
    """Return the module in which the tests run, with the names of the answer that they want.

    `library` are names that stand for modules of the standard library, for those tests that forgot an import.
    """
    demanded, wanted = set(job["demanded"]), set(job["wanted"]).intersection(names)
    module = new_module(TESTS)
    sys.modules[TESTS] = module
    _run_prefix(job["prefix"], module)
    for name in set(job["library"]) - demanded:
        vars(module).setdefault(name, importlib.import_module(name))
    taken = sorted(name for name in wanted if name in demanded or name not in vars(module))
    answer = sys.modules[job["module"]] = AnswerModule(job["module"], there, taken)
    for name in taken:
        vars(module)[name] = getattr(answer, name)
    helpers = set(taken) - demanded
    if any(_is_from_home(vars(module)[name]) for name in helpers):
        known = library_names(job["code"])
        vars(module).update({name: known[name] for name in helpers & known.keys()})
    return module


def _run_prefix(prefix: str, module: types.ModuleType) -> None:
    """Run the code that stands before every answer, but for a last statement that the answer goes on."""
    lines = prefix.splitlines(keepends=True)
    while lines:
        try:
            tree = ast.parse("".join(lines))
        except SyntaxError:
            _drop_last_statement(lines)
        else:
            if tree.body and _is_stub(tree.body[-1]):
                tree.body.pop()
            code = compile(tree, PREFIX_FILE, "exec", dont_inherit=True)
            exec(code, module.__dict__)  # noqa: S102  # the case's own code
            return


def _is_stub(node: ast.stmt) -> bool:
    """Whether this is a function of which there is only the description: the answer goes on with its body."""
    body = node.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else [node]
    return all(isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) for one in body)


def _drop_last_statement(lines: list[str]) -> None:
    """Cut a source before its last line that begins in the first column, and the decorators above it."""
    line = lines.pop()
    while lines and not line[:1].strip():
        line = lines.pop()
    while lines and lines[-1].startswith("@"):
        lines.pop()
