"""`.env` is read as a shell would read it, and never speaks louder than the environment."""

from pathlib import Path

import pytest

from steelyard.app.environment import is_key
from steelyard.errors import InputError
from steelyard.sources.dotenv import read_env
from tests.commands import written


def env(folder: Path, text: str | bytes, **existing: str) -> dict[str, str]:
    return read_env(written(folder, text, ".env"), existing=existing)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("A=b", "b"),
        ("  export A = b  ", "b"),
        ("A=", ""),
        ("A= # nothing yet", ""),
        ("A=b # why", "b"),
        ("A=b#c", "b#c"),
        ("A=two words", "two words"),
        ("A=it's", "it's"),
        ("A=x=y==", "x=y=="),
        ("A='$HOME \\n # kept'", "$HOME \\n # kept"),
        ('A="a \\"b\\" # kept\\n\\t\\\\" # why', 'a "b" # kept\n\t\\'),
        ('A=""', ""),
        ("A=$HOME", "$HOME"),
        ("A=ü", "ü"),
    ],
)
def test_a_value_is_what_a_shell_would_take_it_for(tmp_path: Path, line: str, value: str) -> None:
    assert env(tmp_path, f"\n# a comment\n{line}\n") == {"A": value}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            'A="-----BEGIN KEY-----\nabc=\n-----END KEY-----\n"',
            "-----BEGIN KEY-----\nabc=\n-----END KEY-----\n",
        ),
        ("A='{\n  \"b\": 1 # kept\n}' # why", '{\n  "b": 1 # kept\n}'),
        ("export A = '\n\n'", "\n\n"),
        ('A="a \\"\n\\" b"', 'a "\n" b'),
        ('A="one \\\ntwo"', "one two"),
        ('A="back\\\\\nslash"', "back\\\nslash"),
        ("A='one \\\ntwo'", "one \\\ntwo"),
        ('A="\r\nb"', "\nb"),
    ],
)
def test_a_value_in_quotes_may_take_several_lines(tmp_path: Path, text: str, value: str) -> None:
    assert env(tmp_path, f"Z=1\n{text}\nB=2\n") == {"Z": "1", "A": value, "B": "2"}


def test_a_quote_that_is_never_closed_is_told_by_the_line_where_it_opens(tmp_path: Path) -> None:
    for quote in "'\"":
        with pytest.raises(InputError, match=r"\.env:2: expected NAME=value") as raised:
            env(tmp_path, f"Z=1\nA={quote}secret\nB=more\n")

        assert "secret" not in str(raised.value)


def test_what_is_set_already_wins_and_the_last_line_wins_over_earlier_ones(tmp_path: Path) -> None:
    assert env(tmp_path, "A=1\nB=1\nB=2\n", A="set") == {"B": "2"}


def test_windows_line_ends_and_marks_are_no_part_of_anything(tmp_path: Path) -> None:
    assert env(tmp_path, "\ufeffA=1\r\nB='2'\r\n") == {"A": "1", "B": "2"}


def test_no_file_is_an_empty_one(tmp_path: Path) -> None:
    assert read_env(tmp_path / ".env") == {}
    assert read_env(tmp_path) == {}


@pytest.mark.parametrize(
    "line", ["sk-secret", "A='secret", 'A="secret', "9A=secret", "A='secret'x", "A B=secret"]
)
def test_a_line_that_is_none_is_named_but_not_shown(tmp_path: Path, line: str) -> None:
    with pytest.raises(InputError, match=r"\.env:2: expected NAME=value") as raised:
        env(tmp_path, f"A=1\n{line}\n")

    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("line", ["COMPOSE_PROFILE", "a.b=c", "A-B=1", "A='open"])
def test_a_line_that_does_not_matter_may_be_whatever_another_tool_reads(tmp_path: Path, line: str) -> None:
    path = tmp_path / ".env"
    path.write_text(f"LAB_API_KEY=1\n{line}\n", encoding="utf-8")

    assert read_env(path, existing={}, matters=is_key) == {"LAB_API_KEY": "1"}


def test_a_key_that_cannot_be_read_is_an_error_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text("export LAB_API_KEY='open\n", encoding="utf-8")

    with pytest.raises(InputError, match=r"\.env:1: expected NAME=value"):
        read_env(path, existing={}, matters=is_key)


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        env(tmp_path, b"A=\xff\xfe")
