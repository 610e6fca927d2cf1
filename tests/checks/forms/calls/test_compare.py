"""Results compare by the rule of their language; nothing of an answer takes part."""

import math
import time

import pytest

from steelyard.checks.forms.calls.compare import Rule
from steelyard.checks.forms.calls.values import DictValue, NilValue, SetValue, as_plain, decode, of_plain
from steelyard.model.graded import Compare, Plain

PYTHON, OTHER = Rule(like_python=True), Rule(like_python=False)
NAN = {"float": "nan"}


@pytest.mark.parametrize(
    ("expected", "result", "in_python", "elsewhere"),
    [
        (1, 1, True, True),
        (1, 1.0, True, True),
        (1, True, True, False),
        (True, 1, True, False),
        (True, True, True, True),
        (0, False, True, False),
        (0, None, False, False),
        (None, None, True, True),
        ("1", 1, False, False),
        ("é", "é", True, True),
        ([1, 2], [1, 2], True, True),
        ([1, 2], [2, 1], False, False),
        ([1, 2], [1, 2, 3], False, False),
        ([1], [True], True, False),
        ({"tuple": [1, 2]}, {"tuple": [1, 2]}, True, True),
        ({"tuple": [1, 2]}, [1, 2], False, True),
        ([1, 2], {"tuple": [1, 2]}, False, True),
        ({"set": [1, 2]}, {"set": [2, 1]}, True, True),
        ({"set": [1, 2]}, {"set": [1, 2, 3]}, False, False),
        ({"set": [1, 2]}, [2, 1], False, True),
        ({"set": [1, 2]}, [2, 1, 1], False, False),
        ({"set": [1, 2]}, {"set": [2, 1, 1]}, False, False),
        ({"set": [[1], [2]]}, {"set": [[2], [1]]}, True, True),
        ({"set": [[1], [2]]}, {"set": [[2], [1], [2]]}, False, False),
        ([{"set": [[1], [2]]}], [{"set": [[2], [1], [2]]}], False, False),
        ({"set": [{"set": [[1], [2]]}]}, {"set": [{"set": [[2], [1], [2]]}]}, False, False),
        ({"set": [{"set": [1, 2]}]}, {"set": [{"set": [2, 1]}]}, True, True),
        ({"bytes": "AAE="}, {"bytes": "AAE="}, True, True),
        ({"bytes": "AAE="}, [0, 1], False, True),
        ({"bytes": "AAE="}, [False, True], False, False),
        ([0, 1], {"bytes": "AAE="}, False, True),
        ({"tuple": [0, 1]}, {"bytes": "AAE="}, False, True),
        ([0, 1, 0], {"bytes": "AAE="}, False, False),
        ([False, True], {"bytes": "AAE="}, False, False),
        ("AAE=", {"bytes": "AAE="}, False, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True, True),
        ({"a": 1}, {"a": 2}, False, False),
        ({"a": 1}, {"a": 1, "b": 2}, False, False),
        ({"a": 1, "b": 2}, {"dict": [["b", 2], ["a", 1]]}, True, True),
        ({"a": 1, "b": 2}, {"dict": [["a", 1], ["a", 1]]}, False, False),
        ({"dict": [[1, "x"]]}, {"dict": [[1, "x"]]}, True, True),
        ({"dict": [[1, "x"]]}, {"1": "x"}, False, False),
        ({"dict": [[True, "x"]]}, {"dict": [[1, "x"]]}, True, False),
        ({"dict": [["set", [1]]]}, {"dict": [["set", [1]]]}, True, True),
        ({"dict": [[{"tuple": [1, 2]}, 3]]}, {"dict": [[{"tuple": [1, 2]}, 3]]}, True, True),
        ({"set": [{"dict": [[1, 2]]}]}, {"set": [{"dict": [[1, 2]]}]}, True, True),
        ({"set": [{"a": 1, "b": 2}]}, {"set": [{"b": 2, "a": 1}]}, True, True),
        ({"set": [NAN]}, {"set": [NAN]}, True, True),
        ({"set": [NAN]}, {"set": ["nan"]}, False, False),
        ({"set": [{"a": 1.0}, {"b": 2}]}, {"set": [{"b": 2}, {"a": 1}]}, True, True),
        ({"set": [{"set": [1.0]}]}, {"set": [{"set": [1]}]}, True, True),
        ({"set": [{"set": [1e300]}]}, {"set": [{"set": [10**300]}]}, False, False),
        ({"set": [[True]]}, {"set": [[1]]}, True, False),
        ({"a": 1}, [1], False, False),
        ({"complex": [1, 2]}, {"complex": [1, 2]}, True, True),
        ({"complex": [1, 2]}, [1, 2], False, True),
        ({"complex": [1, 0]}, 1, True, False),
        (NAN, NAN, True, True),
        (NAN, 1.0, False, False),
        (1.0, NAN, False, False),
        ([NAN], [NAN], True, True),
        ({"float": "inf"}, {"float": "inf"}, True, True),
        ({"float": "inf"}, {"float": "-inf"}, False, False),
        ({"int": "12"}, 12, True, True),
        (10**30, {"int": hex(10**30)}, True, True),
        (0.1, 0.1 + 1e-12, False, False),
    ],
)
def test_values_are_equal_by_the_rule_of_the_language(
    expected: Plain, result: Plain, *, in_python: bool, elsewhere: bool
) -> None:
    one, other = of_plain(expected), of_plain(result)

    assert PYTHON.holds(one, other) is in_python
    assert OTHER.holds(one, other) is elsewhere


@pytest.mark.parametrize("like_python", [True, False])
@pytest.mark.parametrize(
    ("expected", "result", "is_close"),
    [
        (1.0, 1.0 + 1e-7, True),
        (1.0, 1.1, False),
        (1e9, 1e9 + 1, True),
        (0.0, 1e-7, True),
        (1, 1 + 1e-7, True),
        (1_000_000_000, 1_000_000_001, False),  # whole numbers are exact
        ([0.1, [0.2]], [0.1 + 1e-9, [0.2 - 1e-9]], True),
        ({"a": 0.5}, {"a": 0.5 + 1e-9}, True),
        ({"complex": [1, 2]}, {"complex": [1, 2.0000001]}, True),
        (10**400, 1.5, False),
        (1.5, "1.5", False),
        (1.5, NAN, False),
        ({"float": "inf"}, 1e308, False),
        (True, 0.9999999, False),
        (0.9999999, True, False),
        (False, 1e-9, False),
        ([True], [0.9999999], False),
        (True, {"complex": [1, 1e-9]}, False),
        (True, True, True),
    ],
)
def test_floats_are_equal_within_the_tolerance(
    expected: Plain, result: Plain, *, is_close: bool, like_python: bool
) -> None:
    rule = Rule(like_python=like_python, tolerance=1e-6)

    assert rule.holds(of_plain(expected), of_plain(result)) is is_close


@pytest.mark.parametrize(
    ("expected", "result", "is_same"),
    [
        ([1, 2, 2], [2, 1], True),
        ([1, 2], {"tuple": [2, 1, 1]}, True),
        ({"set": [1, 2]}, [2, 1, 1], True),
        ({"set": [[1]]}, {"set": [[1], [1]]}, True),
        ([[1]], {"set": [[1], [1]]}, True),
        ({"a": {"set": [[1]]}}, {"a": {"set": [[1], [1]]}}, False),
        ([1, 2], [1], False),
        (1, 1, True),
    ],
)
@pytest.mark.parametrize("like_python", [True, False])
def test_sequences_can_be_compared_as_sets(
    expected: Plain, result: Plain, *, is_same: bool, like_python: bool
) -> None:
    rule = Rule(like_python=like_python, compare=Compare.SET)

    assert rule.holds(of_plain(expected), of_plain(result)) is is_same


@pytest.mark.parametrize(
    ("expected", "result", "in_python"),
    [
        ([{"tuple": [1, 2]}], [[1, 2]], False),
        ([[1, 2]], [{"tuple": [1, 2]}], False),
        ([[1, 2], [3]], [[3], [1, 2]], True),
        ([{"tuple": [1, 2]}, 3], {"tuple": [3, {"tuple": [1, 2]}]}, True),
        ([{"a": [[1]]}], [{"a": [{"tuple": [1]}]}], False),
        ([{"a": [[1]]}, 2], [2, {"a": [[1]]}], True),
        ([{"dict": [[1, [2]]]}], [{"dict": [[1, {"tuple": [2]}]]}], False),
        ([{"dict": [[[1], 2]]}, 1], [1, {"dict": [[{"tuple": [1]}, 2]]}], True),  # a key cannot be a list
        ({"set": [[1, 2]]}, {"set": [{"tuple": [1, 2]}]}, True),  # nor can an element of a set
        ({"set": [[1, 2]]}, [{"tuple": [1, 2]}], True),
        ({"set": [[1, 2]]}, [[1, 2]], True),
        ([[1, 2], [3, 4]], {"set": [{"tuple": [3, 4]}, {"tuple": [1, 2]}]}, True),
        ([{"set": [[1]]}, 2], [2, {"set": [{"tuple": [1]}]}], True),
    ],
)
def test_lists_in_sequences_that_are_compared_as_sets_are_no_tuples_in_python(
    expected: Plain, result: Plain, *, in_python: bool
) -> None:
    one, other = of_plain(expected), of_plain(result)

    assert Rule(like_python=True, compare=Compare.SET).holds(one, other) is in_python
    assert Rule(like_python=False, compare=Compare.SET).holds(one, other)


@pytest.mark.parametrize(
    ("expected", "result", "is_same"),
    [(True, "x", True), (False, None, True), (True, None, False), (False, 0, False), (False, False, True)],
)
def test_it_can_be_enough_that_there_is_a_value(expected: Plain, result: Plain, *, is_same: bool) -> None:
    rule = Rule(like_python=True, compare=Compare.EXISTS)

    assert rule.holds(of_plain(expected), of_plain(result)) is is_same


def test_a_value_that_is_nested_too_deeply_is_not_equal() -> None:
    deep: object = 0
    for _ in range(20_000):
        deep = [deep]

    assert not OTHER.holds(deep, decode("[1]"))
    assert not PYTHON.holds(deep, [deep])


def test_a_set_of_numbers_that_collide_takes_no_time() -> None:
    modulus = 2**61 - 1
    result = decode('{"set": [' + ",".join(str(n * modulus) for n in range(1, 30_000)) + "]}")

    assert not PYTHON.holds(of_plain({"set": list(range(29_999))}), result)
    assert math.isfinite(modulus)


@pytest.mark.parametrize("expected", [SetValue([1]), {"a": 1}])
def test_a_set_in_a_set_in_a_set_takes_no_time(expected: object) -> None:
    nested: object = SetValue([1])
    for _ in range(200):
        nested = SetValue([nested])
    result = DictValue([(nested, 1)]) if isinstance(expected, dict) else nested
    began = time.process_time()

    assert not Rule(like_python=False).holds(expected, result)
    assert Rule(like_python=False).holds(SetValue([nested]), SetValue([nested]))
    assert time.process_time() - began < 5


def test_an_infinite_number_is_near_nothing_but_itself() -> None:
    rule = Rule(like_python=True, tolerance=1e-6)
    infinite = decode('{"complex": [1e999, 0]}')

    assert not rule.holds(3.5, infinite)
    assert not rule.holds([3.5], [infinite])
    assert not rule.holds(decode('{"complex": [1, 2]}'), decode('{"complex": [1, -1e999]}'))
    assert rule.holds(infinite, decode('{"complex": [1e999, 0]}'))


def test_nil_in_a_list_without_order_is_empty() -> None:
    rule = Rule(like_python=False, compare=Compare.SET)

    assert rule.holds([[1], []], [NilValue([]), [1]])
    assert rule.holds([], NilValue([]))
    assert rule.holds(None, NilValue([]))
    assert not rule.holds([1], NilValue([]))


@pytest.mark.parametrize("expected", [True, False])
def test_nil_is_no_value_where_only_that_there_is_one_counts(expected: bool) -> None:  # noqa: FBT001  # a case
    assert Rule(like_python=False, compare=Compare.EXISTS).holds(expected, NilValue([])) is not expected


def test_a_comparator_sees_nil_as_empty() -> None:
    assert as_plain([NilValue([]), NilValue(SetValue([]))]) == [[], {"set": []}]
