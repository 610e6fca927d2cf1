"""Read a folder of pytest tests: for each test file, what it tests and which files it needs."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from steelyard.errors import InputError
from steelyard.sources.pytest_folder.modules import Source, imports_of, read_source, with_imported
from steelyard.sources.pytest_folder.packages import missing_modules

CACHES = "__pycache__"
CONFTEST, INIT = "conftest.py", "__init__.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class TestFile:
    """A test file, the module that it tests, and the other files that it needs."""

    path: Path
    docstring: str
    module: Source | None  # None: no file of the project is known to be it
    names: tuple[str, ...]  # that the tests import from the module
    files: dict[str, Path]  # by their paths in the workspace
    skipped: tuple[Path, ...]  # files that the tests name and that are no text
    others: frozenset[str]  # imported modules that are no files of the project

    __test__ = False  # for pytest, which would collect it because of its name


def read_tests(tests: Path, root: Path, under_test: Sequence[Path]) -> list[TestFile]:
    """Return the test files of a folder inside a root; `under_test` are files of modules under test."""
    paths = [path for path in _files(tests) if is_test(path)]
    if not paths:
        raise InputError(f"{tests}: there is no test file here: no test_*.py and no *_test.py")
    test_files = [_test_file(path, tests, root, under_test) for path in paths]
    used = {item.module.path for item in test_files if item.module is not None}
    if unused := [path for path in under_test if path not in used]:
        raise InputError(f"{unused[0]}: no test in {tests} imports this module")
    return test_files


def is_test(path: Path) -> bool:
    """Whether pytest takes a file for tests by its name."""
    return path.suffix == ".py" and (path.stem.startswith("test_") or path.stem.endswith("_test"))


def inside(path: Path, root: Path) -> str:
    """Return the path of a file below a root, as a TOML file names it."""
    return path.relative_to(root).as_posix()


def _test_file(path: Path, tests: Path, root: Path, under_test: Sequence[Path]) -> TestFile:
    around = [folder for folder in (path.parent, *path.parents) if folder.is_relative_to(root)]
    search = [index for folder in around for index in (folder, folder / "src") if index.is_dir()]
    test = read_source(path, _dotted(path, root))
    conftests = [
        read_source(item, _dotted(item, root)) for folder in around if (item := folder / CONFTEST).is_file()
    ]
    sources = with_imported([test, *conftests], search)
    module = _module_under_test(test, search, tests, under_test)
    support = [source for source in sources if source.path not in {path, module and module.path}]
    packages = [item for folder in around if folder != root and (item := folder / INIT).is_file()]
    data, skipped = _data(path.parent, "\n".join(source.text for source in (test, *support)))
    return TestFile(
        path=path,
        docstring=ast.get_docstring(ast.parse(test.text)) or "",
        module=module,
        names=() if module is None else _names(test, module),
        files={
            **{_workspace_path(source, tests, root): source.path for source in support},
            **{inside(entry, root): entry for entry in (*packages, *data)},
        },
        skipped=skipped,
        others=frozenset().union(*(imports_of(source, search).others for source in sources)),
    )


def _module_under_test(
    test: Source, search: Sequence[Path], tests: Path, under_test: Sequence[Path]
) -> Source | None:
    """Return the module that tests import: a given one, one with their name, or the only one.

    Where the tests import a module that is nowhere, a file beside them is no module under test.
    """
    imports = imports_of(test, search)
    direct = imports.direct
    inner = [
        source for package in direct if package.is_package for source in imports_of(package, search).direct
    ]
    every = {
        item.path: item for item in (*direct, *inner) if not item.is_package and item.path.name != CONFTEST
    }
    candidates = [item for item in every.values() if not is_test(item.path)]
    if under_test:
        return next((candidate for candidate in candidates if candidate.path in under_test), None)
    outside = [candidate for candidate in candidates if not candidate.path.is_relative_to(tests)]
    name = test.path.stem.removeprefix("test_").removesuffix("_test")
    named = [candidate for candidate in candidates if candidate.path.stem == name]
    others = [] if missing_modules(imports.others) else candidates
    for chosen in (named, outside, others):
        if len(chosen) == 1:
            return chosen[0]
    return None


def _names(test: Source, module: Source) -> tuple[str, ...]:
    """Return what tests import from a module by name."""
    nodes = [node for node in ast.walk(ast.parse(test.text)) if isinstance(node, ast.ImportFrom)]
    named = (alias.name for node in nodes if node.module == module.name for alias in node.names)
    return tuple(dict.fromkeys(named))


def _workspace_path(source: Source, tests: Path, root: Path) -> str:
    """Return where a source lies in the workspace, whose top folder Python imports from."""
    is_beside = source.path.is_relative_to(tests) or source.path.name == CONFTEST
    return inside(source.path, root) if is_beside else source.module_path


def _dotted(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts)


def _data(folder: Path, mentions: str) -> tuple[list[Path], tuple[Path, ...]]:
    """Return the files beside tests that a source mentions, by name or folder: texts, and others."""
    named = [
        path
        for path in _files(folder)
        if path.suffix != ".py" and any(part in mentions for part in (path.stem, *_parts(path, folder)))
    ]
    texts = [path for path in named if _is_text(path)]
    return texts, tuple(path for path in named if path not in texts)


def _parts(path: Path, folder: Path) -> tuple[str, ...]:
    return path.relative_to(folder).parts


def _is_text(path: Path) -> bool:
    try:
        path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    return True


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder in order, without caches and hidden ones."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and CACHES not in parts and not any(part.startswith(".") for part in parts):
            yield path
