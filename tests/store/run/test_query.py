"""Questions in SQL about a run, and rows in the hands of other libraries."""

from pathlib import Path

import polars as pl
import pytest

from steelyard.errors import InputError, UserError
from steelyard.store.run.query import Rows, query_run, rows_of_run
from tests.store.run.small_run import small_run

COUNTED = "SELECT model, count(*) AS n FROM outcomes GROUP BY model ORDER BY model"
JOINED = """
SELECT text, passed FROM samples JOIN outcomes USING (case_key, attempt)
WHERE samples.model = 'acme/one' ORDER BY samples.case_id, attempt LIMIT 1
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("asked") / "run"
    small_run(folder)
    return folder


def test_both_tables_are_there_to_be_asked(run: Path) -> None:
    assert list(query_run(run, COUNTED)) == [{"model": "acme/one", "n": 12}, {"model": "acme/two", "n": 12}]
    (row,) = query_run(run, JOINED)
    assert row["text"] == "answer 0 of acme/one to case-0"


def test_rows_are_counted_and_named(run: Path) -> None:
    rows = rows_of_run(run, "samples")

    assert len(rows) == 24
    assert "text" in rows.columns
    assert repr(query_run(run, COUNTED)) == "<2 rows of model, n>"


def test_other_libraries_take_the_rows_as_they_are(run: Path) -> None:
    rows = query_run(run, COUNTED)

    assert rows.to_pandas().to_dict("list") == {"model": ["acme/one", "acme/two"], "n": [12, 12]}
    assert rows.to_polars().rows() == [("acme/one", 12), ("acme/two", 12)]
    assert pl.DataFrame(rows.to_arrow()).equals(rows.to_polars())


def test_an_answer_without_rows_still_has_its_columns(run: Path) -> None:
    rows = query_run(run, "SELECT model FROM outcomes WHERE model = 'nobody'")

    assert (list(rows), rows.columns) == ([], ["model"])
    assert rows.to_pandas().columns.tolist() == ["model"]


def test_a_notebook_shows_the_first_rows_and_counts_the_rest(run: Path) -> None:
    shown = query_run(run, "SELECT '<b>' AS name FROM samples")._repr_html_()

    assert shown.count("&lt;b&gt;") == 20
    assert "<b>" not in shown
    assert "and 4 more rows" in shown
    assert "more rows" not in query_run(run, COUNTED)._repr_html_()


@pytest.mark.parametrize(
    ("sql", "what"),
    [
        ("SELEKT 1", "cannot be answered"),
        ("SELECT nothing FROM outcomes", "cannot be answered"),
        ("SELECT 1 FROM nowhere", "cannot be answered"),
        ("", "returns no rows"),
        ("SELECT 1 AS a, 2 AS a", "several columns the name 'a'"),
    ],
)
def test_wrong_sql_is_told_in_words(sql: str, what: str, run: Path) -> None:
    with pytest.raises(InputError, match=what):
        query_run(run, sql)


def test_a_table_that_is_not_there_is_refused(run: Path) -> None:
    with pytest.raises(InputError, match=r"judgements.*outcomes"):
        rows_of_run(run, "judgements")


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_library_that_is_not_installed_is_named(
    library: str, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steelyard.store.run.query.find_spec", lambda _: None)
    rows = query_run(run, COUNTED)

    with pytest.raises(UserError, match=f"pip install {library}"):
        getattr(rows, f"to_{library}")()


def test_rows_are_what_a_question_gives(run: Path) -> None:
    assert isinstance(query_run(run, COUNTED), Rows)
