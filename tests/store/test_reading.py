"""Making every input file look the same."""

from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.model.options import ColumnMapping
from tests.store.counting import counted, written


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
