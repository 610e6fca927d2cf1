"""Variables in eval sets: one case for each combination of values."""

import re
from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.sources.evalset.read import read_eval_set

ROWS = """
[eval_set]
id = "capitals"
default_language = "text"

[[cases]]
id = "capital"
name = "The capital of {{country}}"
prompt = "What is the capital of {{ country }}? Answer in {{tongue}}."
reference = "{{capital}}"
wrong = ["not {{capital}}"]
files = { "a.txt" = "{{country}}" }
[cases.expectations.settings]
exact = "{{capital}}"
[[cases.variables]]
country = "France"
capital = "Paris"
tongue = ["English", "German"]
[[cases.variables]]
country = "Norway"
capital = "Oslo"
tongue = "English"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "set.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_each_combination_is_a_case_of_its_own(tmp_path: Path) -> None:
    cases = read_eval_set(written(tmp_path, ROWS)).cases

    assert [case.id for case in cases] == [
        "capital[country=France,capital=Paris,tongue=English]",
        "capital[country=France,capital=Paris,tongue=German]",
        "capital[country=Norway,capital=Oslo,tongue=English]",
    ]
    assert cases[1].prompt == "What is the capital of France? Answer in German."
    assert cases[2].expectations.settings == {"exact": "Oslo"}
    assert (cases[2].reference, cases[2].wrong, cases[2].files) == (
        "Oslo",
        ("not Oslo",),
        {"a.txt": "Norway"},
    )
    assert cases[2].name == "The capital of Norway"
    assert len({case.digest for case in cases}) == 3


def test_a_combination_that_has_a_name_is_called_by_it(tmp_path: Path) -> None:
    text = ROWS.replace('country = "France"', 'id = "fr"\ncountry = "France"')
    text = text.replace('country = "Norway"', 'id = "no"\ncountry = "Norway"')

    ids = [case.id for case in read_eval_set(written(tmp_path, text)).cases]

    assert ids == ["capital[fr,tongue=English]", "capital[fr,tongue=German]", "capital[no]"]


def test_a_long_value_is_named_and_the_name_is_the_same_every_time(tmp_path: Path) -> None:
    text = ROWS.replace('"Norway"', '"a country far in the north, with fjords"')

    ids = [case.id for case in read_eval_set(written(tmp_path, text)).cases]

    assert re.fullmatch(r"capital\[country=[0-9a-f]{8},capital=Oslo,tongue=English]", ids[2])
    assert ids == [case.id for case in read_eval_set(written(tmp_path, text)).cases]


def test_numbers_are_put_in_as_they_are_written(tmp_path: Path) -> None:
    text = '[[cases]]\nid = "a"\nprompt = "{{n}} {{flag}}"\nvariables = [{ n = [1, 2.5], flag = true }]'

    assert [case.prompt for case in read_eval_set(written(tmp_path, text)).cases] == ["1 true", "2.5 true"]


def test_double_braces_are_text_where_there_are_no_variables(tmp_path: Path) -> None:
    text = '[[cases]]\nid = "a"\nprompt = "Explain ${{ github.ref }} and {{x}}."'

    (case,) = read_eval_set(written(tmp_path, text)).cases

    assert (case.id, case.prompt) == ("a", "Explain ${{ github.ref }} and {{x}}.")


def test_values_are_not_filled_in_twice(tmp_path: Path) -> None:
    text = '[[cases]]\nid = "a"\nprompt = "{{x}} {{y}}"\nvariables = [{ x = "{{y}}", y = "1" }]'

    assert read_eval_set(written(tmp_path, text)).cases[0].prompt == "{{y}} 1"


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (
            ('tongue = "English"', ""),
            'set.toml:19: case "capital": {{tongue}} has no value here; add tongue = …',
        ),
        (
            ('tongue = "English"', 'tongue = "English"\nsize = 3'),
            'set.toml:23: case "capital": there is no {{size}} in the prompt or anywhere else; remove size',
        ),
        (('["English", "German"]', "[]"), "the list of tongue is empty; give it a value"),
        (
            ('["English", "German"]', '["English", "English"]'),
            "is there already, at line 7; choose another id",
        ),
        (
            ('["English", "German"]', str(list(range(10_001)))),
            "the variables make 10002 cases; 10000 is the most",
        ),
        (('exact = "{{capital}}"', 'regex = "{{capital}}("'), "regex is no pattern"),
        (
            ('exact = "{{capital}}"', 'exact = "{{capital}}"\nlenient = "ja"'),
            "lenient is 'ja', expected true or false",
        ),
    ],
)
def test_what_does_not_fit_together_is_told_with_its_place(
    changed: tuple[str, str], told: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as error:
        read_eval_set(written(tmp_path, ROWS.replace(*changed)))

    assert told in str(error.value)


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("policy_forbidden = ['a', '(']", "policy_forbidden is no pattern"),
        ("policy_forbidden = '['", "policy_forbidden is no pattern"),
        ("policy_forbiden = 'a'", "did you mean 'policy_forbidden'?"),
        ("json_schema = '{'", "json_schema is no JSON"),
        ("csv_columns = ['a']\ncsv_rows = 'two'", "csv_rows is 'two', expected a whole number"),
    ],
)
def test_values_that_nobody_could_use_are_found_before_anything_is_generated(
    setting: str, told: str, tmp_path: Path
) -> None:
    text = f'[[cases]]\nid = "a"\nlanguage = "text"\nprompt = "p"\n[cases.expectations.settings]\n{setting}\n'

    with pytest.raises(InputError) as error:
        read_eval_set(written(tmp_path, text))

    assert told in str(error.value)


def test_values_are_put_into_names_and_arguments_too(tmp_path: Path) -> None:
    text = """
[eval_set]
id = "s"
default_language = "python"

[[cases]]
id = "made"
prompt = "Write {{fn}}."
variables = [{ fn = ["add"], n = ["3"] }]

[cases.expectations]
functions = ["{{fn}}"]
io = [{ name = "with {{n}}", args = ["{{n}}"], stdout = "{{n}}" }]
"""
    (tmp_path / "set.toml").write_text(text, encoding="utf-8")

    [case] = read_eval_set(str(tmp_path / "set.toml")).cases

    assert case.expectations.functions == ("add",)
    [run] = case.expectations.io
    assert (run.name, run.args, run.stdout) == ("with 3", ("3",), "3")
