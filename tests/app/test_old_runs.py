"""A run store of the last version opens, resumes and regrades."""

import json
import shutil
from pathlib import Path

import pytest

import steelyard
from steelyard.render.json import JsonRenderer

STORED = Path(__file__).parent / "data" / "run-0.1.0"
CORRECTED = frozenset(
    {"grade", "uplift", "uplift_of_median", "interval"}
)  # the last one is of the cost of pass
ADDED = frozenset({"refused", "timed", "priced"})  # to each case since then
CHANGED = ("exact = 'yellow'", "exact = 'green'")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the stored run, with its eval set and all answers."""
    return Path(shutil.copytree(STORED, tmp_path / "stored"))


def without_corrected(value: object) -> object:
    """Return JSON without what later versions correct (grades, what tiers gain, costs) or add."""
    if isinstance(value, dict):
        return {
            name: without_corrected(each) for name, each in value.items() if name not in CORRECTED | ADDED
        }
    return [without_corrected(each) for each in value] if isinstance(value, list) else value


def test_it_opens_and_its_report_is_the_same_but_for_what_was_wrong(folder: Path) -> None:
    report = json.loads(JsonRenderer().render(steelyard.open_run(folder / "run").report()))
    kept = (STORED / "report.json").read_text(encoding="utf-8")
    old = json.loads(kept.replace('"grade_scale": "seed"', '"grade_scale": "letters-95"'))

    assert without_corrected(report) == without_corrected(old)
    assert [one["grade"]["letter"] for one in old["subjects"]] == ["A", "A"]
    assert [one["grade"]["letter"] for one in report["subjects"]] == ["C", None]
    was, now = (one["subjects"][0]["cost_of_pass"]["interval"] for one in (old, report))
    assert now["low"] < was["low"]
    assert report["subjects"][1]["score"]["value"] is None
    assert report["subjects"][1]["uplift"]["cases"] == 2


def test_it_resumes_and_is_complete(folder: Path) -> None:
    ended = steelyard.run(resume=folder / "run", replay=folder / "answers.jsonl", prices={"lab/m": (3, 15)})

    assert (ended.exit_code, ended.result.is_complete) == (0, True)
    total = ended.result.progress.total
    assert (total.planned, total.drawn, total.checked, total.errored) == (24, 24, 24, 0)
    assert [subject.samples for subject in ended.report().subjects] == [12, 12]


def test_it_is_checked_again_by_a_changed_set(folder: Path) -> None:
    text = (folder / "set.toml").read_text(encoding="utf-8")
    (folder / "set.toml").write_text(text.replace(*CHANGED), encoding="utf-8")

    done = steelyard.regrade(folder / "run", eval_set=folder / "set.toml")

    assert (done.exit_code, done.changed_cases) == (0, 1)
    changes = {(one.case, one.tier, one.was, one.now): one.samples for one in done.result.changes}
    assert changes["colour", "T0", "pass", "fail"] == 2
    assert changes["colour", "T0", "fail", "pass"] == 1
