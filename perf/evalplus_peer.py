"""Run EvalPlus' own command on answers, and ours on the same ones: see evalplus_verdicts.py."""

import gzip
import json
import os
import re
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import steelyard
from steelyard.model.case import Case
from steelyard.sources.benchmark_data.places import local_files
from steelyard.sources.benchmark_data.records import read_records
from steelyard.store.run.query import query_run

# The name of a benchmark with EvalPlus, and the variable by which it takes a file of ours.
DATASETS = {
    "humaneval+": ("humaneval", "HUMANEVAL_OVERRIDE_PATH"),
    "humaneval+mini": ("humaneval", "HUMANEVAL_OVERRIDE_PATH"),
    "mbpp+": ("mbpp", "MBPP_OVERRIDE_PATH"),
}
ASKED = re.compile(r"Expected outputs computed in ([\d.]+)s")


class Answer(NamedTuple):
    """An answer to a task, and how it was made."""

    task: str
    kind: str
    text: str


def read_answers(path: Path | None, cases: Sequence[Case]) -> list[Answer]:
    """Return the answers of a record of EvalPlus to these cases."""
    if path is None:
        return []
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    wanted = {case.id for case in cases}
    return [Answer(row["task_id"], "recorded", row["solution"]) for row in rows if row["task_id"] in wanted]


class EvalPlus:
    """EvalPlus' command in an environment of its own; `seconds` is what it took the last time."""

    def __init__(self, python: str, name: str, folder: Path, place: Path, workers: int) -> None:
        files = local_files(steelyard.find_benchmark(name), "", folder)
        self._records = {
            record["task_id"]: dict(record) for file in files for record in read_records(file.path)
        }
        self._python, self._name, self._place = python, name, place
        self.workers = workers
        self.seconds = 0.0

    def verdicts(self, answers: Sequence[Answer], *, least_s: float = 1.0) -> list[str]:
        """Return pass, fail or timeout for each answer; an input has `least_s` seconds at least."""
        dataset, variable = DATASETS[self._name]
        tasks = list(dict.fromkeys(answer.task for answer in answers))
        data, samples = self._place / "data.jsonl", self._place / "samples.jsonl"
        result = self._place / "samples_eval_results.json"
        result.unlink(missing_ok=True)
        _write(data, [self._records[task] for task in tasks])
        _write(samples, [{"task_id": answer.task, "solution": answer.text} for answer in answers])
        argv = [self._python, "-m", "evalplus.evaluate", "--dataset", dataset, "--samples", str(samples)]
        argv += ["--parallel", str(self.workers), "--min-time-limit", str(least_s)]
        env = {**os.environ, variable: str(data), "XDG_CACHE_HOME": str(self._place)}
        began = time.monotonic()
        ran = subprocess.run(argv, env=env, capture_output=True, text=True, check=False)
        if ran.returncode or not result.is_file():
            raise SystemExit(f"EvalPlus ended with {ran.returncode}: {ran.stderr[-2000:]}")
        # It asks the references first, and keeps what they return, as we do.
        asked = sum(float(seconds) for seconds in ASKED.findall(ran.stdout))
        self.seconds = time.monotonic() - began - asked
        found = json.loads(result.read_text(encoding="utf-8"))["eval"]
        taken = defaultdict[str, int](int)
        verdicts = []
        for answer in answers:
            verdicts.append(_verdict(found[answer.task][taken[answer.task]]))
            taken[answer.task] += 1
        return verdicts


def _verdict(row: dict[str, str]) -> str:
    """Return the worse one of two verdicts: by the original inputs, and by the added ones."""
    return row["plus_status"] if row["base_status"] == "pass" else row["base_status"]


def _write(path: Path, rows: Sequence[object]) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def run_ours(name: str, folder: Path, answers: Sequence[Answer], place: Path, workers: int) -> int:
    """Run a benchmark with recorded answers by our own command; return how many pass."""
    record = place / "answers.jsonl"
    rows = [{"model": "m", "case": one.task, "attempt": 0, "text": one.text} for one in answers]
    _write(record, rows)
    argv = [sys.executable, "-m", "steelyard", "run", "--benchmark", name, "--benchmark-data", str(folder)]
    argv += ["--replay", str(record), "--run", str(place / "run"), "--quiet"]
    argv += ["--threads", str(workers)]
    ran = subprocess.run(argv, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise SystemExit(f"ours ended with {ran.returncode}: {ran.stderr[-2000:]}")
    found = query_run(place / "run", "SELECT count(*) AS passed FROM outcomes WHERE passed")
    return int(next(iter(found))["passed"])
