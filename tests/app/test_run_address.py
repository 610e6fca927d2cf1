"""Every function that takes the address of a run takes the run itself, as `steelyard.run` returns it."""

from collections.abc import Callable
from pathlib import Path

import pytest

import steelyard
from steelyard.app.run_address import RunAddress

STORED = Path(__file__).parent / "data" / "small_set"
ANSWERS = STORED / "answers.jsonl"
CASE = "sum"

# Each is called with a run, and returns something to compare.
# `plan` is not among them, for it is slow; it reads a run as `allocate` does.
USES: dict[str, Callable[[RunAddress], object]] = {
    "allocate": lambda run: steelyard.allocate(run, budget=50, tier="T0"),
    "ci": lambda run: steelyard.ci(run, accept=True).report,
    "compare": lambda run: steelyard.compare(run, run),
    "confirm": lambda run: steelyard.confirm(run, run),
    "diff_answers": lambda run: steelyard.diff_answers(run, run, CASE),
    "export_log": lambda run: steelyard.export_log(run, "log", to="evalplus").rows,
    "export_run": lambda run: steelyard.export_run(run, "rows.csv"),
    "find_report": steelyard.find_report,
    "forecast_run": lambda run: steelyard.forecast_run(resume=run, replay=ANSWERS),
    "forecast_run like": lambda run: steelyard.forecast_run(STORED / "set.toml", models="lab/m", like=run),
    "gate": lambda run: steelyard.gate(run, run),
    "matrix": steelyard.matrix,
    "open_run": lambda run: steelyard.open_run(run).address,
    "open_viewer": lambda run: len(list(steelyard.open_viewer(run, [run]).lines())),
    "regrade": steelyard.regrade,
    "report_at": steelyard.report_at,
    "report_run": steelyard.report_run,
    "run": lambda run: steelyard.run(resume=run, replay=ANSWERS).address,
    "sample_excerpts": steelyard.sample_excerpts,
    "send_report": lambda run: steelyard.send_report(steelyard.report_at(run), run, sinks={}),
    "set_baseline": lambda run: steelyard.set_baseline("main", run).source,
    "show_answers": lambda run: steelyard.show_answers(run, CASE),
}


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> steelyard.Run:
    address = tmp_path_factory.mktemp("generated") / "run"
    return steelyard.run(STORED / "set.toml", address=address, replay=ANSWERS, models="lab/m")


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_run_stands_for_its_address(
    use: Callable[[RunAddress], object],
    generated: steelyard.Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)

    assert use(generated) == use(generated.address)


@pytest.mark.check_all
def test_shards_are_merged_as_they_were_returned(tmp_path: Path) -> None:
    shards = [
        steelyard.run(
            STORED / "set.toml",
            address=tmp_path / str(number),
            replay=ANSWERS,
            models="lab/m",
            shard=f"{number}/2",
        )
        for number in (1, 2)
    ]

    merged = steelyard.merge(shards, tmp_path / "whole")

    assert merged.report().subjects[0].samples == sum(one.report().subjects[0].samples for one in shards)
