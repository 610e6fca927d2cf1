"""Opening the engine and running SQL files."""

import subprocess
import sys

import duckdb
import pytest

from steelyard.store.database import SQL_FILES, connect, identifier, question, quoted

NAMES = ["plain", "it's", 'say "no"', "a;b--", "é\n"]


@pytest.mark.parametrize("text", NAMES)
def test_quoted_text_comes_back_as_it_is(text: str) -> None:
    assert duckdb.execute(f"SELECT {quoted(text)}").fetchone() == (text,)


@pytest.mark.parametrize("name", NAMES)
def test_an_identifier_names_the_column(name: str) -> None:
    found = duckdb.execute(f"SELECT 1 AS {identifier(name)}")

    assert found.description[0][0] == name


def test_the_database_counts_with_as_many_threads_as_told() -> None:
    with connect(threads=1) as connection:
        assert connection.execute("SELECT current_setting('threads')").fetchone() == (1,)


def test_the_database_draws_no_bar_where_a_notebook_or_a_one_liner_prints() -> None:
    asked = "connect().execute(\"SELECT current_setting('enable_progress_bar')\").fetchall()"
    script = f"from steelyard.store.database import connect; print({asked})"

    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert shown.stdout == "[(False,)]\n"


def test_the_database_fetches_nothing_from_outside() -> None:
    with connect() as connection:
        row = connection.execute("SELECT current_setting('autoinstall_known_extensions')").fetchone()

    assert row == (False,)


@pytest.mark.parametrize(
    "file", sorted(path.name for path in SQL_FILES.iterdir() if path.name.endswith(".sql"))
)
def test_every_sql_file_says_which_question_it_answers(file: str) -> None:
    first = (SQL_FILES / file).read_text(encoding="utf-8").splitlines()[0]

    assert first.startswith("-- ")
    assert first.endswith("?")


def test_a_line_that_needs_what_was_not_measured_becomes_0() -> None:
    nothing = question("case_states", measured=frozenset())
    everything = question("case_states", measured=frozenset({"kind", "score_micro"}))

    assert "    0 AS n_timeout," in nothing
    assert "kind = 'timeout'" not in nothing
    assert "kind = 'timeout'" in everything
    assert "count(passed) AS n," in nothing
