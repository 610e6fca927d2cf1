"""Plain data: JSON with tags for what JSON lacks, decoded without trust."""

import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.checks.forms.calls.compare import Rule
from steelyard.checks.forms.calls.values import DictValue, PlainDataError, SetValue, decode, of_plain, shown
from steelyard.checks.toolchains.drivers.driver import FOLDER

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=2**14_000, max_value=2**14_100)
    | st.floats()
    | st.text()
    | st.binary()
    | st.complex_numbers(allow_nan=False, allow_infinity=False)
)
HASHABLE = SCALARS | st.tuples(SCALARS, SCALARS) | st.frozensets(st.text())
VALUES = st.recursive(
    HASHABLE,
    lambda inner: (
        st.lists(inner)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(), inner)
        | st.dictionaries(st.sampled_from(["set", "int", "null"]), inner, max_size=1)
        | st.dictionaries(HASHABLE, inner)
        | st.sets(HASHABLE)
    ),
    max_leaves=20,
)
# The driver's own encoder and decoder, without its main program.
DRIVER = (FOLDER / "python" / "driver.py").read_text(encoding="utf-8")


@given(value=VALUES)
@settings(deadline=None)
def test_what_the_driver_encodes_decodes_to_an_equal_value(value: object) -> None:
    names: dict[str, object] = {}
    exec(compile(DRIVER, "driver.py", "exec"), names)  # noqa: S102  # the driver is a script of ours
    encoded = names["plain"](value)  # type: ignore[operator]  # a function of the script
    text = json.dumps(encoded)

    again = json.loads(text, object_hook=names["untagged"])  # type: ignore[arg-type]  # as above
    twice = names["plain"](again)  # type: ignore[operator]  # as above

    assert Rule(like_python=True).holds(decode(text), of_plain(twice))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"tuple": [1, [2]]}', (1, [2])),
        ('{"set": [1, 1]}', SetValue([1, 1])),
        ('{"bytes": "AAE="}', b"\0\1"),
        ('{"int": "-0x10"}', -16),
        ('{"int": "12"}', 12),
        ('{"float": "-inf"}', float("-inf")),
        ('{"complex": [1, 2.5]}', 1 + 2.5j),
        ('{"dict": [[1, 2]]}', DictValue([(1, 2)])),
        ('{"null": true}', None),
        ('{"tuple": [1], "set": [2]}', {"tuple": [1], "set": [2]}),
        ('{"other": 1}', {"other": 1}),
    ],
)
def test_a_tag_stands_for_a_value(text: str, value: object) -> None:
    assert decode(text) == value


@pytest.mark.parametrize(
    "text",
    [
        *("", "nope", "[1", '"\ud800'.encode("utf-8", "surrogatepass"), b"\xff", "NaN", "[Infinity]"),
        *('{"tuple": 1}', '{"set": {}}', '{"bytes": "?"}', '{"bytes": 1}', '{"int": 1}', '{"int": "x"}'),
        *('{"float": "1.0"}', '{"float": []}', '{"complex": [1]}', '{"complex": [1, "2"]}', '{"null": 1}'),
        *('{"dict": [[1]]}', '{"dict": 1}', '{"dict": [1]}', '{"complex": [1e400, {}]}'),
        *("[" * 100_000, "1" * 5_000, '{"int": "' + "1" * 5_000 + '"}'),
    ],
)
def test_anything_else_is_refused(text: str | bytes) -> None:
    with pytest.raises(PlainDataError):
        decode(text)


@pytest.mark.parametrize("value", [object(), {1, 2}, float("nan"), b""])
def test_values_of_python_that_are_no_plain_data_are_refused(value: object) -> None:
    with pytest.raises(PlainDataError):
        of_plain(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "1"),
        ("a", "'a'"),
        ("x" * 300, "'" + "x" * 199 + "…"),
        pytest.param(2**100_000, "an integer of 100001 bits", id="long number"),
        ([2**100_000], "a list"),
        ([1] * 300, str([1] * 200)[:200] + "…"),
        (SetValue([1]), "{1}"),
        ([SetValue([]), SetValue([SetValue(["a"])])], "[set(), {{'a'}}]"),
        (DictValue([(1, 2), (SetValue([3]), [4])]), "{1: 2, {3}: [4]}"),
    ],
)
def test_a_value_is_shown_by_its_beginning(value: object, text: str) -> None:
    assert shown(value) == text


def test_the_driver_needs_nothing_but_the_standard_library() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"__name__ = 'driver'\n{DRIVER}"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
