"""A search gives every hit once, in whatever parts the rows are read."""

import pytest

from steelyard.model.viewing import Hit, SearchScope
from steelyard.store.run.viewing import search as searching
from steelyard.store.run.viewing.search import Progress, search
from tests.store.run.viewing.conftest import Opened


@pytest.mark.parametrize(("first", "at_once"), [(4_096, 40_960), (1, 1), (3, 5), (24, 2)])
def test_every_row_is_searched_once(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, first: int, at_once: int
) -> None:
    monkeypatch.setattr(searching, "FIRST_ROWS", first)
    monkeypatch.setattr(searching, "ROWS_AT_ONCE", at_once)

    found = list(search(opened.engine, opened.store, "RETURN a -", SearchScope.ANSWERS))

    hits = [(one.model, one.case, one.attempt) for one in found if isinstance(one, Hit)]
    assert hits == [("m/weak", f"add-{case}", attempt) for case in range(3) for attempt in (1, 3)]
    assert found[-1] == Progress(24, 24)
