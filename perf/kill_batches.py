"""Kill `steelyard run --batch` again and again, and see that no batch is lost or paid for twice.

The service (tests/fake_providers/batches.py) counts what is paid for. Half of the kills are its own: at a
call of its choice, before it deals with the call or right after, so that a batch is made and its maker never
hears of it. The other half come some time after a call: while answers are committed, or while a session
checks them. Run: python -m perf.kill_batches [--kills 100] [--seed 1]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from perf.kill_runner import without
from steelyard.store.run.files import reading
from steelyard.store.run.run_store import is_run, open_run
from tests.e2e.lab import KEY, KEY_NAME, config, numbered, small_set
from tests.fake_providers.batches import BatchShop, selling

CASES, SAMPLES = 6, 2
TOTAL = CASES * SAMPLES
VENDORS = ("openai", "anthropic", "google")
KILLED = -9
EACH = 4  # kills of one run
LAST_CALL = 7  # the latest call that a run is killed at
LIFE_S = 1.0  # the longest that a run lives after that call
PATIENCE_S = 600.0
MONEY_AND_TIME = ("cost", "latency", "duration", "timed")
# The pauses of a real run would make this take days.
PROGRAM = """
import sys
from steelyard.runner.batch import phase
phase.FIRST_PAUSE_S, phase.LONGEST_PAUSE_S, phase.SURE_S = 0.05, 0.2, 0.5
from steelyard.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


@dataclass(kw_only=True)
class Verdict:
    """What the kills came to."""

    kills: int = 0
    runs: int = 0
    stages: Counter[str] = field(default_factory=Counter)
    lost: int = 0  # answers that the run lacks at the end
    doubled: int = 0  # answers that are there twice
    paid_twice: int = 0  # by the service's own log
    direct: int = 0  # calls at the full price
    left_open: int = 0  # files of batches that nobody needs any more
    with_key: int = 0  # files and messages that hold the key
    other_reports: int = 0  # that differ from that of a calm run, but for money and time


def killed_often(folder: Path, *, kills: int, seed: int) -> Verdict:
    """Kill runs of all vendors, some times each, until there were enough kills."""
    random, verdict = Random(seed), Verdict()
    calm: dict[str, object] = {}  # by vendor: the report of a run that nobody killed
    while verdict.kills < kills:
        vendor = VENDORS[verdict.runs % len(VENDORS)]
        # The smaller queue puts back the first batch for OpenAI, and takes it in halves.
        queue = random.choice((TOTAL, TOTAL // 2))
        with selling(BatchShop(looks=random.randint(0, 3), queue=queue)) as shop:
            victim = Victim(folder / f"{verdict.runs}-{vendor}", shop, vendor)
            stages = victim.killed(random)
            victim.judged(verdict)
            calm[vendor] = calm.get(vendor) or victim.calm_report()
        verdict.kills, verdict.runs = verdict.kills + len(stages), verdict.runs + 1
        verdict.stages.update(stages)
        verdict.other_reports += victim.report() != calm[vendor]
        print(f"{vendor}: {verdict}", flush=True)
    return verdict


class Victim:
    """A run that is killed again and again."""

    def __init__(self, folder: Path, shop: BatchShop, vendor: str) -> None:
        folder.mkdir()
        small_set(folder, numbered(CASES), samples=SAMPLES)
        text = config({vendor: shop.url(vendor)}, f"{vendor}/m")
        (folder / "steelyard.toml").write_text(text, encoding="utf-8")
        self._folder, self._shop = folder, shop
        self._submits_at = 2 if vendor == "openai" else 1  # the call; OpenAI gets a file first
        seed = () if vendor == "anthropic" else ("--seed", "0")  # which tells attempts apart
        self._first = ("run", "--eval-set", "small.toml", *seed)

    def killed(self, random: Random) -> list[str]:
        """Begin the run, kill it and go on with it some times, then let it end; return when it was killed."""
        stages = []
        for _ in range(EACH):
            before = len(self._shop.calls)
            if self._session(random) == 0:
                break
            stages.append(_stage(self._shop.calls[before:]))
        assert self._session(None) == 0, self._log()
        return stages

    def judged(self, verdict: Verdict) -> None:
        """Count what is wrong with the run; the service knows what was paid for."""
        with reading(open_run(self._folder / "run").samples) as connection:
            [(rows, keys)] = connection.execute(
                "SELECT count(*), count(DISTINCT (case_id, attempt)) FROM rows WHERE error IS NULL"
            ).fetchall()
        verdict.lost += TOTAL - keys
        verdict.doubled += rows - keys
        verdict.paid_twice += self._shop.paid.total() - TOTAL
        verdict.direct += self._shop.direct
        # A kill may leave the draft of a file, which begins with a dot and which no run reads.
        verdict.left_open += len(list((self._folder / "run" / "batches").glob("[!.]*")))
        files = (path.read_bytes() for path in self._folder.rglob("*") if path.is_file())
        verdict.with_key += sum(KEY.encode() in content for content in files)

    def report(self, name: str = "report.json") -> object:
        """Return the last report, without what batches change."""
        return without_money_and_time(json.loads((self._folder / name).read_bytes()))

    def calm_report(self) -> object:
        """Draw the same directly, undisturbed, and return the report."""
        words = (*self._first, "--run", "calm", "--quiet", "-o", "calm.json")
        with self._started(["-m", "steelyard", *words]) as process:
            assert process.wait(PATIENCE_S) == 0, self._log()
        return self.report("calm.json")

    def _session(self, random: Random | None) -> int:
        """Run until the end, or until it is killed at some moment; return the exit code."""
        begun = ("run", "--resume", "run") if is_run(self._folder / "run") else (*self._first, "--run", "run")
        words = (*begun, "--batch", "--quiet", "-o", "report.json", "--threads", "1")
        with self._started(["-c", PROGRAM, *words]) as process:
            if random is not None:
                self._kill(process, random)
            code = process.wait(PATIENCE_S)
        self._shop.victim = 0
        assert code in {0, KILLED}, self._log()
        return code

    def _kill(self, process: subprocess.Popen[bytes], random: Random) -> None:
        """Kill the process some time after a call, or have the service kill it at the call."""
        # Half of them at the call that submits, which is when a kill can cost most.
        is_at_submit = random.random() < 0.5  # noqa: PLR2004  # half
        calls, shop = self._submits_at if is_at_submit else random.randint(0, LAST_CALL), self._shop
        if is_at_submit or (calls and random.random() < 0.5):  # noqa: PLR2004  # half
            shop.until_kill, shop.kills_before = calls, random.random() < 0.5  # noqa: PLR2004  # half
            shop.victim = process.pid
            return
        awaited, deadline = len(shop.calls) + calls, time.monotonic() + PATIENCE_S
        while len(shop.calls) < awaited and process.poll() is None:
            assert time.monotonic() < deadline, "nothing happened"
            time.sleep(0.002)
        time.sleep(random.uniform(0, LIFE_S))
        process.kill()

    def _started(self, words: Sequence[str]) -> "subprocess.Popen[bytes]":
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(  # our own words
                [sys.executable, *words],
                cwd=self._folder,
                env={**os.environ, KEY_NAME: KEY},
                stdout=log,
                stderr=log,
            )

    def _log(self) -> str:
        return (self._folder / "log").read_text(encoding="utf-8")[-2000:]


def _stage(calls: Sequence[str]) -> str:
    """Say what a process was doing when it was killed, by the last call that it made."""
    if not calls:
        return "before its first call"
    last = calls[-1]
    if last.startswith("POST"):
        return "while uploading" if last.endswith("/files") else "while submitting"
    if last.endswith(("/content", "/results")):
        return "with the results, or later"
    return "while looking for a batch" if last.endswith("/batches") else "while waiting, or later"


def without_money_and_time(report: object) -> object:
    """Return a report without what a batch changes."""
    return without(report, lambda name: any(word in name for word in MONEY_AND_TIME))


def main() -> int:
    """Kill, judge, print, and return 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description="Kill `steelyard run --batch` again and again.")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = killed_often(Path(folder), kills=given.kills, seed=given.seed)
    print(f"{found.kills} kills of {found.runs} runs: {dict(found.stages)}")
    print(f"lost {found.lost}, doubled {found.doubled}, paid twice {found.paid_twice}, direct {found.direct}")
    print(f"open {found.left_open}, with the key {found.with_key}, other reports {found.other_reports}")
    return 0 if found == Verdict(kills=found.kills, runs=found.runs, stages=found.stages) else 1


if __name__ == "__main__":
    sys.exit(main())
