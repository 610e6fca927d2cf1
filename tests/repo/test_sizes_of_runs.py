"""`make check` runs one test of each variety of a family, and every pattern of the tables has tests."""

import re

import pytest

from tests.repo.package import REPOSITORY
from tests.repo.sizes import CHECK_ALL, FAMILIES, in_check

RUST = "tests/checks/toolchains/rust/test_checker.py::test_b"
DRIVERS = "tests/checks/forms/calls/test_drivers.py::test_a_right_answer"
ORDINARY = "tests/metrics/test_cost.py::test_a"


def names_of_tests() -> list[str]:
    return [
        f"{path.relative_to(REPOSITORY).as_posix()}::{name}"
        for path in (REPOSITORY / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]


@pytest.mark.parametrize("pattern", [*FAMILIES, *CHECK_ALL])
def test_every_pattern_matches_a_test(pattern: str) -> None:
    name_part = pattern.partition(r".*\[")[0]

    assert any(re.search(name_part, name) for name in names_of_tests())


def test_of_a_family_the_first_test_of_each_language_stays() -> None:
    members = [f"{DRIVERS}[{name}]" for name in ("go-add", "go-mean", "cpp-add", "go-join", "cpp-mean")]

    assert list(in_check(members)) == [f"{DRIVERS}[go-add]", f"{DRIVERS}[cpp-add]"]


def test_other_tests_stay() -> None:
    members = [
        f"{ORDINARY}[0]",
        f"{ORDINARY}[1]",
        DRIVERS,
        "tests/checks/toolchains/rust/test_checker.py::test_b",
    ]

    assert list(in_check(members)) == members


def test_simulations_are_left_out_and_their_figures_stay() -> None:
    figures = "tests/simulations/test_figures.py::test_a"

    assert list(in_check(["tests/simulations/test_gates.py::test_a", figures])) == [figures]
