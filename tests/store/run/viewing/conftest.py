"""A small run, open to be looked at: two models, three cases, four attempts each."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from steelyard.store.run.files import RunReader
from steelyard.store.run.run_store import RunStore, open_run
from steelyard.store.run.viewing.case_table import StateTable
from tests.web.runs import make_run


@dataclass(frozen=True, slots=True)
class Opened:
    """A run with the database that reads it and the table of its cases."""

    store: RunStore
    engine: RunReader
    table: StateTable


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    path = tmp_path_factory.mktemp("viewed") / "run"
    make_run(path)
    found = Opened(open_run(path), RunReader(str(path)), StateTable())
    found.table.update(found.engine, found.store, lambda: {("sums", "add-1"): ("easy",)})
    yield found
    found.table.close()
    found.engine.close()
