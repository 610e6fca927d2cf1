"""Opening the engine and running SQL files."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import pytest

from steelyard.store.database import SQL_FILES, connect, identifier, load_sql, sql_text
from steelyard.store.spill import spill_folder

NAMES = ["plain", "it's", 'say "no"', "a;b--", "é\n"]


@pytest.mark.parametrize("text", NAMES)
def test_quoted_text_comes_back_as_it_is(text: str) -> None:
    assert duckdb.execute(f"SELECT {sql_text(text)}").fetchone() == (text,)


@pytest.mark.parametrize("name", NAMES)
def test_an_identifier_names_the_column(name: str) -> None:
    found = duckdb.execute(f"SELECT 1 AS {identifier(name)}")

    assert found.description[0][0] == name


def test_the_database_counts_with_as_many_threads_as_told() -> None:
    with connect(threads=1) as connection:
        assert connection.execute("SELECT current_setting('threads')").fetchone() == (1,)


def test_the_database_generates_no_bar_where_a_notebook_or_a_one_liner_prints() -> None:
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
    nothing = load_sql("case_states")
    everything = load_sql("case_states", measured=frozenset({"kind", "score_micro"}))

    assert "    0 AS n_timeout," in nothing
    assert "kind = 'timeout'" not in nothing
    assert "kind = 'timeout'" in everything
    assert "count(passed) AS n," in nothing


def test_what_does_not_fit_into_memory_goes_where_only_this_user_can_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "steelyard-spill").symlink_to(tmp_path / "planted", target_is_directory=True)
    (tmp_path / "planted").mkdir()
    spill_folder.cache_clear()
    try:
        with connect(threads=1) as connection:
            connection.execute("SET memory_limit = '40MB'")
            connection.execute("CREATE TABLE it AS SELECT random() AS x FROM range(6_000_000)")
            (made,) = tmp_path.glob("steelyard-spill-*")
            spilled = [path for path in made.rglob("*") if path.is_file()]
    finally:
        spill_folder.cache_clear()

    assert spilled
    assert made.stat().st_mode & 0o777 == 0o700
    assert not list((tmp_path / "planted").iterdir())
    assert not list(made.iterdir()), "a closed database leaves nothing"


def test_two_databases_never_spill_into_the_same_folder() -> None:
    asked = "SELECT current_setting('temp_directory')"
    with connect() as one, connect() as other:
        assert one.execute(asked).fetchone() != other.execute(asked).fetchone()


def test_a_process_takes_its_spill_folder_along_and_a_fork_of_it_does_not(tmp_path: Path) -> None:
    script = (
        "import os, sys, pathlib; from steelyard.store.database import connect; connect()\n"
        "child = os.fork()\n"
        "if not child: sys.exit()\n"
        "os.waitpid(child, 0)\n"
        "print(len(list(pathlib.Path(sys.argv[1]).iterdir())))"
    )
    shown = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert shown.stdout == "1\n"
    assert not list(tmp_path.iterdir())
