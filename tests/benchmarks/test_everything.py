"""`make bench` (perf/everything.py) runs every script to its end, whatever one of them found."""

from pathlib import Path

import pytest

from perf import everything
from perf.everything import STEPS, main
from tests.benchmarks.test_scripts import FOLDER


def test_a_step_that_fails_stops_nothing_and_ends_it_all_with_1(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        everything, "STEPS", {"none_such": "", "make_outcomes": "{folder}/run --outcomes 2e4"}
    )

    code = main([str(tmp_path)])

    shown = capfd.readouterr().out.splitlines()
    assert code == 1
    assert [line.split()[0] for line in shown[-2:]] == ["none_such", "make_outcomes"]
    assert shown[-2].endswith("missed or failed: 1")
    assert shown[-1].endswith(" met")


@pytest.mark.parametrize("name", STEPS)
def test_each_step_is_a_script(name: str) -> None:
    assert (FOLDER / f"{name}.py").exists()
