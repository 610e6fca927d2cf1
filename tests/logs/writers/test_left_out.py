"""What a row says is in the files of an export, or counted as left out."""

from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from steelyard.logs.writing import OPTIONAL_FIELDS
from steelyard.model.log import Exported, ExportedRun, LogRow
from steelyard.model.outcome import Classification
from steelyard.plugins import EXPORTERS, load
from steelyard.ports import Exporter

BARE = LogRow(model="m", suite="s", case="sum", attempt=0, passed=False, score=0.0, answer="x")
# Rows that say one thing, and a text that is in a file which holds it.
ROWS = {
    "prompts": (replace(BARE, prompt="p-1234"), "p-1234"),
    "expected answers": (replace(BARE, target="t-1234"), "t-1234"),
    "partial scores": (replace(BARE, score=0.4321), "0.4321"),
    "kinds of failure": (replace(BARE, classification=Classification.REFUSAL), "refusal"),
    "costs": (replace(BARE, cost_usd=0.4321), "0.4321"),
    "times": (replace(BARE, latency_s=4321.5), "4321"),
    "numbers of tokens": (replace(BARE, tokens_in=43210, tokens_out=1), "43210"),
    "cached or reasoning tokens": (replace(BARE, tokens_reasoning=43210), "43210"),
    "numbers of tests": (replace(BARE, tests_failed=43210), "43210"),
    "finish reasons": (replace(BARE, finish_reason="length"), "length"),
    "outputs of checks": (replace(BARE, output="o-1234"), "o-1234"),
}
WRITERS = [name for name in EXPORTERS if name != "inspect"]  # which has a place for everything


def written(to: str, folder: Path, *rows: LogRow) -> Exported:
    run = ExportedRun(id="r", created_at="2026-11-15T09:30:00Z", generator="g", rows=rows)
    return cast("type[Exporter]", load(EXPORTERS, to, group="exporters"))().write(run, folder)


def test_each_thing_that_is_counted_has_a_row_here() -> None:
    assert ROWS.keys() == OPTIONAL_FIELDS.keys()


@pytest.mark.parametrize("to", WRITERS)
@pytest.mark.parametrize("what", ROWS)
def test_what_a_row_says_is_written_or_counted(what: str, to: str, tmp_path: Path) -> None:
    row, text = ROWS[what]

    found = written(to, tmp_path, row, replace(BARE, case="other"))

    files = [Path(file).read_text(encoding="utf-8") for file in found.files]
    is_held = any(text in file for file in files)
    assert [(one.what, one.count) for one in found.left_out] == ([] if is_held else [(what, 1)])


def test_every_eval_ever_holds_both_numbers_of_tokens_or_none(tmp_path: Path) -> None:
    [one] = written("every-eval-ever", tmp_path, replace(BARE, tokens_out=7)).left_out

    assert (one.what, one.count) == ("numbers of tokens", 1)


def test_a_timeout_is_the_kind_of_failure_that_evalplus_knows(tmp_path: Path) -> None:
    assert not written("evalplus", tmp_path, replace(BARE, classification=Classification.TIMEOUT)).left_out


@pytest.mark.parametrize("to", WRITERS)
def test_what_was_never_said_is_not_left_out(to: str, tmp_path: Path) -> None:
    assert written(to, tmp_path, BARE).left_out == ()
