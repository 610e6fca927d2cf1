"""The line between the two processes carries values, and nothing that would harm the grader."""

import os
import pickle
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout, suppress
from io import StringIO
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmarks.fuzz_wire import fuzz
from steelyard.checks.python.grader_runtime import handles, plain, values
from steelyard.checks.python.grader_runtime.errors import AnswerErrors, known_exception, made
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
    yield GraderLine(Wire(reading, writing)), sending
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


ERROR: object = ("kind", (1, "builtins", "KeyError", []))


@pytest.mark.parametrize(
    "message",
    [
        (False, ("returned", 1)),
        (False, ("returned", 1, None, [(5, [])], "")),
        (False, ("returned", 1, None, ["x"], "")),
        (False, ("returned", 1, 5, [], "")),
        (False, ("raised", "no exception", None, [], "")),
        (False, ("get", 99, "x")),
        (False, ("do", 0, "__call__", (), {})),
        (False, ("callback", 0, (), {}, [], "")),
        (False, ("callback", -1, (), {}, [], "")),
        (False, ("no such thing", 0)),
        (False, ()),
        (True, ("returned", ("name", ("os", "system")), None, ("list", []), "")),
        (True, ("returned", ("yours", (7,)), None, ("list", []), "")),
        (True, ("returned", ("callback", (0, "f", None)), None, ("list", []), "")),
        (True, ("returned", ("more", (1, 2, "X", [], ("list", []))), None, ("list", []), "")),
        (True, ("returned", ("more", (1, 2, "X", [["unhashable"]], 1)), None, ("list", []), "")),
        (True, ("returned", ("blank", (0,)), None, ("list", []), "")),
        (True, ("returned", ("Decimal", ["x"]), None, ("list", []), "")),
        (True, ("returned", ("type", ["type"]), None, ("list", []), "")),
        (True, ("returned", ("Fraction", ["1e999999999"]), None, ("list", []), "")),
        (True, ("returned", ("bytearray", [10**12]), None, ("list", []), "")),
        (True, ("returned", ("nothing known", []), None, ("list", []), "")),
        (True, ("returned", ["a list"], None, ("list", []), "")),
        (
            True,
            (
                "raised",
                ("error", (1, ("type", ["int"]), ("tuple", []), "", ("dict", []))),
                None,
                ("list", []),
                "",
            ),
        ),
        (True, ("raised", ("error", (1, ERROR, ("tuple", []), "", ("list", []))), None, ("list", []), "")),
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
    ends = fuzz(20_000, seed=20)

    assert ends["failed"] > 6_000
    assert (ends["passed"], ends["ignored"]) == (0, 0)


def test_the_fuzz_would_notice_an_object_that_answers_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("__eq__", "__ne__"):
        monkeypatch.setitem(handles.KEPT_APART, name, handles._forward(name))
        monkeypatch.setitem(handles.BY_VALUE, name, handles._forward(name))

    assert fuzz(3_000, seed=20)["passed"] > 0


def test_a_function_of_the_tests_is_called_and_that_is_all(ends: tuple[GraderLine, int]) -> None:
    line, descriptor = ends
    seen: list[object] = []
    send(
        descriptor,
        (False, ("callback", 0, (1, [2]), {}, [], "printed first")),
        (False, ("returned", 5, None, [], "")),
    )

    with redirect_stdout(StringIO()) as printed:
        assert line.request("do", 0, "__call__", (lambda *given: seen.append(given),), {}) == 5
    assert (seen, printed.getvalue()) == ([(1, [2])], "printed first")


def test_arguments_are_changed_in_place_and_returned_as_they_are(ends: tuple[GraderLine, int]) -> None:
    line, descriptor = ends
    given_list, pair = [2, 1], ([1], {"a": 1})
    send(
        descriptor,
        (False, ("returned", None, 0, [(0, [1, 2]), (1, ([1, 5], {"b": 2}))], "")),
    )

    assert line.request("do", 0, "__call__", (given_list, pair), {}) is given_list
    assert (given_list, pair) == ([1, 2], ([1, 5], {"b": 2}))


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
        line.request("do", 0, "__call__", (value,), {})
    assert not line.is_gone


def test_an_object_equals_nothing_but_objects_of_the_answer(ends: tuple[GraderLine, int]) -> None:
    line, descriptor = ends
    every = ["__eq__", "__ne__", "__lt__", "__sub__", "__rsub__", "__contains__", "__hash__"]
    send(descriptor, (True, ("returned", ("handle", (1, 2, "Yes", every, "")), None, ("list", []), "")))
    handle = line.request("load")

    assert (handle == 3, handle != 3, 3 == handle) == (False, True, False)  # noqa: SIM300  # both ways
    acts: list[Callable[[], object]] = [lambda: handle < 3, lambda: handle - 3, lambda: 3 - handle]
    acts.append(lambda: 3 in handle)
    for act in acts:
        with pytest.raises(NeedsShared):
            act()


def test_exceptions_of_test_runners_are_never_taken_by_name() -> None:
    assert known_exception("json.decoder", "JSONDecodeError") is not None
    assert known_exception("unittest.case", "SkipTest") is None
    kind: Any = AnswerErrors(None).kind(1, "unittest.case", "SkipTest", [Exception])  # type: ignore[arg-type]

    assert kind.__mro__[1:] == (Exception, BaseException, object)


def test_exceptions_with_bases_that_do_not_go_together_take_the_first() -> None:
    kind: Any = AnswerErrors(None).kind(1, "solution", "Odd", [OSError, UnicodeDecodeError])  # type: ignore[arg-type]

    assert issubclass(kind, OSError)


def test_an_exception_has_its_text_and_plain_attributes() -> None:
    kind: Any = AnswerErrors(None).kind(1, "solution", "Odd", [ValueError])  # type: ignore[arg-type]
    error: Any = made(kind, (1, 2), "as it says", {"code": 5, "__notes__": ["x"]}, 3)

    assert (str(error), error.code, error.args, hasattr(error, "__notes__")) == (
        "as it says",
        5,
        (1, 2),
        False,
    )
    with pytest.raises(Distrusted):
        made(int, (), "", {}, 3)
