"""The script that asks EvalPlus for its verdicts: what it asks about, and that both say the same of it."""

import gzip
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from perf.evalplus_verdicts import GARBAGE, made_answers, recorded_answers
from perf.references import FOLDER_ENV, cases_of, reference_code
from tests.benchmarks.records import HUMANEVAL_PLUS, write_records
from tests.repo.package import REPOSITORY

EVALPLUS = os.environ.get("STEELYARD_EVALPLUS", "")
CONTRACT = {"humanevalplus/HumanEvalPlus.jsonl.gz": {**HUMANEVAL_PLUS, "contract": ""}}


def test_each_task_gives_its_reference_mutants_and_garbage_which_is_not_the_same_for_all(
    tmp_path: Path,
) -> None:
    write_records(tmp_path)
    (case,) = cases_of("humaneval+", tmp_path)

    made = made_answers([replace(case, id=f"task {number}") for number in range(len(GARBAGE))], mutants=3)

    assert {one.kind for one in made} >= {"reference", *GARBAGE}
    of_first = [one for one in made if one.task == "task 0"]
    assert len(of_first) == len({one.text for one in of_first}) == 5
    assert of_first[0].text == reference_code(case)


def test_recorded_answers_that_are_the_reference_are_called_so(tmp_path: Path) -> None:
    write_records(tmp_path)
    cases = cases_of("humaneval+", tmp_path)
    rows = [
        {"task_id": task, "solution": text}
        for task, text in (
            (cases[0].id, f"{reference_code(cases[0])}\n\n"),
            (cases[0].id, "other"),
            ("no such task", "x"),
        )
    ]
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    (tmp_path / "samples.jsonl.gz").write_bytes(gzip.compress(lines.encode()))

    found = recorded_answers(tmp_path / "samples.jsonl.gz", cases)

    assert [one.kind for one in found] == ["reference", "recorded"]
    assert recorded_answers(None, cases) == []


@pytest.mark.timeout(900)
@pytest.mark.skipif(not EVALPLUS, reason="STEELYARD_EVALPLUS names no Python with EvalPlus")
@pytest.mark.parametrize(
    ("words", "shows"),
    [("--mutants 8", "0 differ, 0 with a reason"), ("--references", "`steelyard run`")],
    ids=["verdicts", "times"],
)
def test_both_say_the_same_of_a_record_of_ours(words: str, shows: str, tmp_path: Path) -> None:
    write_records(tmp_path / "records", CONTRACT)
    env = {**os.environ, FOLDER_ENV: str(tmp_path / "records"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    argv = [sys.executable, "-m", "perf.evalplus_verdicts", "--peers", EVALPLUS, *words.split()]

    ran = subprocess.run(argv, cwd=REPOSITORY, env=env, capture_output=True, text=True, check=False)

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert shows in ran.stdout
