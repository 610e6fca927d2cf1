"""The scripts for Slurm, in a Slurm of several nodes; `perf/slurm_shards.py` kills there 100 times."""

import os
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from perf.slurm_cluster import NODES, missing, slurm, wait
from perf.slurm_kills import Log, paid_again
from perf.slurm_shards import Size, killed_often
from tests.repo.package import REPOSITORY

FOLDER = REPOSITORY / "examples/slurm"
SMALL = Size(shards=3, samples=3, kills=2, delay_s=0.5)


@pytest.mark.timeout(900)
def test_shards_that_are_killed_with_their_nodes_make_the_run_of_one_machine(tmp_path: Path) -> None:
    assert not missing()

    found = killed_often(tmp_path, SMALL, seed=3)

    assert sum(found.kills.values()) >= SMALL.kills
    assert found.tasks >= SMALL.kills
    assert (found.lost, found.doubled, found.paid_again) == (0, 0, 0)
    assert found.is_exact
    assert found.is_as_replayed
    assert found.is_as_calm
    assert one_more_call_is_found(tmp_path)


def one_more_call_is_found(folder: Path) -> bool:
    log = Log(folder / "log.jsonl")
    log.read()
    before = paid_again(log.asked, folder / "calm")
    next(iter(log.asked.values())).append(time.time())
    return paid_again(log.asked, folder / "calm") == before + 1


@pytest.mark.timeout(900)
def test_a_killed_node_takes_its_tasks_along_and_slurm_leaves_nothing_behind(tmp_path: Path) -> None:
    script = tmp_path / "sleep.sh"
    script.write_text("#!/bin/sh\ntouch begun-$SLURM_ARRAY_TASK_ID\nsleep 1000 && :\n", encoding="utf-8")

    with slurm(tmp_path / "slurm") as cluster:
        job = cluster.command("sbatch", "--parsable", "--array=1-4", str(script), cwd=tmp_path).strip()
        wait(lambda: len(list(tmp_path.glob("begun-*"))) == 4, "the tasks do not begin")
        tasks = cluster.tasks(job)
        cluster.kill_node("n1")
        alive = nodes_with_processes(tmp_path)

    assert {task.node for task in tasks} == set(NODES)
    assert alive == set(NODES) - {"n1"}
    wait(lambda: not any(str(tmp_path) in words for words in of_processes("cmdline")), "something is left")
    assert nodes_with_processes(tmp_path) == set()


def nodes_with_processes(folder: Path) -> set[str]:
    """Return the nodes that run something that was submitted in a folder."""
    mine = [text for text in of_processes("environ") if f"SLURM_SUBMIT_DIR={folder}" in text]
    return {node for text in mine for node in re.findall(r"SLURMD_NODENAME=(\w+)", text)}


def of_processes(name: str) -> list[str]:
    """Return what /proc has under a name for each process."""
    found = []
    for path in Path("/proc").glob(f"[0-9]*/{name}"):
        with suppress(OSError):  # it has ended meanwhile
            found.append(path.read_bytes().decode("utf-8", "replace"))
    return found


def test_without_slurm_the_benchmark_says_what_to_install(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "perf.slurm_shards"],
        cwd=REPOSITORY,
        env={**os.environ, "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 3
    assert "apt-get install slurm-wlm munge" in ended.stderr


def test_each_day_is_a_run_of_its_own_unless_one_is_named(tmp_path: Path) -> None:
    fake = tmp_path / "sbatch"
    fake.write_text("#!/bin/sh\necho 7\n", encoding="utf-8")
    fake.chmod(0o755)

    def submitted(**variables: str) -> str:
        path = f"{tmp_path}:{os.environ['PATH']}"
        done = subprocess.run(
            [FOLDER / "submit.sh"],
            env={"PATH": path, **variables},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    assert re.search(r"run: /shared/runs/\d{4}-\d\d-\d\d$", submitted())
    assert "run: /shared/runs/mine" in submitted(RUN="/shared/runs/mine")


def test_the_scripts_set_no_key_and_ask_slurm_to_start_killed_tasks_again() -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.sh")}

    assert not [name for name, text in texts.items() if "_KEY" in text]
    assert {name for name, text in texts.items() if "#SBATCH --requeue" in text} == {*texts} - {"submit.sh"}
