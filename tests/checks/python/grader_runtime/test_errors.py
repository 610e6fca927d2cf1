"""What the answer raises is raised in the grader as what it is, and as nothing that a test runner obeys."""

import os
import pickle
import struct
import unittest
from collections.abc import Iterator
from typing import Any

import pytest

from steelyard.checks.python.grader_runtime.errors import AnswerErrors, is_of_answer, known_exception
from steelyard.checks.python.grader_runtime.handles import FAILURES, NeedsShared
from steelyard.checks.python.grader_runtime.line import GraderLine
from steelyard.checks.python.grader_runtime.wire import Wire

ODD: object = ("kind", (1, "solution", "Odd", [("kind", (2, "builtins", "ValueError", []))]))


@pytest.fixture
def ends() -> Iterator[tuple[GraderLine, int]]:
    """The grader's end, and the descriptor on which its messages come in."""
    FAILURES.clear()
    (reading, sending), (unread, writing) = os.pipe(), os.pipe()
    yield GraderLine(Wire(reading, writing), {}), sending
    for descriptor in (reading, sending, unread, writing):
        os.close(descriptor)
    FAILURES.clear()


def send(descriptor: int, message: tuple[bool, object]) -> None:
    body = pickle.dumps(message)
    os.write(descriptor, struct.pack("=I", len(body)) + body)


def raised(kind: object, *words: object, about: object = ("as it says", {}, [])) -> tuple[bool, object]:
    node = ("error", (3, kind, ("tuple", [*words]), about))
    none: object = ("list", [])
    return (True, ("raised", node, none, none, none, ("tuple", ["", ""])))


def returned(node: object) -> tuple[bool, object]:
    none: object = ("list", [])
    return (True, ("returned", node, none, none, none, ("tuple", ["", ""])))


def kind(module: str, name: str, *bases: type[BaseException]) -> Any:  # noqa: ANN401  # a class
    return AnswerErrors(None).kind(1, module, name, [*bases])  # type: ignore[arg-type]  # nothing is asked


def test_exceptions_of_test_runners_are_never_taken_by_name() -> None:
    assert known_exception("json.decoder", "JSONDecodeError") is not None
    assert known_exception("unittest.case", "SkipTest") is None

    assert kind("unittest.case", "SkipTest", Exception).__mro__[1:] == (Exception, BaseException, object)


@pytest.mark.parametrize(
    ("module", "name"),
    [
        *(("_pytest.outcomes", "Skipped"), ("builtins", "int"), ("json.decoder", "JSONDecoder")),
        *(("steelyard.errors", "InputError"), ("", ""), ("bdb", "BdbQuit"), ("builtins", "no such thing")),
    ],
)
def test_no_other_name_stands_for_a_class_that_is_here(module: str, name: str) -> None:
    assert known_exception(module, name) is None


def test_exceptions_with_bases_that_do_not_go_together_take_the_first() -> None:
    assert issubclass(kind("solution", "Odd", OSError, UnicodeDecodeError), OSError)


def test_an_exception_has_its_text_and_plain_attributes(ends: tuple[GraderLine, int]) -> None:
    line, descriptor = ends
    send(descriptor, raised(ODD, 1, 2, about=("as it says", {"code": 5, "__notes__": ["x"]}, [])))

    with pytest.raises(ValueError, match=r"^as it says$") as caught:
        line.request("get", 0, "x")
    error: Any = caught.value
    assert (type(error).__name__, error.code, error.args) == ("Odd", 5, (1, 2))
    assert (hasattr(error, "__notes__"), is_of_answer(error)) == (False, True)


def test_what_an_exception_was_raised_from_is_kept(ends: tuple[GraderLine, int]) -> None:
    line, descriptor = ends
    cause: object = (
        "error",
        (4, ("kind", (5, "builtins", "KeyError", [])), ("tuple", ["a"]), ("'a'", {}, [])),
    )
    send(descriptor, raised(ODD, about=("", {}, [cause])))

    with pytest.raises(ValueError, match=r"^$") as caught:
        line.request("get", 0, "x")
    assert (type(caught.value.__cause__), caught.value.__suppress_context__) == (KeyError, True)


@pytest.mark.parametrize(("module", "name"), [("unittest.case", "SkipTest"), ("_pytest.outcomes", "Skipped")])
def test_no_answer_can_skip_a_test(module: str, name: str, ends: tuple[GraderLine, int]) -> None:
    line, descriptor = ends
    base: object = ("kind", (2, "builtins", "Exception", []))
    send(descriptor, raised(("kind", (1, module, name, [base]))))

    with pytest.raises(Exception, match="as it says") as caught:
        line.request("get", 0, "x")
    assert not isinstance(caught.value, unittest.SkipTest | pytest.skip.Exception)


@pytest.mark.parametrize("name", ["AssertionError", "Exception", "BaseException"])
def test_no_name_of_the_answers_own_catches_a_failed_assertion(
    name: str, ends: tuple[GraderLine, int]
) -> None:
    line, descriptor = ends
    send(descriptor, returned(("tuple", [("kind", (1, "builtins", name, []))])))

    with pytest.raises(NeedsShared, match=f"{name} under a name of the answer's own"):
        line.request("get", 0, "Error")
    assert [type(error) for error in FAILURES] == [NeedsShared]


def test_other_names_of_errors_are_fine(ends: tuple[GraderLine, int]) -> None:
    line, descriptor = ends
    send(descriptor, returned(ODD))
    send(descriptor, returned(("kind", (9, "builtins", "KeyError", []))))

    odd: Any = line.request("get", 0, "Odd")
    assert (issubclass(odd, ValueError), line.request("get", 0, "Key")) == (True, KeyError)


def test_an_order_to_stop_an_iteration_is_refused_but_of_next(ends: tuple[GraderLine, int]) -> None:
    line, descriptor = ends
    stop = raised(("kind", (1, "builtins", "StopIteration", [])))
    send(descriptor, stop)
    send(descriptor, stop)

    with pytest.raises(StopIteration):
        line.request("call", 1, "__next__", (), {})
    assert not FAILURES
    with pytest.raises(NeedsShared, match="raised StopIteration"):
        line.request("call", 1, "__call__", (), {})
    assert [type(error) for error in FAILURES] == [NeedsShared]


def test_a_class_of_the_tests_made_from_one_of_the_answers_cannot_be_used(
    ends: tuple[GraderLine, int],
) -> None:
    line, descriptor = ends
    send(descriptor, returned(ODD))
    odd: Any = line.request("get", 0, "Odd")
    mine = type("Mine", (odd,), {})

    with pytest.raises(NeedsShared, match="a class of errors made from one of the answer"):
        mine("x")
