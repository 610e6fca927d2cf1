"""Find the files of the modules that Python sources import. Nothing is imported or run."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from steelyard.errors import InputError

PACKAGE = "__init__"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A Python file of the project, by the name under which others import it."""

    name: str
    path: Path
    text: str

    @property
    def is_package(self) -> bool:
        """Whether the file is the `__init__.py` of a package."""
        return self.path.stem == PACKAGE

    @property
    def module_path(self) -> str:
        """The path below a folder that Python imports from."""
        path = PurePosixPath(*self.name.split("."))
        return str(path / self.path.name if self.is_package else path.with_suffix(".py"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Imports:
    """What a source imports: files of the project, and top-level names that are elsewhere."""

    direct: tuple[Source, ...]
    others: frozenset[str]


def read_source(path: Path, name: str) -> Source:
    """Return a Python file; raises InputError if it cannot be parsed."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        ast.parse(text)
    except (OSError, SyntaxError, ValueError) as error:
        raise InputError(f"{path}: cannot be read as Python: {error}") from None
    return Source(name=name, path=path, text=text)


def imports_of(source: Source, folders: Sequence[Path]) -> Imports:
    """Return what a source imports; `folders` are searched in order."""
    direct: dict[Path, Source] = {}
    others = set()
    for candidates in _imported(source):
        result = [item for candidate in candidates for item in _find(candidate, folders)]
        direct.update({item.path: item for item in result})
        if not result:
            others.add(candidates[0].partition(".")[0])
    return Imports(direct=tuple(direct.values()), others=frozenset(others))


def with_imported(sources: Iterable[Source], folders: Sequence[Path]) -> tuple[Source, ...]:
    """Return sources, and those of the project that they import, directly or not."""
    known: dict[Path, Source] = {}
    remaining = list(sources)
    while remaining:
        source = remaining.pop(0)
        if source.path not in known:
            known[source.path] = source
            remaining += imports_of(source, folders).direct
    return tuple(known.values())


def _imported(source: Source) -> Iterator[tuple[str, ...]]:
    """Yield for each import the modules that it may name: `from a import b` names `a`, and perhaps `a.b`."""
    for node in ast.walk(ast.parse(source.text)):
        if isinstance(node, ast.Import):
            yield from ((alias.name,) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = source.name.split(".")
            base = parts[: len(parts) + source.is_package - node.level] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            if module:
                yield (module, *(f"{module}.{alias.name}" for alias in node.names))


def _find(name: str, folders: Sequence[Path]) -> Iterator[Source]:
    """Yield the file of a module and those of the packages around it, from the first folder that has it."""
    parts = name.split(".")
    for folder in folders:
        joinpath = folder.joinpath(*parts)
        path = next(
            (item for item in (joinpath / "__init__.py", joinpath.with_suffix(".py")) if item.is_file()), None
        )
        if path is None:
            continue
        for count in range(1, len(parts)):
            package = folder.joinpath(*parts[:count], "__init__.py")
            if package.is_file():
                yield read_source(package, ".".join(parts[:count]))
        yield read_source(path, name)
        return
