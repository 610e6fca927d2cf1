"""Decide which files of a case an answer may change: not its tests, their settings and data."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

TEST_FILE = re.compile(
    r"test_[^/]*|[^/]*_test\.[^/.]+|[^/]*\.(?:test|spec)\.[^/.]+|[^/]*Tests?\.[^/.]+|conftest\.py"
)
TEST_FOLDERS = frozenset({"test", "tests", "__tests__", "testdata", "fixtures"})
# Files that change how Python or pytest starts.
SETTINGS_FILES = frozenset(
    {"pytest.ini", ".pytest.ini", "pytest.toml", "tox.ini", "setup.cfg", "pyproject.toml"}
    | {"sitecustomize.py", "usercustomize.py"}
)


def is_test_file(path: str) -> bool:
    """Whether a file belongs to the tests or configures them: answers must not contain one.

    >>> [is_test_file(path) for path in ("conftest.py", "tests/helpers.py", "cart.py", "src/cart.test.ts")]
    [True, True, False, True]
    """
    parts = PurePosixPath(path).parts
    name = parts[-1] if parts else ""
    in_folder = not TEST_FOLDERS.isdisjoint(parts[:-1])
    return in_folder or name in SETTINGS_FILES or TEST_FILE.fullmatch(name) is not None


def editable_files(files: Mapping[str, str], suffixes: tuple[str, ...]) -> frozenset[str]:
    """Return the case's files that an answer may change: sources in its language, except tests.

    >>> sorted(editable_files({"cart.py": "", "prices.csv": "", "conftest.py": ""}, (".py",)))
    ['cart.py']
    """
    return frozenset(path for path in files if path.endswith(suffixes) and not is_test_file(path))
