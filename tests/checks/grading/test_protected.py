"""Which files of a case an answer may change."""

import pytest

from steelyard.checks.grading.protected import editable_files, is_test_file


@pytest.mark.parametrize(
    "path",
    [
        "test_cart.py",
        "cart_test.go",
        "src/cart.spec.ts",
        "src/CartTest.java",
        "src/test/java/Helpers.java",
        "tests/helpers.py",
        "conftest.py",
        "shop/conftest.py",
        "pytest.ini",
        "pyproject.toml",
        "sitecustomize.py",
    ],
)
def test_tests_and_their_settings_are_protected(path: str) -> None:
    assert is_test_file(path)


@pytest.mark.parametrize("path", ["cart.py", "src/contest.py", "latest.py", "src/lib.rs", "attest/main.go"])
def test_other_files_are_not_tests(path: str) -> None:
    assert not is_test_file(path)


def test_sources_of_the_language_may_be_changed_and_data_may_not() -> None:
    files = dict.fromkeys(["cart.py", "prices.csv", "test_cart.py", "lib/__init__.py", "lib/cart.js"], "")

    assert editable_files(files, (".py",)) == {"cart.py", "lib/__init__.py"}
