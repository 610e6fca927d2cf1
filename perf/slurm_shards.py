"""Run the scripts of examples/slurm in a private Slurm, kill nodes and tasks all the time, and merge.

The service that is asked for answers is a process of its own (tests/fake_providers), so its log tells what
was paid for. A kill is the power failure of a node, a task that is cancelled and requeued, or one that is
requeued at once. At the end the merged run must hold exactly what was planned; its report must be, byte for
byte, that of an undisturbed run of one machine with the same answers, and but for times that of one that
asked the service. Run: python -m perf.slurm_shards [--kills 100] [--shards 16] [--seed 1]
"""

import argparse
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import steelyard
from perf.kill_runner import (
    MODELS,
    REPOSITORY,
    answer_to,
    complete,
    rows_of,
    service,
    timeless,
    write_files,
)
from perf.slurm_cluster import Cluster, missing, slurm, wait
from perf.slurm_kills import CASES, ENDED, Killer, Log, paid_again
from steelyard.render.json import JsonRenderer

EXAMPLES = REPOSITORY / "examples/slurm"


# --- The verdict --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the kills came to."""

    kills: Mapping[str, int]
    tasks: int
    drawing: int
    planned: int
    requests: int
    lost: int
    doubled: int
    paid_again: int  # calls for answers that had been kept
    is_exact: bool  # the merged run holds what was planned, each with its own answer, all checked
    is_as_replayed: bool  # its report is, byte for byte, that of one machine with the same answers
    is_as_calm: bool  # and but for times that of one machine that asked the service

    @property
    def is_good(self) -> bool:
        """Whether nothing went wrong."""
        wrong = self.lost or self.doubled or self.paid_again
        return not wrong and self.is_exact and self.is_as_replayed and self.is_as_calm


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is run, and how often it is killed."""

    shards: int
    samples: int
    kills: int
    delay_s: float = 1.0  # of a call; each shard asks each of two providers for one answer at a time


def killed_often(folder: Path, size: Size, *, seed: int) -> Verdict:
    """Run shards in Slurm, kill so often, merge, and judge what came of it."""
    shards = size.shards
    write_files(folder, samples=size.samples)
    with service(folder, delay_s=size.delay_s):
        with slurm(folder / "slurm") as cluster:
            array, merge = submit(cluster, folder, shards)
            killer = Killer(cluster, folder, array, shards=shards, seed=seed)
            while killer.kills.total() < size.kills and killer.kill():
                pass
            killer.settle()
            killer.look(*range(1, shards + 1))
            killer.kill_merge(merge)
            wait(lambda: _ended(cluster, merge), "the merge does not end")
        log = Log(folder / "log.jsonl")
        log.read()
        complete(folder, "calm", "--max-concurrency", "50")
    steelyard.export_run(folder / "runs/whole", folder / "recorded.jsonl", table="samples")
    complete(folder, "replayed", "--replay", "recorded.jsonl")
    return _judged(folder, killer, log, len(MODELS) * len(CASES) * size.samples)


def submit(cluster: Cluster, folder: Path, shards: int) -> tuple[str, str]:
    """Submit the examples as a user does; return the numbers of the two jobs."""
    env = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "EVAL_SET": "set.toml",
        "SHARDS": str(shards),
        "RUN": "runs",
        "STEELYARD_RUN_MODELS": ",".join(MODELS),
        "STEELYARD_RUN_MAX_USD": "1000",
        "STEELYARD_RUN_MAX_CONCURRENCY": "1",
        "KILLED_KEY": "slurm",
    }
    said = cluster.command(str(EXAMPLES / "submit.sh"), cwd=folder, env=env)
    array, merge = re.findall(r"job (\d+)", said)
    return array, merge


def _ended(cluster: Cluster, job: str) -> bool:
    return all(task.state in ENDED for task in cluster.tasks(job))


def _judged(folder: Path, killer: Killer, log: Log, planned: int) -> Verdict:
    samples, outcomes = rows_of(folder / "runs/whole")
    is_exact = len(samples) == len(outcomes) == planned and all(
        text == answer_to(model, case, attempt) for model, case, attempt, _, text in samples
    )
    merged, calm, replayed = (
        JsonRenderer().render(steelyard.open_run(folder / run).report())
        for run in ("runs/whole", "calm", "replayed")
    )
    return Verdict(
        kills=killer.kills,
        tasks=killer.tasks,
        drawing=killer.drawing,
        planned=planned,
        requests=sum(map(len, log.asked.values())),
        lost=killer.lost + planned - len(samples),
        doubled=killer.doubled + len(samples) - len({row[:3] for row in samples}),
        paid_again=paid_again(log.asked, folder / "runs/whole"),
        is_exact=is_exact,
        is_as_replayed=merged == replayed,
        is_as_calm=timeless(json.loads(merged)) == timeless(json.loads(calm)),
    )


def main() -> int:
    """Kill, judge, print, and return 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description="Kill the nodes and tasks of a private Slurm.")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--shards", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if absent := missing():
        print(f"not run: {absent}", file=sys.stderr)
        return 3
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        # So many samples that the run outlasts the kills.
        samples = max(5, given.kills * 20 // given.shards)
        size = Size(shards=given.shards, samples=samples, kills=given.kills)
        found = killed_often(Path(folder), size, seed=given.seed)
    kills = sum(found.kills.values())
    print(f"{given.shards} shards, {kills} kills in {time.perf_counter() - began:.0f} s: {dict(found.kills)}")
    print(f"{found.tasks} tasks died, {found.drawing} of them with answers drawn since their start")
    print(
        f"{found.planned} answers planned, {found.requests} asked for, {found.paid_again} of them though kept"
    )
    print(f"{found.lost} rows lost, {found.doubled} doubled; the run is exactly as planned: {found.is_exact}")
    print(f"the report equals that of one machine, byte for byte: {found.is_as_replayed}")
    print(f"but for times, the report equals that of a run against the service: {found.is_as_calm}")
    is_good = found.is_good and kills >= given.kills
    print("met" if is_good else "MISSED")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
