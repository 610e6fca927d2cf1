"""Modules are named after what they contain."""

from tests.repo.package import PACKAGE

NAMES_WITHOUT_MEANING = {"common", "helper", "helpers", "misc", "util", "utils"}


def test_no_module_has_a_name_without_meaning() -> None:
    assert not [path for path in PACKAGE.rglob("*") if path.stem.strip("_") in NAMES_WITHOUT_MEANING]
