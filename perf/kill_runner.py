"""Kill `steelyard run` again and again in one run, and see that no paid answer is lost or drawn twice.

The service is a process of its own (tests/fake_providers), so its log tells what was really asked. Each
driver has a key of its own, so the log also tells by whom: what was committed before a driver started must
not be asked for by that driver. At the end the run must hold exactly what was planned; its report must be,
byte for byte, that of an undisturbed run with the same answers, and but for times that of one that asked the
service. Run: python -m perf.kill_runner [--kills 100] [--seed 1]
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import steelyard
from steelyard.model.sample import text_digest
from steelyard.store.run.files import reading
from steelyard.store.run.run_store import is_run, open_run

REPOSITORY = Path(__file__).parents[1]
MODELS = ("openai/one", "lab/two")  # of two providers; both take a seed, which tells attempts apart
TALKS = tuple(f"talk-{number:02d}" for number in range(18))  # cases whose answers are text
CODES = ("code-0", "code-1")  # cases whose answers are run in a sandbox
DELAY_S, AT_ONCE = 0.3, 4  # of a call, and calls to each provider: slow enough to be killed in time
EARLY_SHARE = 0.2  # kills while the driver is still starting
LATE_SHARE = 0.1  # further kills when everything is drawn
LIFE_S = 2.5  # the longest that a driver lives after its first answer
PATIENCE_S = 600.0
CLOCK = frozenset({"duration_s", "latency_s", "mean_latency_s", "latency_p95_s"})

SET = """
[eval_set]
id = "killed"
default_language = "text"
[sampling]
samples = {samples}
seed = 0
max_tokens = 256
"""
TALK = """
[[cases]]
id = "{name}"
prompt = "{prompt}"
[cases.expectations.settings]
regex = '\\Ayes'
"""
CODE = """
[[cases]]
id = "{name}"
language = "python"
prompt = "{prompt}"
[cases.expectations]
functions = ["plus"]
tests = '''
def test_plus():
    assert plus(1) == 2
'''
"""
CONFIG = """
models = ["openai/one", "lab/two"]
[providers.openai]
base_url = "http://127.0.0.1:{port}/v1"
api_key_env = "KILLED_KEY"
[providers.lab]
kind = "openai"
base_url = "http://127.0.0.1:{port}/v1"
api_key_env = "KILLED_KEY"
[[prices]]
model = "openai/*"
input = 1.0
output = 4.0
[[prices]]
model = "lab/*"
input = 2.0
output = 8.0
"""

Key = tuple[str, str, int]  # model, case, attempt


# --- What is asked, and what is answered -----------------------------------------------------------------


def prompt_of(name: str) -> str:
    """Return the prompt of a case."""
    return f"Say yes to {name}." if name in TALKS else f"Write a Python function that adds one: {name}."


def answer_to(model: str, name: str, attempt: int) -> str:
    """Return the one answer that there is: a third of them wrong, and no two alike."""
    mark = f"{model} {name} {attempt}"
    is_right = Random(mark).random() < 2 / 3
    if name in TALKS:
        return f"{'yes' if is_right else 'no'}: {mark}"
    return f"```python\ndef plus(x):\n    return x + {1 if is_right else 2}  # {mark}\n```"


def write_files(folder: Path, *, samples: int) -> None:
    """Write the eval set and the answers."""
    cases = [CODE.format(name=name, prompt=prompt_of(name)) for name in CODES]
    cases += [TALK.format(name=name, prompt=prompt_of(name)) for name in TALKS]
    text = "\n".join([SET.format(samples=samples), *cases])
    (folder / "set.toml").write_text(text, encoding="utf-8")
    lines = [
        {
            "contains": prompt_of(name),
            "model": model.partition("/")[2],
            "texts": [answer_to(model, name, attempt) for attempt in range(samples)],
        }
        for model in MODELS
        for name in (*CODES, *TALKS)
    ]
    (folder / "answers.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")


@contextmanager
def service(folder: Path, *, delay_s: float = DELAY_S) -> Iterator[None]:
    """Serve the answers from a process of its own, and write a configuration that leads there."""
    words = [sys.executable, "-m", "tests.fake_providers", "--port-file", str(folder / "port")]
    words += ["--log", str(folder / "log.jsonl"), "--answers", str(folder / "answers.jsonl")]
    with subprocess.Popen([*words, "--delay", str(delay_s)], cwd=REPOSITORY) as process:
        try:
            _wait((folder / "port").exists)
            port = (folder / "port").read_text(encoding="ascii").strip()
            (folder / "steelyard.toml").write_text(CONFIG.format(port=port), encoding="utf-8")
            yield
        finally:
            process.send_signal(signal.SIGTERM)


def asked_by(folder: Path) -> Mapping[str, list[Key]]:
    """Return what each driver asked for, as the service logged it."""
    cases = {text_digest(prompt_of(name)): name for name in (*CODES, *TALKS)}
    models = {model.partition("/")[2]: model for model in MODELS}
    found = defaultdict[str, list[Key]](list)
    for line in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines():
        said = json.loads(line)
        found[said["key"]].append((models[said["model"]], cases[said["prompt"]], said["seed"]))
    return found


# --- The drivers -----------------------------------------------------------------------------------------


@contextmanager
def driver(folder: Path, run: str, *words: str, key: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start `steelyard run`: on a run that is there, or for the first time."""
    begins = ("--resume", run) if is_run(folder / run) else ("--eval-set", "set.toml", "--run", run)
    command = [sys.executable, "-m", "steelyard", "run", "--quiet", "-o", f"{run}.json", *begins, *words]
    with (
        (folder / f"{run}.out").open("wb") as out,
        subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "KILLED_KEY": key},
            stdout=out,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


def complete(folder: Path, run: str, *words: str) -> None:
    """Let a driver begin or finish a run, unharmed."""
    with driver(folder, run, *words, key=run) as process:
        code = process.wait(PATIENCE_S)
    said = (folder / f"{run}.out").read_text(encoding="utf-8")
    assert code == 0, said
    assert "since we broke" not in said, said


# --- The killer ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Death:
    """What one killed driver found when it started, and what it left behind."""

    key: str
    found: frozenset[Key]  # answers that had been committed before
    left: frozenset[Key]  # answers that were committed when it was dead
    unchecked: int  # of these


class Killer:
    """Kills the drivers of one run, and watches what is committed."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder = folder
        self._chance = Random(seed)
        self._rows: dict[Key, tuple[object, ...]] = {}  # as each was when it was first seen
        self._turn = 0
        self.deaths: list[Death] = []
        self.lost = 0  # rows that are gone or have changed, and outcomes without an answer
        self.doubled = 0  # rows that are there twice
        self.opening_s = self._opening_s()

    def kill(self, *, is_late: bool = False) -> None:
        """Start a driver and kill it while it starts, or at some moment after its first answer."""
        self._turn += 1
        key, found, log = f"driver-{self._turn}", frozenset(self._rows), self._folder / "log.jsonl"
        with driver(self._folder, "killed", "--max-concurrency", str(AT_ONCE), key=key) as process:
            if is_late or self._chance.random() < EARLY_SHARE:
                time.sleep(self._chance.uniform(0, self.opening_s))
            else:
                size = log.stat().st_size
                _wait(lambda: process.poll() is not None or log.stat().st_size > size)
                time.sleep(self._chance.uniform(0, LIFE_S))
            is_alive = process.poll() is None
        assert is_alive or process.returncode == 0, (self._folder / "killed.out").read_text(encoding="utf-8")
        left, unchecked = self.look()
        if is_alive:
            self.deaths.append(Death(key=key, found=found, left=left, unchecked=unchecked))

    def look(self) -> tuple[frozenset[Key], int]:
        """Look at the run: return what is committed, and how much of it is unchecked; count what is wrong."""
        samples, outcomes = rows_of(self._folder / "killed")
        found = {row[:3]: row[3:] for row in samples}
        self.doubled += len(samples) - len(found) + len(outcomes) - len(set(outcomes))
        self.lost += sum(found.get(key) != row for key, row in self._rows.items())
        self.lost += len(set(outcomes) - set(found))
        self._rows |= found
        return frozenset(found), len(found) - len(set(outcomes))

    def _opening_s(self) -> float:
        """Return how long a driver takes to its first answer, in a run of its own."""
        began = time.perf_counter()
        with driver(self._folder, "opening", "--max-concurrency", "1", key="opening"):
            _wait(lambda: (self._folder / "log.jsonl").stat().st_size > 0)
        return time.perf_counter() - began


def rows_of(run: Path) -> tuple[list[Any], list[Any]]:
    """Return the committed answers (key, when drawn, text) and the keys of the outcomes."""
    if not is_run(run):
        return [], []
    store = open_run(run)
    with reading(store.samples) as connection:
        samples = connection.execute(
            "SELECT model, case_id, attempt, generated_at_us, text FROM rows"
        ).fetchall()
    with reading(store.outcomes) as connection:
        outcomes = connection.execute("SELECT model, case_id, attempt FROM rows").fetchall()
    return samples, outcomes


def _wait(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline, "nothing happened"
        time.sleep(0.01)


# --- The verdict -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the kills came to."""

    kills: int
    stages: Mapping[str, int]
    requests: int
    planned: int
    lost: int
    doubled: int
    redrawn: int  # committed answers that a later driver asked for again
    repeated: int  # answers that one driver asked for twice
    wasted: int  # answers that were paid for and died with their driver
    is_exact: bool  # the run holds what was planned, each with its own answer, all checked
    is_as_replayed: bool  # the report is, byte for byte, that of an undisturbed run with the same answers
    is_as_calm: bool  # and but for times that of an undisturbed run against the service

    @property
    def is_good(self) -> bool:
        """Whether nothing went wrong."""
        wrong = self.lost or self.doubled or self.redrawn or self.repeated
        return not wrong and self.is_exact and self.is_as_replayed and self.is_as_calm


def killed_often(folder: Path, *, kills: int, seed: int, samples: int) -> Verdict:
    """Kill drivers of one run so often, then a few more when all is drawn, and judge what came of it."""
    planned = len(MODELS) * (len(TALKS) + len(CODES)) * samples
    write_files(folder, samples=samples)
    with service(folder):
        killer = Killer(folder, seed)
        while len(killer.deaths) < kills and len(rows_of(folder / "killed")[0]) < planned:
            killer.kill()
        complete(folder, "killed", "--max-concurrency", "50")
        killer.look()
        for _ in range(late := round(kills * LATE_SHARE)):
            killer.kill(is_late=True)
        if late:
            complete(folder, "killed")
            killer.look()
        complete(folder, "calm", "--max-concurrency", "50")
    _replay(folder)
    return _judged(folder, killer, planned)


def _replay(folder: Path) -> None:
    """Make a run of the answers that the killed run has, undisturbed."""
    steelyard.export_run(folder / "killed", folder / "recorded.jsonl", table="samples")
    complete(folder, "replayed", "--replay", "recorded.jsonl")


def _judged(folder: Path, killer: Killer, planned: int) -> Verdict:
    asked = asked_by(folder)
    samples, outcomes = rows_of(folder / "killed")
    is_exact = len(samples) == len(outcomes) == planned and all(
        text == answer_to(model, case, attempt) for model, case, attempt, _, text in samples
    )
    reports = {run: (folder / f"{run}.json").read_bytes() for run in ("killed", "calm", "replayed")}
    return Verdict(
        kills=len(killer.deaths),
        stages=Counter(_stage(death, len(asked[death.key]), planned) for death in killer.deaths),
        requests=sum(len(keys) for key, keys in asked.items() if key.startswith(("driver", "killed"))),
        planned=planned,
        lost=killer.lost,
        doubled=killer.doubled,
        redrawn=sum(len(death.found & set(asked[death.key])) for death in killer.deaths),
        repeated=sum(len(keys) - len(set(keys)) for keys in asked.values()),
        wasted=sum(len(set(asked[death.key]) - death.left) for death in killer.deaths),
        is_exact=is_exact,
        is_as_replayed=reports["killed"] == reports["replayed"],
        is_as_calm=timeless(json.loads(reports["killed"])) == timeless(json.loads(reports["calm"])),
    )


def _stage(death: Death, asked: int, planned: int) -> str:
    """Say what a driver was doing when it was killed, as far as it left traces."""
    if len(death.found) == planned:
        return "when all was drawn"
    if not asked:
        return "before it asked anything"
    if death.left == death.found:
        return "before its first commit"
    return "with answers unchecked" if death.unchecked else "with all committed answers checked"


def timeless(report: object) -> object:
    """Return a report without what the clock decides."""
    return without(report, lambda name: name in CLOCK)


def without(report: object, is_left_out: Callable[[str], bool]) -> object:
    """Return a report without the fields of some names, however deep they are."""
    if isinstance(report, dict):
        return {name: without(value, is_left_out) for name, value in report.items() if not is_left_out(name)}
    return [without(value, is_left_out) for value in report] if isinstance(report, list) else report


def main() -> int:
    """Kill, judge, print, and return 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description="Kill `steelyard run` again and again.")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        # So many that the run outlasts the kills.
        found = killed_often(Path(folder), kills=given.kills, seed=given.seed, samples=max(5, given.kills))
    print(f"{found.kills} kills in {time.perf_counter() - began:.0f} s: {dict(found.stages)}")
    print(f"{found.planned} answers planned, {found.requests} asked for, {found.wasted} died uncommitted")
    print(f"{found.redrawn} committed answers drawn again, {found.repeated} asked twice by one driver")
    print(f"{found.lost} rows lost, {found.doubled} doubled; the run is exactly as planned: {found.is_exact}")
    print(f"the report equals that of an undisturbed run, byte for byte: {found.is_as_replayed}")
    print(f"but for times, the report equals that of a run against the service: {found.is_as_calm}")
    is_good = found.is_good and found.kills >= given.kills
    print("met" if is_good else "MISSED")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
