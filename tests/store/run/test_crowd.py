"""Many processes at once: writers of one run, writers of many runs, and readers while somebody writes."""

import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from steelyard.errors import StoreError
from steelyard.store.run.evidence import RunCounting, run_evidence
from steelyard.store.run.files import reading
from steelyard.store.run.run_store import MOST_MOVES, RunStore, create_run, open_run, retry_on_conflict
from tests.store.run.crowd import CHUNK, WAIT_S, WATCHED, rival, several_runs, watch
from tests.store.run.small_run import fill, small_manifest, small_run

PROCESSES = 2  # each imports the store anew, which takes seconds


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    """Processes that were spawned: the table library does not survive a fork."""
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as executor:
        yield executor


def test_runs_in_one_root_do_not_disturb_each_other(pool: ProcessPoolExecutor, tmp_path: Path) -> None:
    found = list(pool.map(several_runs, [tmp_path] * PROCESSES, range(PROCESSES)))

    assert found == [[24, 24]] * PROCESSES
    assert len(list(tmp_path.iterdir())) == 2 * PROCESSES


def test_of_several_writers_one_commits_and_the_others_are_told(
    pool: ProcessPoolExecutor, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    create_run(folder, small_manifest(cases=10, planned=40))

    start_at = time.time() + 0.2
    found = list(pool.map(rival, [folder] * PROCESSES, [start_at] * PROCESSES, [8] * PROCESSES))

    committed = Counter(key for mine, _ in found for key in mine)
    refusals = [refusal for _, refused in found for refusal in refused]
    assert len(committed) + CHUNK * len(refusals) == CHUNK * 8 * PROCESSES
    assert set(committed.values()) == {1}
    assert sum(file.rows for file in open_run(folder).samples.files()) == len(committed)
    assert refusals
    assert all("another process has written to this run" in refusal for refusal in refusals)


def test_a_reader_never_sees_a_wrong_count(pool: ProcessPoolExecutor, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    store = create_run(folder, WATCHED)
    keys = list(store.pending())
    fill(store, keys[:CHUNK], chunk="0")
    ready = [tmp_path / "ready-0", tmp_path / "ready-1"]
    readers = [pool.submit(watch, folder, path) for path in ready]
    deadline = time.monotonic() + WAIT_S
    while not all(path.exists() for path in ready) and time.monotonic() < deadline:
        time.sleep(0.05)

    for start in range(CHUNK, len(keys), CHUNK):
        fill(store, keys[start : start + CHUNK], chunk=str(start))
        store.finish()

    for reader in readers:
        counts = reader.result(WAIT_S)
        assert counts == sorted(counts)
        assert not [count for count in counts if count % CHUNK]
        assert counts[-1] == len(keys)


def test_whoever_reads_while_a_run_is_put_in_order_asks_once_more(tmp_path: Path) -> None:
    writer = small_run(tmp_path / "run", chunks=3)
    asked = []

    def ask(store: RunStore) -> int:
        asked.append(store)
        with reading(store.outcomes) as connection:
            if len(asked) == 1:
                writer.finish()
            ((rows,),) = connection.execute("SELECT count(detail) FROM rows").fetchall()
        return int(rows)

    assert retry_on_conflict(open_run(tmp_path / "run"), ask) == 24
    assert len(asked) == 2


def test_a_run_that_is_damaged_is_not_asked_twice(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run", chunks=3)
    Path(store.outcomes.files()[0].uri).unlink()
    asked = []

    def ask(now: RunStore) -> object:
        asked.append(now)
        return run_evidence(now, RunCounting())

    with pytest.raises(StoreError, match=r"file.*missing"):
        retry_on_conflict(open_run(tmp_path / "run"), ask)
    assert len(asked) == 1


@pytest.mark.check_all
def test_a_run_that_never_comes_to_rest_is_given_up(tmp_path: Path) -> None:
    writer = create_run(tmp_path / "run", small_manifest())
    keys = writer.manifest.wanted()
    asked = []

    def ask(store: RunStore) -> object:
        asked.append(store.outcomes.files())
        fill(writer, [next(keys)], chunk=str(len(asked)))
        raise StoreError("moved")

    with pytest.raises(StoreError, match="moved"):
        retry_on_conflict(open_run(tmp_path / "run"), ask)
    assert len(asked) == MOST_MOVES + 1
