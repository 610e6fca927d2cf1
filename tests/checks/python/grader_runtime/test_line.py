"""The line between the two processes carries values, and nothing that would harm the grader."""

import os
import pickle
import struct
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmarks.fuzz_wire import fuzz
from steelyard.checks.python.grader_runtime import handles, plain, values
from steelyard.checks.python.grader_runtime.handles import NeedsShared
from steelyard.checks.python.grader_runtime.line import GraderLine
from steelyard.checks.python.grader_runtime.plain import Distrusted, NotPlain
from steelyard.checks.python.grader_runtime.wire import Gone, Wire

ATOMS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
KEYS = st.integers() | st.text()
PLAIN = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner) | st.dictionaries(KEYS, inner) | st.lists(inner).map(tuple) | st.frozensets(KEYS)
    ),
)
RICH = st.recursive(
    ATOMS | st.decimals(allow_nan=False) | st.fractions() | st.dates() | st.timedeltas() | st.uuids(),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(KEYS, inner),
)


class Strange:
    """Neither plain nor known."""


def refuse(value: object) -> object:
    raise TypeError(f"not expected: {value!r}")


@pytest.fixture
def ends() -> Iterator[tuple[GraderLine, int]]:
    """The grader's end, and the descriptor on which its messages come in."""
    (reading, sending), (unread, writing) = os.pipe(), os.pipe()
    yield GraderLine(Wire(reading, writing), {}), sending
    for descriptor in (reading, unread, writing):
        os.close(descriptor)


def send(descriptor: int, *messages: object) -> None:
    for message in messages:
        body = pickle.dumps(message)
        os.write(descriptor, struct.pack("=I", len(body)) + body)
    os.close(descriptor)


@given(value=PLAIN)
def test_plain_values_come_back_as_they_were(value: object) -> None:
    back = plain.loads(plain.dumps(value))

    assert (back, type(back)) == (value, type(value))


@given(value=RICH)
def test_values_of_the_library_come_back_as_they_were(value: object) -> None:
    (back,) = values.unpack(values.pack((value,), refuse), {})

    assert (back, type(back)) == (value, type(value))


@pytest.mark.parametrize("value", [Strange(), Strange, len, [Strange()], {"a": (Strange(),)}, pickle])
def test_what_is_not_plain_is_not_written(value: object) -> None:
    with pytest.raises(NotPlain):
        plain.dumps(value)


@pytest.mark.parametrize(
    "data",
    [
        *(pickle.dumps(os.system), pickle.dumps(range(3)), b"", b"garbage", pickle.dumps(1)[:-1]),
        *(b"\x80\x05\x8c", pickle.dumps(bytearray(b"x"), 5), pickle.dumps([{"a": bytearray(b"x")}], 5)),
        b"\x80\x05\x96" + struct.pack("<Q", 1) + b"x\x98.",  # a memoryview
    ],
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


KEY_ERROR: object = ("kind", (1, "builtins", "KeyError", []))
NONE: object = ("list", [])
SILENT = ("tuple", ["", ""])


def returned(value: object, *, numbers: object = NONE, later: object = NONE) -> tuple[bool, object]:
    """Return a message by which the answer returns what a tree describes."""
    return (True, ("returned", value, NONE, numbers, later, SILENT))


def raised(value: object) -> tuple[bool, object]:
    return (True, ("raised", value, NONE, NONE, NONE, SILENT))


def thing(number: int = 1, *dunders: str, base: object = "", own: object = (), kind: int = 2) -> object:
    """Return the tree of an object of the answer, as its end describes it."""
    return ("handle", (number, kind, ("Yes", [*dunders], [*own] if type(own) is tuple else own, base)))


def error(kind: object, *, words: object = ("tuple", []), about: object = ("", {}, [])) -> object:
    return ("error", (1, kind, words, about))


@pytest.mark.parametrize(
    "message",
    [
        (False, ("returned", 1)),
        (False, ("returned", 1, [[5]], [], [], ("", ""))),
        (False, ("returned", 1, ["x"], [], [], ("", ""))),
        (False, ("returned", 1, 5, [], [], ("", ""))),
        (False, ("returned", 1, [], [], [], "")),
        (False, ("returned", 1, [], [], [], ("", 5))),
        (False, ("returned", 1, [], None, [], ("", ""))),
        (False, ("returned", 1, [], [], [(7, [])], ("", ""))),
        (False, ("raised", "no exception", [], [], [], ("", ""))),
        (False, ("get", 99, "x")),
        (False, ("call", 0, "__call__", (), {})),
        (False, ("callback", 0, (), {}, [], [], ("", ""))),
        (False, ("callback", -1, (), {}, [], [], ("", ""))),
        (False, ("no such thing", 0)),
        (False, ()),
        returned(("name", ("os", "system"))),
        returned(("yours", (7,))),
        returned(("callback", (0, "f", None))),
        returned(("mine", (0,))),
        returned(thing(base="object")),
        returned(thing(base=["int"])),
        returned(thing(base="int", own=7)),
        returned(("handle", (1, 2, "Yes"))),
        returned(("handle", ([], 2, ("Yes", [], [], "")))),
        returned(("Decimal", ["x"])),
        returned(("type", ["type"])),
        returned(("Fraction", ["1e999999999"])),
        returned(("bytearray", [10**12])),
        returned(("nothing known", [])),
        returned(["a list"]),
        raised(error(("type", ["int"]))),
        raised(error(thing())),
        raised(error(KEY_ERROR, about=("", [], []))),
        raised(error(KEY_ERROR, about=("", {5: 5}, []))),
        raised(error(KEY_ERROR, about=("", {}, [5]))),
        raised(error(KEY_ERROR, words=5)),
        raised(("kind", (1, "solution", "Odd", []))),
        "no message",
        7,
    ],
)
def test_a_lie_ends_the_line(message: object, ends: tuple[GraderLine, int]) -> None:
    line, descriptor = ends
    send(descriptor, message)

    with pytest.raises(Gone):
        line.request("load")
    assert line.is_gone
    with pytest.raises(Gone):
        line.request("load")


def test_a_message_without_end_is_not_waited_for(ends: tuple[GraderLine, int]) -> None:
    line, descriptor = ends
    os.write(descriptor, struct.pack("=I", 0xFFFFFFFF))
    os.close(descriptor)

    with pytest.raises(Gone, match="4294967295 bytes"):
        line.request("load")


def test_a_deep_tree_is_refused_rather_than_followed(ends: tuple[GraderLine, int]) -> None:
    line, descriptor = ends
    node: object = 1
    for _ in range(5000):
        node = ("list", [node])
    with suppress(RecursionError):  # pickle itself may refuse to write it
        body = pickle.dumps((True, (node,)))
        with pytest.raises(Distrusted):
            values.unpack(body, {})
    os.close(descriptor)
    assert not line.is_gone


def test_a_lying_answer_never_makes_a_test_pass() -> None:
    ends = fuzz(8_000, seed=20)

    assert ends["read"] > 6_000  # a message that is refused shows little
    assert ends["failed"] > 4_000
    assert (ends["passed"], ends["ignored"]) == (0, 0)


def test_the_fuzz_would_notice_an_object_that_equals_a_plain_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(handles.METHODS, "__eq__", handles._alone("__eq__"))

    assert fuzz(4_000, seed=20)["passed"] > 0


def test_the_fuzz_would_notice_a_plain_type_that_asks_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handles, "_between", lambda name, is_plain: handles._alone(name))

    assert fuzz(4_000, seed=20)["passed"] > 0


def test_the_fuzz_would_notice_a_failure_that_the_answer_can_catch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GraderLine, "_fails_a_test", lambda *_: False)

    assert fuzz(4_000, seed=20)["passed"] > 0


def test_the_fuzz_would_notice_a_name_that_catches_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GraderLine, "_named_kind", GraderLine._kind)

    assert fuzz(4_000, seed=20)["passed"] > 0


def test_a_function_of_the_tests_is_called_and_that_is_all(ends: tuple[GraderLine, int]) -> None:
    line, descriptor = ends
    seen: list[object] = []
    send(
        descriptor,
        (False, ("callback", 0, (1, [2]), {}, [], [], ("printed first", "to the other"))),
        (False, ("returned", 5, [], [], [], ("", ""))),
    )

    with redirect_stdout(StringIO()) as printed, redirect_stderr(StringIO()) as complained:
        assert line.request("call", 0, "__call__", (lambda *given: seen.append(given),), {}) == 5
    assert (seen, printed.getvalue(), complained.getvalue()) == ([(1, [2])], "printed first", "to the other")


def test_arguments_are_changed_in_place_and_returned_as_they_are(ends: tuple[GraderLine, int]) -> None:
    line, descriptor = ends
    given_list, pair = [2, 1], ([1], {"a": 1})
    first, _, third = news = [[1, 2], [1, 5], {"b": 2}]
    send(descriptor, (False, ("returned", (first, [third]), news, [], [], ("", ""))))

    same, (inner,) = line.request("call", 0, "__call__", (given_list, pair), {})
    assert (same is given_list, inner is pair[1]) == (True, True)
    assert (given_list, pair) == ([1, 2], ([1, 5], {"b": 2}))


def test_what_came_once_is_changed_later_and_stays_one_object(ends: tuple[GraderLine, int]) -> None:
    line, descriptor = ends
    send(
        descriptor,
        (False, ("returned", [1], [], [4], [], ("", ""))),
        (False, ("returned", ([1, 2], 5), [], [4], [], ("", ""))),
        (False, ("returned", None, [], [], [(4, [])], ("", ""))),
    )

    line.module = 0
    first, (again, _) = line.request("get", 0, "path"), line.request("get", 0, "pair")
    assert (again is first, first) == (True, [1, 2])
    line.request("get", 0, "more")
    assert first == []


def test_a_change_of_another_kind_ends_the_line(ends: tuple[GraderLine, int]) -> None:
    line, descriptor = ends
    send(
        descriptor,
        (False, ("returned", [1], [], [4], [], ("", ""))),
        (False, ("returned", 1, [], [], [(4, {})], ("", ""))),
    )
    line.module = 0
    line.request("get", 0, "path")

    with pytest.raises(Gone):
        line.request("get", 0, "more")


@pytest.mark.parametrize("numbers", [[None], [1, 2], ["1"], [[]], [1.5], [{}], [(0, 1)]], ids=repr)
def test_numbers_that_are_no_numbers_end_the_line(
    numbers: list[object], ends: tuple[GraderLine, int]
) -> None:
    line, descriptor = ends
    line.module = 0
    send(descriptor, (False, ("returned", [1], [], numbers, [], ("", ""))))

    with pytest.raises(Gone):
        line.request("get", 0, "path")


def test_a_container_is_refilled_only_with_its_own_kind() -> None:
    with pytest.raises(Distrusted):
        values.refill({"a": 1}, [1])


def cyclic() -> list[object]:
    made: list[object] = [print]
    made.append(made)
    return made


@pytest.mark.parametrize("value", [Strange(), Strange, sys, cyclic()])
def test_what_cannot_be_handed_over_says_what_the_case_needs(
    value: Any,  # noqa: ANN401  # anything
    ends: tuple[GraderLine, int],
) -> None:
    line, descriptor = ends
    os.close(descriptor)

    with pytest.raises(NeedsShared, match='the case needs isolation = "shared"'):
        line.request("call", 0, "__call__", (value,), {})
    assert not line.is_gone
