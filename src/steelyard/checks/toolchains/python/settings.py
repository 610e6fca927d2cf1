"""Settings of Python cases."""

from pathlib import PurePosixPath

from steelyard.checks.extraction.paths import stays_inside
from steelyard.checks.grading.protected import editable_files
from steelyard.checks.toolchains.python.tests_source import TestsSource, count_assertions
from steelyard.errors import InputError
from steelyard.model.case import Case

ANSWERS = ("extract", "raw")
SOURCES = (".py", ".pyi")
DEFAULT_MODULE = "solution"


def setting(case: Case, name: str) -> str:
    """Return `entry_point`, `module`, `prefix` or `test_file` of a case, "" by default."""
    return case.expectations.settings.get(name, "")


def is_raw(case: Case) -> bool:
    """Whether the whole answer is code; raises InputError for an unknown value."""
    value = case.expectations.settings.get("answer", ANSWERS[0])
    if value not in ANSWERS:
        raise InputError(f"case {case.id}: settings.answer is {value!r}; it must be {' or '.join(ANSWERS)}")
    return value == "raw"


def module_of(case: Case, tests: TestsSource) -> str:
    """Return the answer's module: the setting, or the case's only source that the tests import."""
    module = setting(case, "module")
    if module or tests.undefined:
        return module or DEFAULT_MODULE
    sources = {
        PurePosixPath(path).stem
        for path in editable_files(case.files, SOURCES)
        if "/" not in path and not count_assertions(case.files[path])  # otherwise it is part of the tests
    }
    candidates = sources & tests.imported
    return (
        candidates.pop() if len(candidates) == 1 and DEFAULT_MODULE not in tests.imported else DEFAULT_MODULE
    )


def answer_path(module: str) -> str:
    """Return the file of a module.

    >>> answer_path("shop.cart")
    'shop/cart.py'
    """
    return f"{module.replace('.', '/')}.py"


def tests_path(case: Case, module: str) -> str:
    """Return the path of the tests in the workspace."""
    path = setting(case, "test_file")
    if path and not (stays_inside(path) and path.endswith(".py")):
        raise InputError(
            f"case {case.id}: settings.test_file is {path!r}; it must be a relative path of a .py file"
        )
    return path or f"test_{module.rpartition('.')[2].strip('_')}.py"
