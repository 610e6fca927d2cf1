"""Making every input file look the same."""

import gzip
import json
from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.model.options import ColumnMapping
from steelyard.store.headers import MOST_COLUMNS
from steelyard.unpacking import CHUNK
from tests.store.counting import counted, written

LONG = "x" * 2 * CHUNK


def models(*paths: Path, naming: ColumnMapping | None = None) -> list[str]:
    """Return the models that are found in files."""
    return sorted({state.model for state in counted(*paths, naming=naming).states})


def test_files_with_other_headers_are_read_together(tmp_path: Path) -> None:
    one = written(tmp_path, "model,case,attempt,passed\na,c,0,True\n", "1.csv")
    two = written(tmp_path, "attempt,passed,model,case,cost_usd\n1,False,a,c,2\n", "2.csv")

    (state,) = counted(one, two).states

    assert (state.n, state.c, state.cost_n, state.cost_sum) == (2, 1, 1, 2 * 10**9)


def test_a_column_wins_over_the_name_of_the_file_and_the_option(tmp_path: Path) -> None:
    named = written(tmp_path, "model,case,attempt,passed\nown,c,0,True\n", "gemini_fixes.csv")
    unnamed = written(tmp_path, "case,attempt,passed\nc,0,True\n", "gpt_fixes.csv")

    assert models(named, unnamed) == ["gpt", "own"]
    assert models(named, unnamed, naming=ColumnMapping(model="mine")) == ["mine", "own"]


def test_files_that_do_not_say_whose_they_are_are_refused_whatever_their_headers(tmp_path: Path) -> None:
    one = written(tmp_path, "case,attempt,passed\nc,0,True\n", "part1.csv")
    two = written(tmp_path, "attempt,case,passed\n1,c,True\n", "part2.csv")

    with pytest.raises(InputError, match=r"part1\.csv.*model"):
        counted(one, two)


def test_tiers_and_suites_have_defaults_and_can_be_named(tmp_path: Path) -> None:
    path = written(tmp_path, "case,attempt,passed\nc,0,True\n", "m.csv")

    (plain,), (named,) = (
        counted(path, naming=naming).states
        for naming in (ColumnMapping(), ColumnMapping(tier="x", suite="it's"))
    )

    assert (plain.tier, plain.suite) == ("T0", "default")
    assert (named.tier, named.suite) == ("x", "it's")


def test_a_path_leads_into_an_object(tmp_path: Path) -> None:
    path = written(tmp_path, '{"task": {"id": "c"}, "attempt": 0, "passed": true}\n', "m.jsonl")

    (state,) = counted(path, naming=ColumnMapping(columns={"case": "task.id"})).states

    assert state.case == "c"


def test_lines_that_are_no_objects_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"m\.jsonl.*JSON"):
        counted(written(tmp_path, "[1]\n", "m.jsonl"))


def test_a_table_of_several_files_is_named_after_the_first(tmp_path: Path) -> None:
    for place in range(3):
        written(tmp_path, "model,name,passed\na,c,True\n", f"{place}.csv")

    with pytest.raises(InputError, match=r"0\.csv"):
        counted(tmp_path / "*.csv")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("m.csv.gz", f"case,passed,note\na,true,x\nb,true,{LONG}\n"),
        ("m.csv.gz", 'case,passed,note\na,true,x\nb,true,"' + LONG.replace("xx", "x\n") + '"\n'),
        (
            "m.jsonl.gz",
            f'{{"case": "a", "passed": true}}\n{{"case": "b", "passed": true, "note": "{LONG}"}}\n',
        ),
    ],
    ids=["cell", "cell with lines", "JSON"],
)
def test_a_long_row_of_a_packed_file_is_refused(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_bytes(gzip.compress(text.encode()))

    with pytest.raises(InputError, match=r"m\.(csv|jsonl)\.gz, line \d+: the row is longer"):
        counted(tmp_path / name)

    plain = written(tmp_path, text, name.removesuffix(".gz"))
    assert sum(state.n for state in counted(plain).states) == text.count("true")


def test_rows_of_a_packed_file_may_have_quoted_lines(tmp_path: Path) -> None:
    rows = "".join(f'a{number},true,"{"x" * 1000}\n""y"""\n' for number in range(3000))
    (tmp_path / "m.csv.gz").write_bytes(gzip.compress(f"case,passed,note\n{rows}".encode()))

    assert sum(state.n for state in counted(tmp_path / "m.csv.gz").states) == 3000


def test_very_many_columns_are_refused(tmp_path: Path) -> None:
    keys = [f"k{number}" for number in range(2 * MOST_COLUMNS)]
    rows = (json.dumps({"case": key, "passed": True, key: 1}) for key in keys)

    with pytest.raises(InputError, match=r"m\.jsonl: the rows have about [\d,]+ different keys"):
        counted(written(tmp_path, "\n".join(rows), "m.jsonl"))
    with pytest.raises(InputError, match=r"m\.csv, line 1: has 2,002 columns"):
        counted(written(tmp_path, ",".join(["case", "passed", *keys]) + "\n", "m.csv"))
