"""Hold the settings of Python cases, and refuse values without meaning."""

from pathlib import PurePosixPath

from steelyard.checks.extraction.paths import stays_inside
from steelyard.checks.protected import editable_files
from steelyard.checks.python.tests_source import TestsSource, count_assertions
from steelyard.errors import InputError
from steelyard.model.case import Case

DEFAULTS = {
    "answer": "extract",  # or `raw`: the whole answer is code
    "entry_point": "",  # the function that HumanEval's `check(candidate)` is called with
    "module": "",  # the name by which tests import the answer
    "prefix": "",  # code before the answer
    "test_file": "",  # where the tests are written
}
ALLOWED = {"answer": ("extract", "raw")}
SOURCES = (".py", ".pyi")
MODULE = "solution"


def setting(case: Case, name: str) -> str:
    """Return a setting of a case; raises InputError for a value that it may not have."""
    value = case.expectations.settings.get(name, DEFAULTS[name])
    allowed = ALLOWED.get(name)
    if allowed is not None and value not in allowed:
        raise InputError(f"case {case.id}: settings.{name} is {value!r}; it must be {' or '.join(allowed)}")
    return value


def module_of(case: Case, tests: TestsSource) -> str:
    """Return the module that the answer becomes: as stated, or the case's only source that tests import."""
    stated = setting(case, "module")
    if stated or tests.undefined:
        return stated or MODULE
    sources = {
        PurePosixPath(path).stem
        for path in editable_files(case.files, SOURCES)
        if "/" not in path and not count_assertions(case.files[path])  # or else it is a part of the tests
    }
    candidates = sources & tests.imported
    return candidates.pop() if len(candidates) == 1 and MODULE not in tests.imported else MODULE


def answer_path(module: str) -> str:
    """Return the file of a module.

    >>> answer_path("shop.cart")
    'shop/cart.py'
    """
    return f"{module.replace('.', '/')}.py"


def tests_path(case: Case, module: str) -> str:
    """Return the file that the tests are written to."""
    stated = setting(case, "test_file")
    if stated and not (stays_inside(stated) and stated.endswith(".py")):
        raise InputError(
            f"case {case.id}: settings.test_file is {stated!r}; it must be a relative path of a .py file"
        )
    return stated or f"test_{module.rpartition('.')[2].strip('_')}.py"
