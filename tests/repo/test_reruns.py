"""A few failed tests get a second try, each alone; many do not."""

from pathlib import Path

import pytest

from tests.repo.reruns import MOST, main

TESTS = "def test_good():\n    pass\n\n\ndef test_bad():\n    assert False\n"


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "test_two.py").write_text(TESTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def test_a_test_that_passes_alone_passes_and_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["test_two.py::test_good"]) == 0
    assert "RERUN PASSED test_two.py::test_good\n" in capfd.readouterr().out


def test_a_test_that_fails_again_fails_the_run(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["test_two.py::test_good", "test_two.py::test_bad"]) == 1
    assert "RERUN FAILED test_two.py::test_bad\n" in capfd.readouterr().out


def test_more_failures_than_a_few_are_named_and_not_rerun(capfd: pytest.CaptureFixture[str]) -> None:
    names = [f"test_two.py::test_good[{number}]" for number in range(MOST + 1)]

    assert main(names) == 1

    out = capfd.readouterr().out
    assert all(name in out for name in names)
    assert "RERUN" not in out
