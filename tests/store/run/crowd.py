"""What the processes do that work on runs at the same time; each function runs in a process of its own."""

import time
from dataclasses import replace
from pathlib import Path

from steelyard.errors import StoreError
from steelyard.model.sample import SampleKey
from steelyard.store.run.evidence import RunCounting, run_evidence
from steelyard.store.run.run_store import create_run, open_run, retry_on_conflict
from tests.store.run.small_run import MANIFEST, fill, generated, small_manifest

CHUNK = 8
WAIT_S = 60.0  # far longer than it takes


def counted(folder: Path) -> int:
    """Count the rows of a run as a report does."""
    evidence = retry_on_conflict(open_run(folder), lambda store: run_evidence(store, RunCounting()))
    return sum(state.n + state.n_error for state in evidence.states)


def several_runs(root: Path, worker: int) -> list[int]:
    """Make two runs beside those of others, and return how many rows each has in the end."""
    found = []
    for number in range(2):
        folder = root / f"run-{worker}-{number}"
        store = create_run(folder, replace(MANIFEST, id=folder.name))
        keys = list(store.pending())
        for start in range(0, len(keys), CHUNK):
            fill(store, keys[start : start + CHUNK], chunk=str(start))
        store.finish()
        found.append(counted(folder))
    return found


def rival(folder: Path, start_at: float, chunks: int) -> tuple[list[SampleKey], list[str]]:
    """Write to a run that others write to; return what was committed here, and each refusal.

    Every chunk is generated ahead of being committed, as answers of a model are, which leaves time for
    others.
    """
    time.sleep(max(0.0, start_at - time.time()))
    mine: list[SampleKey] = []
    refusals = []
    for _ in range(chunks):
        try:
            store = open_run(folder).hold()
            keys = list(store.pending())[:CHUNK]
            if store.add_samples([generated(key) for key in keys], chunk=repr(keys)):
                mine += keys
        except StoreError as error:
            refusals.append(str(error))
    return mine, refusals


def watch(folder: Path, ready: Path) -> list[int]:
    """Count a run again and again until it is done, and return what each count came to."""
    counts = []
    deadline = time.monotonic() + WAIT_S
    planned = len(list(WATCHED.wanted()))
    while time.monotonic() < deadline:
        counts.append(counted(folder))
        ready.touch()
        if counts[-1] == planned:
            break
    return counts


WATCHED = small_manifest(cases=6, planned=6)
