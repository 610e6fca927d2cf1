"""The markers by which tests can be left out are declared, explained and given to tests that exist."""

import tomllib

import pytest

from tests.repo.kinds import KINDS, kinds_of
from tests.repo.package import REPOSITORY


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
        ("tests/checks/toolchains/rust/test_truth.py::test_a[x]", ["rust", "sandbox", "toolchain"]),
        ("tests/checks/test_conformance.py::test_a[rust]", ["rust", "sandbox", "toolchain"]),
        ("tests/checks/test_conformance.py::test_a[text]", ["sandbox"]),
        ("tests/checks/test_classifier.py::test_a[rust-fail]", []),
        ("tests/checks/forms/tests/test_answers.py::test_a[java: right]", ["java", "sandbox", "toolchain"]),
        ("tests/checks/forms/tests/test_answers.py::test_a[javascript: right]", ["sandbox", "toolchain"]),
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
