"""Tests of a file share a worker, since they share fixtures; clusters of Ray start one at a time."""

from tests.repo.scheduling import group_of


def test_tests_of_a_file_stay_together() -> None:
    first, second = (group_of(f"tests/checks/test_a.py::test_b[{name}]") for name in ("x::y", "z"))

    assert first == second == "tests/checks/test_a.py"


def test_all_tests_that_start_ray_are_one_group() -> None:
    files = ["tests/runner/ray/test_engine.py::test_a", "src/steelyard/runner/ray/work.py::steelyard"]

    assert {group_of(file) for file in [*files, "tests/docs/test_b.py::test_c[run-on-ray.md]"]} == {"ray"}


def test_pages_are_apart() -> None:
    pages = [f"tests/docs/test_console_blocks.py::test_a[{name}]" for name in ("x.md", "y.md")]

    assert [group_of(page) for page in pages] == pages
