"""A log for Inspect holds all that a row says, and says so if samples are missing."""

import json
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from steelyard.app.log_files import found_logs, read_logs
from steelyard.logs.writers.inspect import InspectWriter
from steelyard.model.log import ExportedRun, Log, LogOptions, LogRow
from steelyard.model.outcome import Classification
from tests.logs import small_logs as small

ROW = LogRow(model="m", suite="s", case="sum", attempt=0, passed=True, score=1.0)
ROWS = {
    "a score and a kind": replace(
        ROW, passed=False, score=0.4, classification=Classification.TIMEOUT, output="late"
    ),
    "a cost without tokens": replace(ROW, cost_usd=0.5),
    "one number of tokens": replace(ROW, tokens_out=7, tokens_reasoning=3),
    "tokens from a cache": replace(
        ROW, tokens_in=10, tokens_out=5, tokens_cached=4, tokens_reasoning=2, cost_usd=0.1
    ),
    "more tokens from a cache than there are": replace(ROW, tokens_in=1, tokens_out=5, tokens_cached=4),
    "a tier": replace(ROW, tier="T1"),
    "tests": replace(ROW, tests_passed=3, tests_failed=0),
    "how the answer ended": replace(ROW, answer="x", finish_reason="length"),
    "an answer of which nothing else is known": replace(ROW, answer="x"),
    "an empty answer": replace(ROW, answer="", finish_reason="stop"),
    "texts": replace(ROW, prompt="What?", target="x", answer="y", output="fine", latency_s=1.5),
    "an error that cost something": replace(
        ROW, passed=None, score=None, error="503", output="503", cost_usd=0.25
    ),
}


def written(
    folder: Path,
    *rows: LogRow,
    cases: tuple[tuple[str, str], ...] = (),
    planned: dict[tuple[str, str], int] | None = None,
) -> list[Path]:
    run = ExportedRun(
        id="r",
        created_at="2026-11-15T09:30:00Z",
        generator="steelyard 0.1.0",
        rows=rows,
        cases=cases,
        planned=planned or {},
    )
    return [Path(file) for file in InspectWriter().write(run, folder).files]


def read(*paths: Path, options: LogOptions | None = None) -> Log:
    (log,) = read_logs(found_logs(paths), options or LogOptions())
    return log


def header(path: Path) -> dict[str, Any]:
    return json.loads(zipfile.ZipFile(path).read("header.json"))  # type: ignore[no-any-return]


@pytest.mark.parametrize("kept", ROWS.values(), ids=ROWS)
def test_a_row_comes_back_as_it_was(kept: LogRow, tmp_path: Path) -> None:
    graded = replace(ROW, tier=kept.tier, case="other")  # a log without a single verdict is refused

    assert read(*written(tmp_path, kept, graded)).rows == (kept, graded)


def test_how_an_answer_ended_is_said_in_the_words_of_inspect(tmp_path: Path) -> None:
    (path,) = written(tmp_path, ROWS["how the answer ended"])

    sample = json.loads(zipfile.ZipFile(path).read("samples/sum_epoch_1.json"))

    assert sample["output"]["choices"][0]["stop_reason"] == "max_tokens"


def test_two_tiers_are_imported_together(tmp_path: Path) -> None:
    rows = read(*written(tmp_path, ROW, replace(ROW, tier="T1"))).rows

    assert sorted(one.tier for one in rows) == ["T0", "T1"]


@pytest.mark.parametrize(("planned", "status", "missing"), [(1, "success", []), (2, "cancelled", [3])])
def test_a_log_in_which_planned_samples_are_missing_is_that_of_a_cancelled_run(
    planned: int, status: str, missing: list[int], tmp_path: Path
) -> None:
    cases = (("s", "sum"), ("s", "other"), ("another", "x")) if planned > 1 else (("s", "sum"),)
    (path,) = written(tmp_path, ROW, cases=cases, planned={("m", "T0"): planned})

    assert header(path)["status"] == status
    assert header(path)["results"]["total_samples"] == 1 + sum(missing)
    assert [one.count for one in read(path).left_out] == missing


def test_a_verdict_that_was_edited_in_inspect_counts_without_our_notes(tmp_path: Path) -> None:
    edited = {"value": "C", "metadata": {"score": 0.4, "kind": "timeout"}}

    (found,) = read(log_with(tmp_path, "steelyard 0.1.0", edited)).rows

    assert (found.passed, found.score, found.classification) == (True, 1.0, None)


def test_notes_in_a_log_of_another_tool_are_its_own_business(tmp_path: Path) -> None:
    (found,) = read(log_with(tmp_path, "another tool", {"value": "I", "metadata": {"score": 0.4}})).rows

    assert (found.tier, found.score, found.cost_usd) == ("T0", 0.0, 0.25)


def log_with(folder: Path, maker: str, score: Mapping[str, object]) -> Path:
    sample = small.inspect_sample(
        "add", 0, passed=True, scores={"steelyard": score}, metadata={"cost_usd": 9}
    )
    whole = small.inspect_header(results=None)
    whole["eval"]["metadata"] = {"made_by": maker, "tier": "T1"}
    return small.write_json(folder / "log.json", {**whole, "samples": [sample]})
