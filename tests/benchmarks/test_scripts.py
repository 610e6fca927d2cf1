"""Every script in `perf/` still runs: here at a small size, where its figures mean nothing.

A goal that is missed at this size is no failure, so the exit code may be 1; but a script must reach its end.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from perf.references import FOLDER_ENV
from tests.benchmarks.records import write_records
from tests.repo.package import REPOSITORY

FOLDER = REPOSITORY / "perf"


class Small(NamedTuple):
    """How a script is run at a small size, and what it shows when it is through."""

    words: str
    shows: str


# {folder} is a folder of its own for each script; {python} has Polars, as a peer's Python has.
SCRIPTS = {
    "check_service": Small("kills --requests 20 --kills 1 --workers 2", '"second": {\n  "1.0": 20'),
    "flat_memory": Small("--count 2000", "left behind: nothing"),
    "model_calls": Small("--calls 3 --at-once 5 --delays 0.1 --vendors openai", "5 calls of 0.1 s at once"),
    "make_outcomes": Small("{folder}/run --outcomes 2e4", "20,000 rows, 1 files"),
    "mixed_answers": Small("--count 40", "not as due: 0; left behind: nothing"),
    "open_run": Small("{folder} --samples 2000 --cases 20 --chunk 1000", "goals: open, summary and page"),
    "pace": Small("--seconds 4 --second 0.1 --services concurrency", "of what it allows"),
    "run_store": Small(
        "{folder} --sizes 4000 --cases 20 --repeats 1 --peers {python} --sides bare report polars", "goal:"
    ),
    "runner_scale": Small("{folder} --samples 200 --sides bare commits local", "local:"),
    "sandbox": Small("--rounds 1 --count 4", "warm Python, 8 at a time"),
    "sandboxes": Small("--rounds 1 --languages python", "| an answer in Python |"),
    "simulated_size": Small("--samples 2", "wrong by"),
    "view_scale": Small("{folder} --samples 2000 --cases 20 --requests 2", "first screen"),
}
# {lock} is a list of no packages. These read benchmarks that are no part of this repository.
WITH_BENCHMARKS = {
    "sealed_shares": Small("", "goals of fully sealed tests missed: none"),
    "grading_speed": Small("--rounds 1 --limit 2", "Steelyard, pytest: first round"),
    "references_calls": Small("--limit 2", "mbpp: empty bodies {'fail': 2}"),
    "references_rust": Small("--limit=1", "humaneval-x {'pass': 1}"),
    "references_bigcodebench": Small("{lock} --task BigCodeBench/2", "1 of 1"),
}
# These read benchmarks too, and are given records of ours. Every mistake that is found shows in the line.
WITH_RECORDS = {
    "mutants": Small("--count 100 --calls 2", "calls: 2 mutants"),
}
# Run by a test of their own, which says more about them than that they run.
ELSEWHERE = {
    "evalplus_verdicts": "tests/benchmarks/test_evalplus_verdicts.py",
    "everything": "tests/benchmarks/test_everything.py",
    "exit_codes": "tests/cli/test_exit_codes_of_stores.py",
    "kill_batches": "tests/e2e/test_batches.py",
    "kill_runner": "tests/e2e/test_killed_runner.py",
    "kill_writer": "tests/store/run/test_killed_writer.py",
    "planted_mutants": "tests/benchmarks/test_planted_mutants.py",
    "references": "tests/checks/toolchains/python/test_references.py",
    "sandbox_load": "tests/sandbox/test_load.py",
    "scale_tables": "tests/benchmarks/test_scale_tables.py",
    "slurm_shards": "tests/ci/test_slurm.py",
    "view_live": "tests/browser/test_viewer_benchmarks.py",
    "view_peers": "tests/browser/test_viewer_benchmarks.py",
}
# Not run by themselves: parts of those above.
PARTS = {
    "evalplus_peer": "evalplus_verdicts",
    "inspect_log": "view_peers",  # run by a Python that has Inspect
    "official": "mutants",
    "peers": "run_store",
    "process_tree": "run_store",
    "runner_sides": "runner_scale",
    "slurm_cluster": "slurm_shards",
    "slurm_kills": "slurm_shards",
    "model_call_peers": "model_calls",
}


@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_runs_to_its_end(name: str, tmp_path: Path) -> None:
    require_end(name, SCRIPTS[name], tmp_path)


@pytest.mark.timeout(900)
@pytest.mark.skipif(not os.environ.get(FOLDER_ENV), reason=f"{FOLDER_ENV} names no folder")
@pytest.mark.parametrize("name", WITH_BENCHMARKS)
def test_a_script_about_benchmarks_runs_to_its_end(name: str, tmp_path: Path) -> None:
    require_end(name, WITH_BENCHMARKS[name], tmp_path)


@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", WITH_RECORDS)
def test_a_script_finds_nothing_wrong_with_records_of_ours(name: str, tmp_path: Path) -> None:
    write_records(tmp_path / "records")

    ended = require_end(name, WITH_RECORDS[name], tmp_path, {FOLDER_ENV: str(tmp_path / "records")})

    assert ended.returncode == 0, ended.stdout


def require_end(
    name: str, small: Small, folder: Path, further: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run a script at a small size, and require that it gets to its end."""
    lock = folder / "empty.lock"
    lock.touch()
    words = small.words.format(folder=folder, python=sys.executable, lock=lock).split()

    ended = subprocess.run(
        [sys.executable, "-m", f"perf.{name}", *words],
        cwd=REPOSITORY,
        env={**os.environ, "BENCH_ATTEMPTS": "2", **(further or {})},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode in {0, 1}, ended.stderr
    assert small.shows in ended.stdout, ended.stdout + ended.stderr
    return ended


def test_no_script_is_left_out() -> None:
    there = {path.stem for path in FOLDER.glob("*.py")}

    assert there == {*SCRIPTS, *WITH_BENCHMARKS, *WITH_RECORDS, *ELSEWHERE, *PARTS}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_script_with_a_test_of_its_own_is_used_there(name: str) -> None:
    text = (REPOSITORY / ELSEWHERE[name]).read_text(encoding="utf-8")

    assert f"from perf.{name} import" in text


@pytest.mark.parametrize("name", PARTS)
def test_a_part_is_used_by_the_script_that_stands_for_it(name: str) -> None:
    text = (FOLDER / f"{PARTS[name]}.py").read_text(encoding="utf-8")

    assert name in text
