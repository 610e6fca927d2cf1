"""Kill a writer again and again, at random moments, and look for lost, doubled or torn rows.

One run grows under writers that draw, check, extend the plan and put the tables in order. Each writer tells
on a pipe what it is about to commit and what it has committed, until it is killed with SIGKILL. After every
kill the run is opened again: all acknowledged rows must be there, once, with their text; of the chunk in
flight, all or nothing; and a report must count exactly the rows that there are. At the end, the report must
be, byte for byte, that of a run whose writer nobody killed.

Run: python perf/kill_writer.py --kills 300
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2s
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from typing import TypeVar

from steelyard.app.report import report_run
from steelyard.metrics.rules import describe_rule
from steelyard.metrics.scoring import BuildTestLint
from steelyard.model.outcome import Facts, Outcome
from steelyard.model.run import Manifest, RunCase, Subject
from steelyard.model.sample import Sample, SampleKey
from steelyard.render.json import JsonRenderer
from steelyard.store.run.files import reading
from steelyard.store.run.run_store import RunStore, create_run, open_run
from steelyard.store.run.table import StoreTable

CHUNK = 20  # rows in a commit
CASES = 12
PATIENCE_S = 60.0  # a writer that says nothing for so long has hung
EARLY_SHARE = 0.15  # kills while the writer is still starting
FINISH_SHARE = 0.4  # turns of the writer that end in putting the tables in order
COMMITTING = frozenset({"samples", "outcomes", "finish", "extend"})

Item = TypeVar("Item")
Row = tuple[str, str, int]  # the table, the case and the attempt


# --- The writer: runs in a process of its own, until it is killed ---------------------------------------


def write_until_killed(folder: str, seed: int, *, most: int) -> None:
    """Resume the run and go on, telling on standard output what comes next and what has been committed."""
    chance = Random(seed)
    store = open_run(folder).hold()
    is_more = True
    while is_more:
        unchecked, pending = _parts(store.unchecked()), _parts(store.pending())
        _tell("reading", [])
        for part in unchecked:
            _check(store, part)
        for keys in pending:
            _check(store, _draw(store, keys))
            if chance.random() < FINISH_SHARE:
                _finish(store)
        is_more = _extended(store, most=most)
    _finish(store)
    _tell("complete", [])


def _parts(items: Iterable[Item]) -> list[list[Item]]:
    waiting = iter(list(items))
    return list(iter(lambda: list(islice(waiting, CHUNK)), []))


def _draw(store: RunStore, keys: Sequence[SampleKey]) -> list[Sample]:
    drawn = [answer_to(key) for key in keys]
    _tell("samples", drawn)
    store.add_samples(drawn, chunk=_name(drawn))
    _tell("done", drawn)
    return drawn


def _check(store: RunStore, samples: Sequence[Sample]) -> None:
    _tell("outcomes", samples)
    store.add_outcomes([(sample, seen(sample)) for sample in samples], chunk=_name(samples))
    _tell("done", samples)


def _extended(store: RunStore, *, most: int) -> bool:
    planned = store.manifest.planned_samples or 0
    if planned >= most:
        return False
    _tell("extend", [])
    store.extend(planned_samples=planned + CHUNK)
    _tell("done", [])
    return True


def _finish(store: RunStore) -> None:
    _tell("finish", [])
    store.finish()
    _tell("done", [])


def _tell(stage: str, samples: Sequence[Sample]) -> None:
    rows = [(sample.case, sample.attempt) for sample in samples]
    print(json.dumps({"stage": stage, "rows": rows}), flush=True)


def _name(samples: Sequence[Sample]) -> str:
    return blake2s(repr([sample.key for sample in samples]).encode(), digest_size=8).hexdigest()


def answer_to(key: SampleKey) -> Sample:
    """Return the one answer that there is to each question."""
    return Sample(**key._asdict(), text=f"{key.case} {key.attempt} " * 30, cost_nano_usd=5, latency_us=7)


def seen(sample: Sample) -> Outcome:
    """Return what the check of an answer sees: every third attempt fails."""
    return Outcome(facts=Facts(built=True, tests_passed=3, tests_failed=sample.attempt % 3, lint_warnings=0))


# --- The killer ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Toll:
    """What the kills came to."""

    kills: int = 0
    stages: Counter[str] = field(default_factory=Counter)  # what the writer was doing when it was killed
    leftovers: int = 0  # kills that left a file behind which no commit names
    lying: int = 0  # such files, until a writer removes them
    landed: int = 0  # chunks that were committed, but whose writer was killed before it could say so
    lost: int = 0
    doubled: int = 0
    torn: int = 0  # chunks of which only a part is there, and rows without their text
    miscounted: int = 0  # reports that count other rows than there are
    reopened_s: list[float] = field(default_factory=list)

    @property
    def inside_a_commit(self) -> int:
        """Kills that fell while the writer was changing the run."""
        return sum(count for stage, count in self.stages.items() if stage in COMMITTING)

    @property
    def is_clean(self) -> bool:
        """Whether nothing was lost, doubled, torn or miscounted."""
        return not (self.lost or self.doubled or self.torn or self.miscounted)


def plan() -> Manifest:
    """Return what the run is meant to do at first; the writers extend it."""
    return Manifest(
        id="killed",
        created_at="2026-11-15T00:00:00Z",
        generator="perf/kill_writer.py",
        scoring=describe_rule(BuildTestLint()),
        subjects=(Subject(model="vendor/model"),),
        cases=tuple(RunCase(suite="s", case=f"case-{place:02d}", digest="d") for place in range(CASES)),
        planned_samples=CHUNK,
    )


def kill_many(folder: Path, *, kills: int, seed: int) -> Toll:
    """Let writers work on one run, kill each of them, and count what went wrong."""
    chance, toll = Random(seed), Toll()
    create_run(folder, plan())
    known: set[Row] = set()
    opening, turning = _measured(folder, seed, known)
    while toll.kills < kills:
        with _writer(folder, chance.randrange(2**32), most=10**9) as writer:
            is_early = chance.random() < EARLY_SHARE
            told = [] if is_early else [_line(writer)]
            # What the writer says meanwhile stays in the pipe, which is far larger.
            time.sleep(chance.uniform(0, opening if is_early else 3 * turning))
            writer.kill()
            told += _rest(writer)
        toll.kills += 1
        _judge(folder, told, known, toll)
    return toll


def complete(folder: Path) -> None:
    """Let a last writer do all that is planned, unharmed."""
    planned = open_run(folder).manifest.planned_samples or 0
    with _writer(folder, 0, most=planned) as writer:
        _rest(writer)
        assert writer.wait(PATIENCE_S) == 0


def unharmed(folder: Path, planned: int) -> None:
    """Make the run that all those writers were making, in one go."""
    store = create_run(folder, plan())
    store.extend(planned_samples=planned)
    samples = [answer_to(key) for key in store.pending()]
    store.add_samples(samples, chunk="all")
    store.add_outcomes([(sample, seen(sample)) for sample in samples], chunk="all")
    store.finish()


def report_text(folder: Path) -> str:
    """Return the report of a run as JSON."""
    return JsonRenderer().render(report_run(folder))


def _writer(folder: Path, seed: int, *, most: int) -> subprocess.Popen[str]:
    words = [sys.executable, __file__, "--write", str(folder), "--seed", str(seed), "--most", str(most)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def _measured(folder: Path, seed: int, known: set[Row]) -> tuple[float, float]:
    """Return how long a writer takes to open the run, and to commit a chunk of either table."""
    started = time.perf_counter()
    with _writer(folder, seed, most=CHUNK) as writer:
        _line(writer)
        opening, turns, told = time.perf_counter() - started, [], []
        for _ in range(10):
            before = time.perf_counter()
            told += [_line(writer) for _ in range(4)]
            turns.append(time.perf_counter() - before)
        writer.kill()
        told += _rest(writer)
    _judge(folder, told, known, Toll())
    return opening, median(turns)


def _line(writer: subprocess.Popen[str]) -> str:
    assert writer.stdout is not None
    return writer.stdout.readline()


def _rest(writer: subprocess.Popen[str]) -> list[str]:
    assert writer.stdout is not None
    return writer.stdout.readlines()


def _judge(folder: Path, told: Iterable[str], known: set[Row], toll: Toll) -> None:
    """Compare what a killed writer said with what the run holds."""
    stage, flying = "starting", set[Row]()
    for line in told:
        if not line.endswith("\n"):
            continue  # killed while it spoke: nothing was acknowledged
        said = json.loads(line)
        if said["stage"] == "done":
            known |= flying
            stage, flying = "reading", set()
        else:
            stage = said["stage"]
            flying = {(stage, case, attempt) for case, attempt in said["rows"]}
    toll.stages[stage] += 1
    lying = leftovers(folder)
    toll.leftovers += lying > toll.lying
    toll.lying = lying
    started = time.perf_counter()
    store = open_run(folder)
    found = Counter([*_rows(store.samples, "samples"), *_rows(store.outcomes, "outcomes")])
    toll.reopened_s.append(time.perf_counter() - started)
    toll.lost += len(known - set(found))
    toll.doubled += sum(times - 1 for times in found.values())
    new = set(found) - known
    toll.torn += new not in (set(), flying)
    toll.landed += bool(new) and new == flying
    known |= new
    outcomes = sum(table == "outcomes" for table, _, _ in found)
    if outcomes:
        report = report_run(folder)
        toll.miscounted += sum(case.n for case in report.cases) != outcomes


def _rows(table: StoreTable, name: str) -> list[Row]:
    whole = "text = repeat(case_id || ' ' || attempt || ' ', 30)" if name == "samples" else "detail = ''"
    with reading(table) as connection:
        rows = connection.execute(f"SELECT case_id, attempt, {whole} FROM rows").fetchall()
    assert all(is_whole for *_, is_whole in rows), "a row without its text"
    return [(name, case, attempt) for case, attempt, _ in rows]


def leftovers(folder: Path) -> int:
    """Count the files in the tables' folders that no commit names."""
    store, found = open_run(folder), 0
    for table in (store.samples, store.outcomes):
        active = {Path(file.uri).name for file in table.files()}
        found += len({name for name in table.location.names() if name.startswith("part-")} - active)
    return found


def main() -> int:
    """Kill, count, print, and return 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description="Kill a writer again and again.")
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", help=argparse.SUPPRESS)
    parser.add_argument("--most", type=int, default=10**9, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.write:
        write_until_killed(given.write, given.seed, most=given.most)
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        return _shown(Path(scratch), kills=given.kills, seed=given.seed)


def _shown(scratch: Path, *, kills: int, seed: int) -> int:
    started = time.perf_counter()
    toll = kill_many(scratch / "killed", kills=kills, seed=seed)
    complete(scratch / "killed")
    store = open_run(scratch / "killed")
    planned = store.manifest.planned_samples or 0
    unharmed(scratch / "unharmed", planned)
    is_equal = report_text(scratch / "killed") == report_text(scratch / "unharmed")
    rows = sum(file.rows for table in (store.samples, store.outcomes) for file in table.files())
    print(f"{toll.kills} kills in {time.perf_counter() - started:.0f} s; {rows:,} rows at the end")
    print(f"killed while {dict(toll.stages.most_common())}: {toll.inside_a_commit} inside a commit")
    print(f"{toll.leftovers} left uncommitted files; {toll.landed} chunks landed without a word")
    print(f"{toll.lost} rows lost, {toll.doubled} doubled, {toll.torn} chunks torn")
    print(f"{toll.miscounted} reports wrong; reopening took {median(toll.reopened_s) * 1e3:.0f} ms (median)")
    print(f"the last report equals that of a run nobody killed: {is_equal}")
    is_good = toll.is_clean and is_equal and toll.inside_a_commit > kills / 5
    print("met" if is_good else "MISSED")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
