"""Write an eval set of a folder of pytest tests."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from steelyard.errors import InputError
from steelyard.sources.pytest_folder.packages import missing_modules, pinned_packages
from steelyard.sources.pytest_folder.read import TestFile, inside, read_tests

MODULE = "solution"  # the name of an answer unless a setting gives another
TODO = "TODO: describe the task."


def eval_set_of_tests(folder: Path, root: Path, modules: Sequence[Path] = ()) -> str:
    """Return the text of an eval set, to be written into a root, with a case for each test file of a folder.

    `modules` are files of modules under test; the other ones are found by what the tests import.
    """
    root, tests = root.resolve(), folder.resolve()
    if not tests.is_dir():
        raise InputError(f"{folder}: no such folder of tests")
    for path in (tests, *modules):
        if not path.resolve().is_relative_to(root):
            raise InputError(f"{path}: not inside {root}, where the eval set is written; name another DIR")
    files = read_tests(tests, root, [path.resolve() for path in modules])
    head = [
        f"# Made from {inside(tests, root)} by `steelyard init --from-pytest`.",
        "[eval_set]",
        f"id = {_text(tests.name)}",
        'default_language = "python"',
        *_environment(files),
    ]
    ids = _ids(files, tests)
    return "\n".join([*head, *(line for file in files for line in _case(file, ids[file.path], root)), ""])


def _environment(files: Iterable[TestFile]) -> list[str]:
    """Return the packages that tests and modules import, in the versions installed here."""
    others = {name for file in files for name in file.others}
    required, missing = pinned_packages(others), missing_modules(others)
    hint = [f"# Not installed here: {', '.join(missing)}."] if missing else []
    if not required:
        return hint
    lines = "\n".join(required)
    note = "# Versions installed here. Add plugins of pytest that the tests use."
    return ["", *hint, note, "[environment]", f'requirements = """\n{lines}\n"""']


def _ids(files: Iterable[TestFile], tests: Path) -> dict[Path, str]:
    """Return an id for each test file: its path below the folder, without `test`."""
    ids = {}
    for file in files:
        stem = file.path.stem.removeprefix("test_").removesuffix("_test")
        ids[file.path] = "-".join([*file.path.relative_to(tests).parent.parts, stem])
    return ids


def _case(item: TestFile, name: str, root: Path) -> Iterator[str]:
    missing = missing_modules(item.others)
    absent = missing[0] if item.module is None and len(missing) == 1 else MODULE
    module = absent if item.module is None else item.module.name
    yield from (
        "",
        "[[cases]]",
        f"id = {_text(name)}",
        f"prompt = {_text(item.docstring or _stub(item, module))}",
    )
    if item.module is None:
        yield "# No module under test was found: give one with --module-under-test, or a `reference` here."
    else:
        yield f"reference = {_file(item.module.path, root)}"
    yield from (f"# Left out, as it is no text: {inside(path, root)}" for path in item.skipped)
    if item.files:
        yield "[cases.files]"
        yield from (f"{_text(path)} = {_file(item.files[path], root)}" for path in sorted(item.files))
    yield from ("[cases.expectations]", f"tests = {_file(item.path, root)}", "[cases.expectations.settings]")
    if module != MODULE:
        yield f"module = {_text(module)}"
    yield f"test_file = {_text(inside(item.path, root))}"


def _stub(item: TestFile, module: str) -> str:
    names = f" with {', '.join(item.names)}" if item.names else ""
    return f"{TODO} Write the Python module {module}{names}."


def _file(path: Path, root: Path) -> str:
    return f"{{ file = {_text(inside(path, root))} }}"


def _text(text: str) -> str:
    """Return a text as TOML writes it."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
