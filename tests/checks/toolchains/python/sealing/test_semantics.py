"""Sealed assertions hold for the same values as the plain ones."""

import collections
import datetime as dt
import decimal
import enum
import math
import pathlib
import types
from collections.abc import Callable

import numpy as np
import pytest

from tests.checks.toolchains.python.sealing.running import passes_plainly, run_sealed


class Level(enum.IntEnum):
    LOW = 1


class Letter(enum.StrEnum):
    A = "a"


class Words(list[str]):
    pass


class Text(str):
    __slots__ = ()


Point = collections.namedtuple("Point", "x y")  # noqa: PYI024  # as in answers
VALUES: dict[str, Callable[[], object]] = {
    "none": lambda: None,
    "true": lambda: True,
    "zero": lambda: 0,
    "one": lambda: 1,
    "one as float": lambda: 1.0,
    "nearly one": lambda: 1.0000001,
    "minus zero": lambda: -0.0,
    "nan": lambda: math.nan,
    "infinite": lambda: math.inf,
    "complex": lambda: 1 + 0j,
    "large": lambda: 10**5000,
    "text": lambda: "a",
    "empty": lambda: "",
    "surrogate": lambda: "\ud800",
    "bytes": lambda: b"a",
    "list": lambda: [1, 2],
    "list of floats": lambda: [1.0, 2.0],
    "nested": lambda: [[1, 2], ["a", None]],
    "list with nan": lambda: [math.nan],
    "tuple": lambda: (1, 2),
    "named tuple": lambda: Point(1, 2),
    "set": lambda: {1, 2},
    "frozenset": lambda: frozenset({1, 2}),
    "dict": lambda: {"a": 1, "b": [2]},
    "keys": {1: 0, 2: 0}.keys,
    "ordered": lambda: collections.OrderedDict(a=1, b=[2]),
    "reordered": lambda: collections.OrderedDict(b=[2], a=1),
    "counter": lambda: collections.Counter(a=1, b=0),
    "defaultdict": lambda: collections.defaultdict(int, {"a": 1, "b": [2]}),
    "deque": lambda: collections.deque([1, 2]),
    "proxy": lambda: types.MappingProxyType({"a": 1, "b": [2]}),
    "int enum": lambda: Level.LOW,
    "str enum": lambda: Letter.A,
    "str subclass": lambda: Text("a"),
    "list subclass": lambda: Words(["a"]),
    "decimal": lambda: decimal.Decimal("1.0"),
    "date": lambda: dt.date(2026, 1, 2),
    "datetime": lambda: dt.datetime(2026, 1, 2, 3, tzinfo=dt.UTC),
    "timedelta": lambda: dt.timedelta(days=-1, microseconds=5),
    "path": lambda: pathlib.Path("a"),
    "numpy int": lambda: np.int64(1),
    "numpy float": lambda: np.float64(1),
    "numpy bool": lambda: np.True_,
    "numpy in list": lambda: [np.int64(1), np.float32(2)],
}
IMPORTS = """\
import collections, datetime, decimal, math, pathlib, unittest, pytest
self = unittest.TestCase()
"""
ASSERTIONS = [
    "assert f() == 1",
    "assert f() != 1",
    "assert f() == True",
    "assert f() is None",
    "assert f() is True",
    "assert f() is not True",
    "assert f() == float('nan')",
    "assert f() == [float('nan')]",
    "assert f() == math.inf",
    "assert f() == 10 ** 5000",
    "assert f() == 'a'",
    "assert f() == b'a'",
    "assert f() == [1, 2]",
    "assert f() == (1, 2)",
    "assert f() == {1, 2}",
    "assert f() == {'a': 1, 'b': [2]}",
    "assert f() == {'a': 1}",
    "assert f() == ['a']",
    "assert f() == collections.OrderedDict([('a', 1), ('b', [2])])",
    "assert f() == collections.Counter('a')",
    "assert f() == collections.deque([1, 2])",
    "assert f() == decimal.Decimal(1)",
    "assert f() == datetime.date(2026, 1, 2)",
    "assert f() == datetime.datetime(2026, 1, 2, 3, tzinfo=datetime.timezone.utc)",
    "assert f() == datetime.timedelta(microseconds=5) - datetime.timedelta(days=1)",
    "assert f() == pathlib.Path('a')",
    "assert f()",
    "assert not f()",
    "assert f() in (1, 'a', None)",
    "assert 1 in f()",
    "assert 'a' not in f()",
    "assert 0 <= f() < 2",
    "assert f() > 0.5",
    "assert abs(f() - 1) <= 1e-6",
    "assert f() == pytest.approx(1)",
    "assert f() == pytest.approx([1, 2])",
    "assert isinstance(f(), (int, dict))",
    "self.assertEqual(f(), [1, 2])",
    "self.assertListEqual(f(), [1, 2])",
    "self.assertTupleEqual(f(), (1, 2))",
    "self.assertDictEqual(f(), {'a': 1, 'b': [2]})",
    "self.assertSetEqual(f(), {1, 2})",
    "self.assertCountEqual(f(), [2, 1])",
    "self.assertAlmostEqual(f(), 1)",
    "self.assertAlmostEqual(f(), 1, delta=0.5)",
    "self.assertRegex(f(), '^a$')",
    "assert math.isclose(f(), 1)",
]
# A view of a dict is a set outside, and a proxy of a dict is a dict.
DIFFERENT = {
    "self.assertSetEqual(f(), {1, 2})": ["keys"],
    "self.assertDictEqual(f(), {'a': 1, 'b': [2]})": ["proxy"],
}


@pytest.mark.parametrize("assertion", ASSERTIONS)
def test_a_sealed_assertion_holds_where_the_plain_one_does(assertion: str) -> None:
    source = IMPORTS + assertion
    different = []

    for name, make in VALUES.items():
        value = make()
        try:
            sealed = run_sealed(source, {"f": lambda value=value: value}) == [None]
        except Exception:  # noqa: BLE001  # `bool(value)` and the like fail inside, as in the plain test
            sealed = False
        if sealed is not passes_plainly(source, {"f": lambda value=value: value}):
            different.append(name)

    assert different == DIFFERENT.get(assertion, [])
