"""Kill nodes and tasks of an array in a private Slurm, and watch what its shards commit.

A kill is the power failure of a node, a task that is cancelled and requeued, or one that is requeued at once.
"""

import json
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from random import Random

from perf.kill_runner import CODES, MODELS, TALKS, Key, prompt_of, rows_of
from perf.slurm_cluster import Cluster, SlurmError, Task, wait
from steelyard.model.sample import text_digest
from steelyard.store.run.files import reading
from steelyard.store.run.run_store import open_run

CASES = (*CODES, *TALKS)  # in the order of the set
EARLY_SHARE = 0.2  # kills whatever the task is doing; the others when it has drawn something since it started
PAUSE_S = 1.0  # the longest between two kills
MERGE_S = 1.5  # the longest that a merge lives before its node is killed
LOOK_S = 0.3
MOST_DARK = 2  # nodes that are dead at a time; the others can take all tasks
KINDS = {
    "node": 8,
    "node, found out by Slurm": 1,
    "cancel": 4,
    "cancel by SIGKILL": 3,
    "requeue": 4,
}  # weights
GONE = frozenset({"CANCELLED", "FAILED", "NODE_FAIL", "PENDING"})  # states of a task that was killed
ENDED = frozenset({"CANCELLED", "COMPLETED", "FAILED", "NODE_FAIL", "TIMEOUT"})


# --- What was asked -----------------------------------------------------------------------------------------


class Log:
    """The log of the service: when each answer was asked for."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = 0
        self.asked: dict[Key, list[float]] = defaultdict(list)  # seconds since 1970
        self._cases = {text_digest(prompt_of(name)): name for name in CASES}
        self._models = {model.partition("/")[2]: model for model in MODELS}

    def read(self) -> None:
        """Take in what was logged since the last time."""
        with self._path.open("rb") as file:
            file.seek(self._read)
            for line in file:
                if line.endswith(b"\n"):
                    self._read += len(line)
                    said = json.loads(line)
                    key = (self._models[said["model"]], self._cases[said["prompt"]], said["seed"])
                    self.asked[key].append(said["asked_s"])

    def latest(self, cases: tuple[str, ...]) -> float:
        """Return when one of these cases was last asked for; 0 if never."""
        return max(
            (moment for key, times in self.asked.items() if key[1] in cases for moment in times), default=0
        )


def paid_again(asked: Mapping[Key, list[float]], run: Path) -> int:
    """Count the calls for answers that had been kept: those that began after the one whose answer is kept."""
    store = open_run(run)
    with reading(store.samples) as connection:
        rows = connection.execute("SELECT model, case_id, attempt, generated_at_us FROM rows").fetchall()
    found = 0
    for model, case, attempt, generated_at_us in rows:
        since = sum(moment >= generated_at_us / 1e6 for moment in asked[model, case, attempt])
        assert since, f"nobody asked for {model} {case} {attempt}"
        found += since - 1
    return found


# --- The killer ---------------------------------------------------------------------------------------------


class Killer:
    """Kills nodes and tasks of one array, and watches what its shards have committed."""

    def __init__(self, cluster: Cluster, folder: Path, job: str, *, shards: int, seed: int) -> None:
        self._cluster = cluster
        self._folder = folder
        self._job = job
        self._shards = shards
        self._chance = Random(seed)
        self._log = Log(folder / "log.jsonl")
        self._started: dict[int, float] = defaultdict(time.time)  # when a task was last killed
        self._rows: dict[Key, tuple[object, ...]] = {}  # as each was when it was first seen
        self._dark: dict[str, list[int]] = {}  # dead nodes, each with the tasks that ran there
        self.kills = Counter[str]()
        self.tasks = 0  # tasks that died
        self.drawing = 0  # of these, with answers drawn since they had been started
        self.lost = 0  # rows that are gone or have changed, and outcomes without an answer
        self.doubled = 0  # rows that are there twice

    def kill(self) -> bool:
        """Kill something that is running, in some way; False if the array has ended."""
        time.sleep(self._chance.uniform(0, PAUSE_S))
        victim = self._victim(at_any_moment=self._chance.random() < EARLY_SHARE)
        if victim is None:
            return False
        kinds = [kind for kind in KINDS if "node" not in kind or len(self._dark) < MOST_DARK]
        kind = self._chance.choices(kinds, weights=[KINDS[kind] for kind in kinds])[0]
        dead = self._kill_node(victim.node, kind) if "node" in kind else self._kill_task(victim, kind)
        self.kills[kind] += bool(dead)
        self.tasks += len(dead)
        return True

    def settle(self) -> None:
        """Kill nothing more, start the dead nodes, and wait until the array has ended."""
        while self._victim(at_any_moment=True) is not None:
            time.sleep(LOOK_S)

    def kill_merge(self, job: str) -> None:
        """Kill the node on which the shards are merged."""
        wait(lambda: self._cluster.tasks(job)[0].state in {"RUNNING", *ENDED}, "the merge does not begin")
        [task] = self._cluster.tasks(job)
        if task.state == "RUNNING":
            time.sleep(self._chance.uniform(0, MERGE_S))
            self._cluster.kill_node(task.node)
            self._cluster.command(
                "scontrol", "update", f"nodename={task.node}", "state=down", "reason=killed"
            )
            self.kills["node, while merging"] += 1

    def look(self, *indices: int) -> None:
        """Look at what some shards have committed, and count what is wrong."""
        for index in indices:
            samples, outcomes = rows_of(self._folder / f"runs/shard-{index}")
            found = {row[:3]: row[3:] for row in samples}
            self.doubled += len(samples) - len(found) + len(outcomes) - len(set(outcomes))
            self.lost += len(set(outcomes) - set(found))
            mine = cases_of(index, self._shards)
            known = {key: row for key, row in self._rows.items() if key[1] in mine}
            self.lost += sum(found.get(key) != row for key, row in known.items())
            self._rows |= found

    def _victim(self, *, at_any_moment: bool) -> Task | None:
        """Wait for a task that runs, or draws; None when all have ended."""
        while True:
            tasks = self._cluster.tasks(self._job)
            self._switch_on(tasks)
            self._log.read()
            running = [task for task in tasks if task.state == "RUNNING" and task.node not in self._dark]
            if found := [task for task in running if at_any_moment or self._is_drawing(task.number)]:
                return self._chance.choice(found)
            if all(task.state in ENDED for task in tasks):
                return None
            time.sleep(LOOK_S)

    def _is_drawing(self, shard: int) -> bool:
        return self._log.latest(cases_of(shard, self._shards)) > self._started[shard]

    @staticmethod
    def _runs_on(task: Task, node: str) -> bool:
        return task.state == "RUNNING" and task.node == node

    def _kill_node(self, name: str, kind: str) -> list[int]:
        there = [task.number for task in self._cluster.tasks(self._job) if self._runs_on(task, name)]
        self._cluster.kill_node(name)
        self._dark[name] = there
        self._note(there)
        if kind == "node":  # an administrator tells Slurm
            self._cluster.command("scontrol", "update", f"nodename={name}", "state=down", "reason=killed")
        self.look(*there)
        return there

    def _switch_on(self, tasks: list[Task]) -> None:
        """Start the dead nodes whose tasks run elsewhere.

        A node that came back earlier could get a task again together with the order to kill its former life:
        the reason why Slurm waits two minutes before it starts a requeued task, unless told otherwise.
        """
        waiting = {task.number for task in tasks if task.state == "PENDING" or task.node in self._dark}
        for name, numbers in tuple(self._dark.items()):
            if not waiting & set(numbers):
                del self._dark[name]
                self._cluster.start_node(name)

    def _kill_task(self, task: Task, kind: str) -> list[int]:
        name = f"{task.job}_{task.number}"
        try:
            if kind == "requeue":
                self._cluster.command("scontrol", "requeue", name)
            else:
                self._cluster.command(
                    "scancel", *(["--signal=KILL", "--full"] if "KILL" in kind else []), name
                )
        except SlurmError:  # it ended by itself at that moment
            return []
        wait(lambda: self._state(task.number) in GONE | {"COMPLETED"}, f"{name} does not end")
        if self._state(task.number) == "COMPLETED":
            return []
        self._note([task.number])
        self.look(task.number)
        if kind != "requeue":
            self._cluster.command("scontrol", "requeue", name)
        return [task.number]

    def _note(self, indices: list[int]) -> None:
        self._log.read()
        for index in indices:
            self.drawing += self._is_drawing(index)
            self._started[index] = time.time()

    def _state(self, index: int) -> str:
        return next(task.state for task in self._cluster.tasks(self._job) if task.number == index)


def cases_of(index: int, shards: int) -> tuple[str, ...]:
    """Return the cases of a shard."""
    return CASES[index - 1 :: shards]
