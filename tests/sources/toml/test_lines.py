"""Telling on which line of a TOML file each key stands."""

import tomllib
from collections.abc import Iterator, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.sources.shipped import files_of_set, shipped_sets
from steelyard.sources.toml.lines import KeyPath, key_lines

TRICKY = '''\
# a comment with [brackets] and "quotes"
title = "x # no comment"
"quoted.key" . 'other' = 1
when = 1979-05-27 07:32:00 # after a blank
multi = """
[not.a.table]
key = "value" \\""" still inside
"""""
literal = \'\'\'
[[neither]]
\'\'\'
list = [
  "a", # one
  [1, 2], { x = 1, y.z = [3] },
]

[[cases]]
id = 'first'
[cases.expectations.settings]
a = {}
[[cases.dependencies]]
name = "serde"
[[cases.dependencies]]
name = "rand"

[[cases]]
id = 'second'
[[cases.dependencies]]
name = "log"
'''


def paths(value: object, at: KeyPath = ()) -> Iterator[KeyPath]:
    """Give the path of everything in a parsed file."""
    if at:
        yield at
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from paths(inner, (*at, name))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from paths(inner, (*at, place))


def test_every_key_has_the_line_it_stands_on() -> None:
    lines = key_lines(TRICKY)

    assert {path: lines[path] for path in [("title",), ("quoted.key", "other"), ("when",), ("multi",)]} == {
        ("title",): 2,
        ("quoted.key", "other"): 3,
        ("when",): 4,
        ("multi",): 5,
    }
    assert (lines["literal",], lines["list", 0], lines["list", 1, 1]) == (9, 13, 14)
    assert lines["list", 2, "y", "z", 0] == 14
    assert (lines["cases", 0], lines["cases", 0, "expectations", "settings", "a"]) == (17, 20)
    assert lines["cases", 0, "dependencies", 1, "name"] == 24
    assert (lines["cases", 1, "id"], lines["cases", 1, "dependencies", 0]) == (27, 28)


def test_exactly_what_the_reader_finds_is_found() -> None:
    assert set(key_lines(TRICKY)) == set(paths(tomllib.loads(TRICKY)))


@pytest.mark.parametrize("name", shipped_sets())
def test_exactly_what_the_reader_finds_is_found_in_the_shipped_sets(name: str) -> None:
    for path, text in files_of_set(name).items():
        if path.endswith(".toml"):
            assert set(key_lines(text)) == set(paths(tomllib.loads(text)))


def test_a_byte_order_mark_and_windows_line_ends_move_no_line() -> None:
    assert key_lines("\ufeffa = 1\r\n\r\nb = 2\r\n") == {("a",): 1, ("b",): 3}


def test_what_is_no_toml_is_refused() -> None:
    with pytest.raises(ValueError, match="TOML"):
        key_lines("?")


KEYS = st.sampled_from(["a", "b", '"c d"', "'e.f'", "a.b", "x-1"])
VALUES = st.recursive(
    st.sampled_from(["1", '"s"', "'l'", '"""m\n"""', "'''\n'''", "true", '"\\""', "1.5e3", "2020-01-01"]),
    lambda inner: st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}\n]"),
    max_leaves=6,
)
LINES = st.one_of(
    st.tuples(KEYS, VALUES).map(" = ".join),
    KEYS.map("[{}]".format),
    KEYS.map("[[{}]]".format),
    st.sampled_from(["", "# comment"]),
)


@given(st.lists(LINES, max_size=12).map("\n".join))
def test_whatever_the_reader_accepts_is_scanned_alike(text: str) -> None:
    try:
        parsed = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return

    assert set(key_lines(text)) == set(paths(parsed))
