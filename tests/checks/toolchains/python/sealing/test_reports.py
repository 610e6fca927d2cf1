"""Reported values survive the way out, and nothing that an answer sends does harm."""

import fractions
import json
import math
from collections.abc import Callable, Iterator

import pytest
from typing_extensions import override

from steelyard.checks.toolchains.python.runtime.encoding import LARGEST_BYTES, encode
from steelyard.checks.toolchains.python.runtime.reporting import Reporter
from steelyard.checks.toolchains.python.sealing import Report, decide, is_plain, seal
from steelyard.checks.toolchains.python.sealing.decode import BadReport, decode
from tests.checks.toolchains.python.sealing.running import run_sealed
from tests.checks.toolchains.python.sealing.test_semantics import VALUES


class Equal:
    __hash__ = None  # type: ignore[assignment]

    @override
    def __eq__(self, other: object) -> bool:
        return True


class EqualList(list[int]):
    __hash__ = None

    @override
    def __eq__(self, other: object) -> bool:
        return True


class OtherItems(list[int]):
    @override
    def __iter__(self) -> Iterator[int]:
        return iter([7])

    @override
    def __len__(self) -> int:
        raise RuntimeError


def in_itself() -> list[object]:
    items: list[object] = []
    items.append(items)
    return items


OTHERS: list[Callable[[], object]] = [
    object,
    Equal,
    lambda: EqualList([1]),
    lambda: [Equal()],
    lambda: iter([]),
    lambda: len,
    lambda: int,
    lambda: range(10**12),
    lambda: fractions.Fraction(1, 2),
    {}.values,
    in_itself,
    lambda: "a" * (LARGEST_BYTES + 1),
    lambda: [0] * LARGEST_BYTES,
]


def sent(value: object) -> object:
    return json.loads(json.dumps(encode(value)))


@pytest.mark.parametrize("name", [name for name in VALUES if "nan" not in name])
def test_a_value_is_the_same_after_it_was_reported(name: str) -> None:
    value = VALUES[name]()

    assert decode(sent(value)) == value


def test_nan_stays_nan() -> None:
    assert repr(decode(sent([math.nan]))) == "[nan]"


@pytest.mark.parametrize("make", OTHERS)
def test_what_is_not_plain_data_is_reported_by_its_type(make: Callable[[], object]) -> None:
    (assertion,) = seal("assert f() == [7]").assertions

    value = Report(0, None, sent(make()))

    assert not is_plain(value)
    assert "expected [7], got an object of type" in (decide(assertion, value) or "")


def test_a_subclass_runs_no_code_of_its_own() -> None:
    assert decode(sent(OtherItems([1, 2]))) == [1, 2]


def test_a_value_is_encoded_when_it_is_reported() -> None:
    events: list[list[object]] = []
    items = [1]

    Reporter(events.append).report(3, items)
    items.append(2)

    assert events == [["report", 3, None, [1]]]


def test_an_equal_report_is_sent_once() -> None:
    events: list[list[object]] = []
    reporter = Reporter(events.append)

    for value in ("a" * 1000, "a" * 1000, "b"):
        reporter.report(3, value)

    assert events == [["report", 3, None, "a" * 1000], ["again", 3], ["report", 3, None, "b"]]


def test_of_a_dict_only_the_members_are_reported() -> None:
    assert run_sealed("assert 'a' in f()", {"f": lambda: {"a": object()}}) == [None]


HOSTILE: list[object] = [
    {},
    {"int": "zz"},
    {"int": 7},
    {"float": None},
    {"bytes": "abc"},
    {"unknown": []},
    {"tuple": 3},
    {"tuple": [], "set": []},
    {"set": [[1]]},
    {"dict": [1]},
    {"dict": [[1, 2, 3]]},
    {"dict": {"a": 1}},
    {"Decimal": "1e999999999"},
    {"complex": [1, 2, 3]},
    {"timedelta": [10**30]},
    {"datetime": "tomorrow"},
    {"range": [1, 2, 0]},
    {"call": [1, 2, 3, 4]},
    {"other": 3},
    {"set": [{"int": hex(number * (2**61 - 1))} for number in range(30_000)]},
    {"Counter": [[{"int": hex(number * (2**61 - 1))}, 1] for number in range(30_000)]},
    json.loads("[" * 900 + "]" * 900),
    ["a"] * 10_000,
    {"int": hex(10**100_000)},
    {"range": [0, 10**12, 1]},
    "a" * 100_000 + "!",
]
CHECKS = [
    "assert f() == {1: [2.5]}",
    "assert f() < 3",
    "assert 'b' * 50 in f()",
    "assert abs(f() - 1.5) < 1e-3",
    "import pytest\nassert f() == pytest.approx([1.5])",
    "import re\nassert re.fullmatch('(a+)+', f())",
    "self.assertCountEqual(f(), [[1], [2]])",
    "self.assertAlmostEqual(f(), 1.5)",
    "with pytest.raises(ValueError, match='(a+)+$'):\n    f()",
    "m.assert_called_once_with(3)",
    "assert isinstance(f(), int)",
    "@mark.parametrize('x, y', [(1, 2)])\ndef test(x, y):\n    assert f(x) == y",
]


@pytest.mark.parametrize("source", CHECKS)
def test_a_hostile_report_fails_in_bounded_time(source: str) -> None:
    (assertion,) = seal(source).assertions

    messages = [decide(assertion, Report(0, cell, value)) for value in HOSTILE for cell in (None, 0, "0", 9)]

    assert None not in messages
    assert max(map(len, filter(None, messages))) < 1000


def test_a_pattern_that_backtracks_for_ever_ends() -> None:
    (assertion,) = seal("import re\nassert re.fullmatch('(a|aa)+b', f())").assertions

    assert "TimeoutError" in (decide(assertion, Report(0, None, "a" * 5000)) or "")


def test_a_report_names_a_row_of_its_own_table() -> None:
    test = "@mark.parametrize('x, y', {})\ndef test{}(x, y):\n    assert f(x) == y\n"
    source = test.format([(1, 2), (3, 4)], 1) + test.format([(1, 8)], 2)
    first, second = seal(source).assertions
    assert first.check
    assert second.check
    (two, four), (eight,) = first.check.cells, second.check.cells

    assert decide(first, Report(0, two, 2)) is None
    assert "expected 4, got 2" in (decide(first, Report(0, four, 2)) or "")
    assert decide(first, Report(0, eight, 8)) is not None
    assert decide(first, Report(0, float(four), 4)) is not None


@pytest.mark.parametrize("encoded", HOSTILE[:19])
def test_a_malformed_report_is_recognized(encoded: object) -> None:
    with pytest.raises(BadReport):
        decode(encoded)
