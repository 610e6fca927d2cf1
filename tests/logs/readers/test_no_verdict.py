"""A row that says not whether it passed is kept as an error; a log of such rows alone is refused."""

from collections.abc import Callable
from pathlib import Path

import pytest

from steelyard.app.log_files import found_logs, read_logs
from steelyard.errors import InputError
from steelyard.model.log import LogOptions, LogRow
from tests.logs import small_logs as small


def read(path: Path) -> list[LogRow]:
    (log,) = read_logs(found_logs([path]), LogOptions())
    return list(log.rows)


def lm_eval(folder: Path, *, all_open: bool) -> Path:
    path = small.lm_eval(folder)
    shares = [float("nan"), float("nan") if all_open else 1.0]
    rows = [small.lm_eval_document(number, case) for number, case in enumerate(small.PASSES)]
    for row, share in zip(rows, shares, strict=True):
        row["pass@1"] = share
    return small.write_lines(path, rows)


def harbor(folder: Path, *, all_open: bool) -> Path:
    job = small.harbor(folder)
    nothing, much = {"verifier_result": None}, {"verifier_result": {"rewards": {"reward": 7.0}}}
    for place, (case, number, passed) in enumerate(small.ANSWERS):
        changes = nothing if place == 0 else much if all_open or place == 1 else {}
        trial = small.harbor_trial(case, number, passed, **changes)
        small.write_json(job / f"{case}__{number}" / "result.json", trial)
    return job


def nemo(folder: Path, *, all_open: bool) -> Path:
    path = small.nemo(folder)
    rows = [small.nemo_row(*answer) for answer in small.ANSWERS]
    for row in rows if all_open else rows[:1]:
        row["reward"] = None
    return small.write_lines(path, rows)


def deepeval(folder: Path, *, all_open: bool) -> Path:
    cases = [small.deepeval_case(case, passed) for case, _, passed in small.ANSWERS]
    for case in cases if all_open else cases[:1]:
        case["success"] = None
    return small.write_json(folder / "test_run_1.json", {"testCases": cases, "metricsScores": []})


READERS = [lm_eval, harbor, nemo, deepeval]


@pytest.mark.parametrize("written", READERS)
def test_an_answer_without_a_verdict_is_an_error_and_the_others_count(
    written: Callable[..., Path], tmp_path: Path
) -> None:
    rows = read(written(tmp_path, all_open=False))

    is_open = [row for row in rows if row.error is not None]
    assert is_open
    assert all(row.passed is None and row.score is None for row in is_open)
    assert any(row.passed for row in rows)


@pytest.mark.parametrize("written", READERS)
def test_a_log_without_a_single_verdict_is_refused(written: Callable[..., Path], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no outcome to import"):
        read(written(tmp_path, all_open=True))
