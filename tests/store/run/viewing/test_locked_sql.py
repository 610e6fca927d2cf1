"""SQL of a user is ended when its time is over, takes only so much memory, and shows values of every type."""

from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.viewing.locked_sql import query_locked
from tests.web.runs import make_run


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    return make_run(tmp_path_factory.mktemp("asked") / "run")


def test_a_function_that_never_looks_at_the_time_is_ended(store: RunStore) -> None:
    # It would take hours, and the engine's own interrupt waits for its end.
    with pytest.raises(InputError, match=r"took.*0\.5"):
        query_locked(store, "SELECT levenshtein(repeat('a', 1500000), repeat('b', 1500000))", seconds=0.5)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT repeat('x', 20000000 + range::INT) FROM range(100)",
        # Its table of 3 GB is none of those that the engine counts.
        "SELECT damerau_levenshtein(repeat('a', 20000), repeat('b', 20000))",
    ],
)
def test_a_query_that_needs_too_much_memory_is_refused(store: RunStore, sql: str) -> None:
    with pytest.raises(InputError, match=r"(?i)memory|allocat"):
        query_locked(store, sql, seconds=300)


def test_long_texts_are_cut_where_they_are_made(store: RunStore) -> None:
    found = query_locked(store, "SELECT repeat('x', 20000000) FROM range(100)", seconds=300)

    assert found.rows == [("x" * 2_000 + "…",)] * 100


SHOWN = {
    "INTERVAL 100000000 MONTHS": "8333333 years 4 months",
    "DATE '290000-01-01'": "290000-01-01",
    "[1, NULL]": "[1, NULL]",
    "{'a': 1}": "{'a': 1}",
    "'\\xAA'::BLOB": "\\xAA",
    "1.50::DECIMAL(5, 2)": "1.50",
    "'infinity'::DOUBLE": "inf",
    "NULL": None,
    "repeat('é', 3000)": "é" * 2_000 + "…",
    "repeat('é', 2000)": "é" * 2_000,
}


def test_a_value_of_any_type_is_shown_as_text(store: RunStore) -> None:
    columns = ", ".join(f"{value} AS c{index}" for index, value in enumerate(SHOWN))

    names, rows, is_whole = query_locked(store, f"SELECT {columns} -- the values", seconds=300)

    assert names == [f"c{index}" for index in range(len(SHOWN))]
    assert dict(zip(SHOWN, rows[0], strict=True)) == SHOWN
    assert is_whole


@pytest.mark.parametrize(("rows", "is_whole"), [(500, True), (501, False)])
def test_the_first_rows_come_in_the_order_that_was_asked_for(
    store: RunStore, *, rows: int, is_whole: bool
) -> None:
    sql = f"SELECT range AS n FROM range({rows}) ORDER BY n DESC;"  # noqa: S608  # a test's own

    found = query_locked(store, sql, seconds=300)

    assert found.rows == [(str(rows - 1 - at),) for at in range(500)]
    assert found.is_whole is is_whole


def test_an_answer_that_is_too_wide_is_cut(store: RunStore) -> None:
    wide = ", ".join(["repeat('x', 2000)"] * 50)

    found = query_locked(store, f"SELECT {wide} FROM range(400)", seconds=300)  # noqa: S608  # as above

    assert 0 < len(found.rows) < 400
    assert not found.is_whole


def test_nothing_is_left_of_a_query_that_was_ended(
    store: RunStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    with pytest.raises(InputError, match="was stopped"):
        query_locked(store, "SELECT levenshtein(repeat('a', 1500000), repeat('b', 1500000))", seconds=0.5)

    assert list(tmp_path.iterdir()) == []
