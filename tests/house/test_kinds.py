"""The markers by which tests can be left out are declared, explained and given to tests that exist."""

import re
import tomllib

import pytest

from tests.house.kinds import KINDS, THINNED, kinds_of, thinned
from tests.house.package import REPOSITORY


def test_every_marker_is_declared_and_explained() -> None:
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    declared = {line.partition(":")[0] for line in settings["tool"]["pytest"]["markers"]}
    explained = (REPOSITORY / "tests" / "README.md").read_text(encoding="utf-8")

    assert declared == {*KINDS, "check_all"}
    assert [kind for kind in KINDS if f"`{kind}`" not in explained] == []


@pytest.mark.parametrize(
    ("nodeid", "kinds"),
    [
        ("tests/model/test_case.py::test_a", []),
        ("tests/metrics/test_cost.py::test_a", ["long"]),
        ("tests/browser/test_report_page.py::test_a", ["browser", "slow"]),
        ("tests/checks/rust/test_truth.py::test_a[x]", ["rust", "sandbox", "toolchain"]),
        ("tests/checks/test_conformance.py::test_a[rust]", ["rust", "sandbox", "toolchain"]),
        ("tests/checks/test_conformance.py::test_a[text]", ["sandbox"]),
        ("tests/checks/test_classifier.py::test_a[rust-fail]", []),
        ("tests/checks/command/test_answers.py::test_a[java: right]", ["java", "sandbox", "toolchain"]),
        ("tests/checks/command/test_answers.py::test_a[javascript: right]", ["sandbox", "toolchain"]),
        ("tests/runner/ray/test_engine.py::test_a", ["ray", "slow"]),
        ("tests/store/run/bucket/test_client.py::test_a", ["long", "s3"]),
    ],
)
def test_a_test_has_the_markers_of_what_it_needs(nodeid: str, kinds: list[str]) -> None:
    assert kinds_of(nodeid) == kinds


def test_every_marker_stands_for_tests_that_are_there() -> None:
    files = [path.relative_to(REPOSITORY).as_posix() for path in (REPOSITORY / "tests").rglob("test_*.py")]
    named = {kind for file in files for kind in kinds_of(f"{file}::[java]")}

    assert set(KINDS) - named == set()


def test_every_thinned_family_is_there() -> None:
    names = [
        f"{path.relative_to(REPOSITORY).as_posix()}::{name}"
        for path in (REPOSITORY / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]

    assert [pattern for pattern in THINNED if not any(re.search(pattern, name) for name in names)] == []


def test_a_large_family_is_thinned_and_its_first_member_stays() -> None:
    family = "tests/checks/rust/test_attacks.py::test_a_trick_gets_the_outcome"
    members = [f"{family}[{number}]" for number in range(9)]

    out = thinned(
        [*members, "tests/metrics/test_cost.py::test_a[0]", "tests/metrics/test_cost.py::test_a[1]"]
    )

    assert out == {member for number, member in enumerate(members) if number % 4}


def test_a_member_that_is_asked_for_by_its_name_runs() -> None:
    assert thinned(["tests/checks/rust/test_attacks.py::test_a_trick[7]"]) == set()
