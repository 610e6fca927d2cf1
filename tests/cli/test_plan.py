"""`steelyard plan`: samples to see a drop, and shares of a budget."""

import json
from pathlib import Path

import pytest

from steelyard.cli.main import main
from steelyard.render.json import JsonRenderer
from tests.analysis.runs import run


@pytest.fixture
def past(tmp_path: Path) -> str:
    path = tmp_path / "past.json"
    path.write_text(JsonRenderer().render(run([(10, 10), (10, 5), (10, 0)])), encoding="utf-8")
    return str(path)


def test_a_plan_from_a_past_run_says_how_many_samples(past: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "--from", past, "--drop", "0.1"]) == 0
    assert "a drop of 10 points over all cases in about" in capsys.readouterr().out


@pytest.mark.check_all
def test_a_plan_from_a_profile_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "--profile", "u-shaped", "--cases", "164", "--format", "json"]) == 0

    plans = json.loads(capsys.readouterr().out)["plans"]

    assert (plans[0]["samples"], plans[0]["cases"]) == (5, 164)


def test_a_budget_is_shared_by_history(past: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "--allocate", "history", "--from", past, "--budget", "12"]) == 0

    rows = [line.split(",") for line in capsys.readouterr().out.splitlines()[1:]]

    assert sum(int(samples) for _, _, samples in rows) == 12
    assert max(rows, key=lambda row: int(row[2]))[1] == "case-001"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "nothing to plan from"),
        (["--profile", "flat"], "no profile"),
        (["--profile", "reliable", "--format", "csv"], "text or json"),
        (["--allocate", "history"], "--budget"),
        (["--profile", "reliable", "--drop", "0"], "drop"),
        (["--profile", "reliable", "--alpha", "1.5"], "alpha"),
        (["--profile", "reliable", "--budget", "90"], "--budget and --model require --allocate"),
        (["--from", "past.json", "--cases", "9"], "remove --profile and --cases"),
    ],
)
def test_a_plan_without_a_basis_is_refused(
    options: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plan", *options]) == 2
    assert told in capsys.readouterr().err
