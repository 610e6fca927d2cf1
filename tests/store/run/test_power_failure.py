"""What a commit lets reach the disk before it says that it is done."""

from pathlib import Path

import pytest
from typing_extensions import override

from steelyard.store.run.location import Folder
from steelyard.store.run.log import actions_of, entry_name
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.table import StoreTable
from tests.store.run.small_run import MANIFEST, fill


class WatchedFolder(Folder):
    """A folder that notes what is made to last, and in which order."""

    def __init__(self, path: Path, settled: list[str]) -> None:
        super().__init__(path)
        self.path = path
        self.settled = settled

    @override
    def child(self, name: str) -> "WatchedFolder":
        return WatchedFolder(self.path / name, self.settled)

    @override
    def flush(self, *names: str) -> None:
        super().flush(*names)
        self.settled += [f"{self.path.name}/{name}" for name in names]


@pytest.fixture
def settled() -> list[str]:
    """What was made to last so far."""
    return []


@pytest.fixture
def store(tmp_path: Path, settled: list[str]) -> RunStore:
    """An empty run in a watched folder."""
    store = RunStore(WatchedFolder(tmp_path / "run", settled), MANIFEST)
    for table in (store.samples, store.outcomes):
        table.create()
    return store.hold()


def data_of(table: StoreTable, version: int) -> list[str]:
    """Return the files that an entry of the log adds."""
    actions = actions_of(table.location.read(entry_name(version)) or b"")
    return [str(action["add"]["path"]) for action in actions if "add" in action]


def test_a_new_table_lasts(store: RunStore, settled: list[str]) -> None:
    assert settled == [
        *("samples/_delta_log", f"samples/{entry_name(0)}"),
        *("outcomes/_delta_log", f"outcomes/{entry_name(0)}"),
    ]


def test_the_rows_last_and_then_the_entry_that_names_them(store: RunStore, settled: list[str]) -> None:
    settled.clear()

    fill(store, list(MANIFEST.wanted())[:3], chunk="0")

    assert settled == [
        *(f"samples/{name}" for name in data_of(store.samples, 1)),
        f"samples/{entry_name(1)}",
        *(f"outcomes/{name}" for name in data_of(store.outcomes, 1)),
        f"outcomes/{entry_name(1)}",
    ]
    assert len(settled) == 4


def test_rows_put_in_order_last_before_the_old_ones_are_removed(
    store: RunStore, settled: list[str], tmp_path: Path
) -> None:
    for chunk in range(2):
        fill(store, list(MANIFEST.wanted())[chunk::2], chunk=str(chunk))
    settled.clear()

    store.finish()

    of_samples = [name for name in settled if name.startswith("samples/")]
    assert of_samples[:2] == [f"samples/{data_of(store.samples, 3)[0]}", f"samples/{entry_name(3)}"]
    assert f"samples/_delta_log/{3:020d}.checkpoint.parquet" in of_samples
    assert len(list((tmp_path / "run" / "samples").glob("part-*"))) == 1
