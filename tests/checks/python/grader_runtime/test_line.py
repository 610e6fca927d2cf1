"""The line between the two processes carries every value, and nothing that would harm the grader."""

import os
import pickle
import struct
from collections.abc import Iterator

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from steelyard.checks.python.grader_runtime import plain
from steelyard.checks.python.grader_runtime.containers import Watch, containers, refill
from steelyard.checks.python.grader_runtime.exceptions import Exceptions, library_exception
from steelyard.checks.python.grader_runtime.link import Link
from steelyard.checks.python.grader_runtime.permissions import Permissions
from steelyard.checks.python.grader_runtime.plain import Distrusted, NotPlain
from steelyard.checks.python.grader_runtime.values import Reader
from steelyard.checks.python.grader_runtime.wire import Gone, Wire

ATOMS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
KEYS = st.integers() | st.text()
PLAIN = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner) | st.dictionaries(KEYS, inner) | st.lists(inner).map(tuple) | st.frozensets(KEYS)
    ),
)


def generator() -> Iterator[int]:
    yield 1


class Strange:
    """Neither plain nor known."""


@pytest.fixture
def ends() -> Iterator[tuple[Link, int]]:
    """The grader's end, and the descriptor on which its messages come in."""
    (reading, sending), (unread, writing) = os.pipe(), os.pipe()
    yield Link(Wire(reading, writing), permissions=Permissions()), sending
    for descriptor in (reading, unread, writing):
        os.close(descriptor)


def send(descriptor: int, message: object) -> None:
    body = pickle.dumps(message)
    os.write(descriptor, struct.pack("=I", len(body)) + body)
    os.close(descriptor)


@given(value=PLAIN)
def test_plain_values_come_back_as_they_were(value: object) -> None:
    back = plain.loads(plain.dumps(value))

    assert (back, type(back)) == (value, type(value))


@pytest.mark.parametrize("value", [Strange(), Strange, len, [Strange()], {"a": (Strange(),)}, pickle])
def test_what_is_not_plain_is_not_written(value: object) -> None:
    with pytest.raises(NotPlain):
        plain.dumps(value)


@pytest.mark.parametrize(
    "data",
    [pickle.dumps(os.system), pickle.dumps(range(3)), b"", b"garbage", pickle.dumps(1)[:-1], b"\x80\x05\x8c"],
)
def test_no_bytes_make_anything_but_plain_values(data: bytes) -> None:
    with pytest.raises(Distrusted):
        plain.loads(data)


@given(data=st.binary(max_size=60))
def test_any_bytes_are_plain_or_refused(data: bytes) -> None:
    # Python's own unpickler drops a bytearray that is cut short with a complaint that nobody can catch.
    assume(pickle.BYTEARRAY8 not in data)
    try:
        value = plain.loads(data)
    except Distrusted:
        return
    plain.dumps(value)


@pytest.mark.parametrize(
    "message",
    [
        (False, ("returned", 1)),
        (False, ("returned", 1, [(5, [])], "")),
        (False, ("returned", 1, ["x"], "")),
        (False, ("raised", "no exception", [], "")),
        (False, ("get", 99, "x")),
        (False, ("no such thing", 0)),
        (False, ()),
        (True, ("returned", ("name", "os", "system"), [], "")),
        (True, ("returned", ("yours", 7), [], "")),
        (True, ("returned", ("known", 3), [], "")),
        (True, ("returned", ("more", 1, (1, "X", []), "int", "text"), [], "")),
        (True, ("returned", ("more", 1, (1, "X", []), "type", 1), [], "")),
        (True, ("returned", ("std", "os.system", ["true"]), [], "")),
        (True, ("returned", ("std", "decimal.Decimal", ["x"]), [], "")),
        (True, ("returned", ("nothing known",), [], "")),
        (True, ("returned", ["a list"], [], "")),
        (
            True,
            (
                "raised",
                ("raised", ("name", "builtins", "int"), ("tuple", 0, []), "", ("dict", 1, [])),
                [],
                "",
            ),
        ),
        "no message",
        7,
    ],
)
def test_a_lie_ends_the_line(message: object, ends: tuple[Link, int]) -> None:
    link, descriptor = ends
    send(descriptor, message)

    with pytest.raises(Gone):
        link.request("run")
    assert link.is_gone
    with pytest.raises(Gone):
        link.demand_alive()


def test_a_message_without_end_is_not_waited_for(ends: tuple[Link, int]) -> None:
    link, descriptor = ends
    os.write(descriptor, struct.pack("=I", 0xFFFFFFFF))
    os.close(descriptor)

    with pytest.raises(Gone, match="4294967295 bytes"):
        link.request("run")


def test_a_deep_tree_is_refused_rather_than_followed(ends: tuple[Link, int]) -> None:
    link, descriptor = ends
    os.close(descriptor)
    node: object = 1
    for place in range(5000):
        node = ("list", place, [node])

    with pytest.raises(Distrusted):
        Reader(link).read(node)


def test_containers_are_found_in_the_same_order_in_equal_values() -> None:
    one = ([1, [2]], {"a": {3}, "b": (bytearray(b"x"),)})

    assert containers(one) == [[1, [2]], [2], {"a": {3}, "b": (bytearray(b"x"),)}, {3}, bytearray(b"x")]
    assert containers(plain.loads(plain.dumps(one))) == containers(one)


def test_changes_are_noticed_by_identity() -> None:
    given_list, given_dict, given_set = [1, 2], {"a": [1]}, {1}
    watch = Watch((given_list, given_dict, given_set))
    given_list.reverse()
    given_dict["a"].append(2)

    assert [watch.known[place] for place in watch.changed()] == [[2, 1], [1, 2]]


def test_a_container_is_refilled_only_with_its_own_kind() -> None:
    kept = {"a": 1}
    refill(kept, {"b": 2})

    assert kept == {"b": 2}
    with pytest.raises(Distrusted):
        refill(kept, [1])


def test_exceptions_of_test_runners_are_never_taken_by_name() -> None:
    assert library_exception("json.decoder", "JSONDecodeError") is not None
    assert library_exception("unittest.case", "SkipTest") is None
    made = Exceptions().kind(1, "unittest.case", "SkipTest", [Exception])

    assert made.__mro__[1:] == (Exception, BaseException, object)


def test_exceptions_with_bases_that_do_not_go_together_take_the_first() -> None:
    made = Exceptions().kind(1, "solution", "Odd", [OSError, UnicodeDecodeError])

    assert issubclass(made, OSError)


@pytest.mark.parametrize(
    ("kind", "thing", "rest"),
    [
        ("get", len, ["__self__"]),
        ("get", generator(), ["gi_frame"]),
        ("get", Strange(), ["__class__"]),
        ("set", Strange(), ["x", 1]),
        ("del", Strange(), ["x"]),
        ("get", Strange(), [3]),
        ("special", Strange(), ["__reduce__", (), {}]),
        ("get", os, ["environ"]),
    ],
)
def test_an_answer_may_not_reach_through_a_tests_objects(
    kind: str, thing: object, rest: list[object]
) -> None:
    with pytest.raises(AttributeError):
        Permissions().demand(kind, thing, rest)


def test_an_answer_may_use_what_it_is_given() -> None:
    Permissions().demand("special", len, ["__call__", ([],), {}])
    Permissions().demand("get", Strange(), ["value"])
