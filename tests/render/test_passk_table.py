from collections.abc import Sequence

import pytest

from steelyard.render.passk_table import Row, pass_at_k_csv, pass_at_k_table
from tests.app.pandas_tables import TABLES


@pytest.mark.parametrize(("ks", "rows", "printed"), TABLES)
def test_the_table_looks_as_pandas_prints_it(ks: Sequence[int], rows: Sequence[Row], printed: str) -> None:
    assert pass_at_k_table(rows, ks) == printed


def test_the_example_of_the_origin_is_the_first_row_of_a_table_of_two() -> None:
    """Seed 003 prints 0.770 and 1.000000: pandas keeps such zeros when another row needs the digits."""
    rows = [("gemini", (0.77, 0.999678, 1.0)), ("other", (0.125, 0.5, 0.987654))]

    header, first, _ = pass_at_k_table(rows, (1, 5, 10)).splitlines()

    assert header == "      LLM  pass@1    pass@5   pass@10"
    assert first == "0  gemini   0.770  0.999678  1.000000"


def test_an_undefined_number_is_null() -> None:
    assert pass_at_k_table([("m", (0.5, None))], (1, 5)) == "  LLM  pass@1  pass@5\n0   m     0.5    null\n"


def test_a_table_without_models_is_its_header() -> None:
    assert pass_at_k_table([], (1, 5)) == " LLM  pass@1  pass@5\n"


def test_a_long_name_is_not_shortened_and_an_escape_code_is_not_obeyed() -> None:
    name = "n" * 300

    table = pass_at_k_table([(name, (0.5,)), ("\x1b[2J", (0.5,))], (1,))

    assert name in table
    assert r"\x1b[2J" in table


def test_the_csv_has_all_digits_and_an_empty_cell_for_an_undefined_number() -> None:
    text = pass_at_k_csv([("gemini", (0.1 + 0.2, None)), ("a,b", (1.0, 2 / 3))], (1, 10))

    assert text == 'LLM,pass@1,pass@10\ngemini,0.30000000000000004,\n"a,b",1.0,0.6666666666666666\n'
