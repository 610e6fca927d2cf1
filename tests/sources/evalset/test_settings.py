"""The settings that a set may hold are those that the checks look at."""

import re

import pytest

from steelyard.languages.compiled import RUST
from steelyard.languages.interpreted import PYTHON, TERRAFORM
from steelyard.sources.evalset.settings import TEXT, setting_problem
from tests.repo.package import python_files

LOOKED_AT = re.compile(r"""(?:settings(?:\.get\(|\[)|setting\(case, )"(\w+)\"""")


def looked_at(*names: str) -> set[str]:
    """Return the settings that the source of a check asks for."""
    files = [file for file in python_files("src/steelyard/checks") if file.name.startswith(names)]
    return {name for file in files for name in LOOKED_AT.findall(file.text)}


@pytest.mark.parametrize(
    ("known", "names"),
    [
        (PYTHON.settings, ("src/steelyard/checks/toolchains/python/", "src/steelyard/checks/grading/limits")),
        (RUST.settings, ("src/steelyard/checks/toolchains/rust/",)),
        (TERRAFORM.settings, ("src/steelyard/checks/toolchains/terraform/",)),
        (TEXT, ("src/steelyard/checks/forms/text",)),
    ],
)
def test_every_setting_that_a_check_asks_for_is_known_and_no_other(
    known: frozenset[str], names: tuple[str, ...]
) -> None:
    assert known == looked_at(*names)


def test_a_check_that_nobody_knows_takes_what_it_likes() -> None:
    assert setting_problem("java", "recipe") is None


def test_a_setting_that_is_like_no_other_is_answered_with_all_there_are() -> None:
    told = "the check of terraform has no setting 'zzz'; there is allow, file, may_remove, policy_forbidden"

    assert setting_problem("terraform", "zzz") == told
