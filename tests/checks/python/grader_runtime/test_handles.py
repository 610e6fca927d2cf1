"""No class of the answer decides what equals a plain value, whatever the answer's process says of it."""

import copy
import operator
import types
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from steelyard.checks.python.grader_runtime.handles import (
    ALONE,
    BETWEEN,
    FAILURES,
    HOLDS,
    NEVER,
    SCALARS,
    Handles,
    NeedsShared,
)

REMEDY = 'the case needs isolation = "shared"'
EVERY = sorted(BETWEEN | ALONE)
PLAIN: dict[str, Any] = {
    kind.__name__: value
    for value in (3, 2.5, 2j, "ab", b"ab", (1, 2), frozenset({1}), [1, 2], {"a": 1}, {1})
    for kind in [type(value)]
}
OPERATORS: list[Callable[[Any, Any], object]] = [
    *(operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge, operator.contains),
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod),
    *(operator.and_, operator.or_, operator.xor, operator.pow, operator.matmul, operator.lshift),
    *(operator.rshift, operator.iadd, operator.ior, divmod),
]
REFLECTED = [one for one in OPERATORS if one is not operator.contains]


class Yes:
    """An answer's process that says yes to everything, and tells what its objects hold."""

    def __init__(self, held: object = None) -> None:
        self.held = held
        self.seen: list[tuple[Any, ...]] = []
        self.asked = 0

    def request(self, *message: Any) -> Any:  # noqa: ANN401  # whatever the answer has
        self.seen.append(message)
        self.asked += message[0] != "held"
        return self.held if message[0] == "held" else True


@pytest.fixture(autouse=True)
def _no_failures() -> Iterator[None]:
    FAILURES.clear()
    yield
    FAILURES.clear()


def thing(
    line: Yes, *, dunders: list[str] = EVERY, own: list[str] | None = None, base: str = "", number: int = 1
) -> Any:  # noqa: ANN401  # a handle
    return Handles(line).handle(number, 2, ("Yes", dunders, own or [], base))


def refused(act: Callable[[], object]) -> bool:
    """Whether something is refused, with the remedy, for good."""
    FAILURES.clear()
    with pytest.raises(NeedsShared) as caught:
        act()
    assert str(caught.value).endswith(REMEDY)
    return all(one is caught.value for one in FAILURES) and len(FAILURES) == 1


@pytest.mark.parametrize("act", OPERATORS, ids=lambda act: act.__name__)
@pytest.mark.parametrize(
    "plain", [*PLAIN.values(), True, [[1]], object()], ids=lambda one: type(one).__name__
)
def test_no_object_meets_a_plain_value(act: Callable[[Any, Any], object], plain: object) -> None:
    line = Yes()

    assert refused(lambda: act(thing(line), plain))
    assert line.seen == []


@pytest.mark.parametrize("act", REFLECTED, ids=lambda act: act.__name__)
def test_nor_does_a_plain_value_meet_an_object(act: Callable[[Any, Any], object]) -> None:
    line = Yes()

    assert refused(lambda: act(3, thing(line)))
    assert line.seen == []


def test_a_plain_container_does_not_hide_an_object() -> None:
    line = Yes()
    it = thing(line)
    acts: list[Callable[[], object]] = [
        lambda: [it] == [3],
        lambda: 3 in [it, it],
        lambda: {"a": it} == {"a": 3},
    ]
    acts += [lambda: (it, 1) < (3, 1), lambda: max(it, 3), lambda: [3].index(it)]
    acts += [lambda: {"a": it} == {"a": 3}, lambda: sum([it])]

    assert all(map(refused, acts))
    assert line.seen == []


def test_a_refusal_is_kept_though_the_test_catches_everything() -> None:
    with suppress(BaseException):
        assert thing(Yes()) == 3

    assert [type(one) for one in FAILURES] == [NeedsShared]


def test_an_object_is_not_none_and_nothing_is_asked() -> None:
    line = Yes()
    it = thing(line)

    assert (it == None, it != None, None == it) == (False, True, False)  # noqa: E711, SIM300  # both ways
    assert (line.seen, FAILURES) == ([], [])


def test_objects_of_the_answer_meet_each_other_over_there() -> None:
    line = Yes()
    handles = Handles(line)
    one, other = (handles.handle(number, 2, ("Yes", EVERY, [], "")) for number in (1, 2))

    assert one == other
    assert line.seen == [("call", 1, "__eq__", (other,), {})]


@pytest.mark.parametrize("base", PLAIN)
def test_what_is_made_from_a_plain_type_meets_plain_values_as_what_it_holds(base: str) -> None:
    line = Yes(PLAIN[base])
    it = thing(line, base=base, dunders=["__eq__", "__ne__", "__hash__"])

    assert (it == PLAIN[base], it == 9, PLAIN[base] == it, it != PLAIN[base]) == (True, False, True, False)
    assert {message[0] for message in line.seen} == {"held"}


@pytest.mark.parametrize("base", PLAIN)
def test_it_is_the_plain_one_if_it_redefines_nothing_and_else_is_not(base: str) -> None:
    line = Yes(PLAIN[base])
    own = ["count"] if hasattr(HOLDS[base], "count") else ["__bool__"]

    assert isinstance(thing(line, base=base), HOLDS[base])
    assert not isinstance(thing(line, base=base, own=own), HOLDS[base])


@pytest.mark.parametrize("base", sorted(SCALARS))
@pytest.mark.parametrize("other", [3, "ab", None, "another"])
def test_a_number_or_text_that_defines_an_operator_anew_meets_nothing(base: str, other: object) -> None:
    line = Yes(PLAIN[base])
    about = ("Yes", EVERY, ["__eq__"], base)
    one, another = (Handles(line).handle(number, 2, about) for number in (1, 2))

    assert refused(lambda: one == (another if other == "another" else other))
    assert line.seen == []


@pytest.mark.parametrize("base", ["tuple", "list", "dict", "set", "frozenset"])
def test_an_operator_that_a_container_defines_anew_meets_no_plain_value(base: str) -> None:
    line = Yes(PLAIN[base])
    it = thing(line, base=base, own=["__eq__", "__ne__"])

    assert refused(lambda: it == PLAIN[base])
    assert refused(lambda: PLAIN[base] != it)
    assert line.seen == []


@pytest.mark.parametrize("base", PLAIN)
@pytest.mark.parametrize("lie", [None, "a handle", 7.5, [], "text"])
def test_what_is_held_is_of_the_type_that_the_answer_has_named(base: str, lie: object) -> None:
    if type(lie) is HOLDS[base]:
        return
    line = Yes(lie)
    line.held = thing(line) if lie == "a handle" else lie

    assert refused(lambda: thing(line, base=base) == PLAIN[base])


def test_a_text_that_changes_is_asked_for_once() -> None:
    line = Yes("a")
    it = thing(line, base="str")
    assert it == "a"
    line.held = "b"

    assert (it == "a", it == "b", it.startswith("a")) == (True, False, True)


def test_a_list_is_asked_for_again_only_when_it_may_have_changed() -> None:
    line = Yes([1])
    it = thing(line, base="list")
    assert (it == [1], it == [1], it.count(1)) == (True, True, 1)
    assert [message[0] for message in line.seen] == ["held"]
    it[0] = 2
    line.held = [2]

    assert it == [2]


def test_reading_methods_are_of_the_plain_value_and_those_that_act_are_the_answers() -> None:
    line = Yes([1, 2])
    it = thing(line, base="list")

    assert (it.count(1), it.index(2), len(it), it[1], [*it]) == (1, 1, 2, 2, [1, 2])
    assert {message[0] for message in line.seen} == {"held"}
    it[0] = 3
    eval(compile("it.append", "<graded tests>", "eval"), {"it": it})  # noqa: S307  # as tests do
    acted: list[tuple[Any, ...]] = [("call", 1, "__setitem__", (0, 3), {}), ("get", 1, "append")]
    assert line.seen[-2:] == acted


def test_code_of_a_library_has_no_use_of_an_object() -> None:
    line = Yes()
    names: dict[str, Any] = {"it": thing(line)}
    library = compile("it.size", "/usr/lib/python3/library.py", "eval")

    with pytest.raises(NeedsShared, match=REMEDY):
        eval(library, names)  # noqa: S307  # as a library would
    assert line.seen == []
    assert eval(compile("it.size", "<graded tests>", "eval"), names) is True  # noqa: S307  # as tests do
    assert line.seen == [("get", 1, "size")]


def test_what_every_protocol_asks_for_works_from_anywhere() -> None:
    line = Yes()
    it = thing(line)

    assert (bool(it), it(5), it["a"]) == (True, True, True)
    assert [message[2] for message in line.seen] == ["__bool__", "__call__", "__getitem__"]


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda it: it.__enter__(), id="with"),
        pytest.param(copy.copy, id="copy"),
        pytest.param(copy.deepcopy, id="deep copy"),
        pytest.param(str, id="a text that is none"),
    ],
)
def test_what_an_object_cannot_do_here_is_refused(act: Callable[[Any], object]) -> None:
    line = Yes()

    assert refused(lambda: act(thing(line, dunders=[*EVERY, *sorted(NEVER)])))


def test_a_with_block_over_an_object_is_refused() -> None:
    def enter() -> None:
        with thing(Yes(), dunders=["__enter__", "__exit__"]):
            raise AssertionError  # which an answer could swallow

    assert refused(enter)


def test_an_object_in_a_class_of_the_tests_is_no_descriptor() -> None:
    with pytest.raises((NeedsShared, RuntimeError)):  # before Python 3.12 it is wrapped
        type("Point", (), {"x": thing(Yes(), dunders=["__get__", "__set__"])})

    assert [type(one) for one in FAILURES] == [NeedsShared]


def test_a_class_of_the_answer_has_no_subclasses_here() -> None:
    it = thing(Yes(), dunders=["__call__"])

    assert refused(lambda: types.new_class("Sub", (it,)))


def test_only_objects_of_the_answer_are_instances_of_its_classes() -> None:
    line = Yes()
    kind = thing(line, dunders=["__instancecheck__", "__call__"])

    assert (isinstance(3, kind), isinstance(thing(line, number=5), kind)) == (False, True)
    assert [message[2] for message in line.seen] == ["__instancecheck__"]


def test_private_names_of_an_object_are_not_asked_for() -> None:
    line = Yes()

    for name in ("__array__", "__deepcopy__", "__class_getitem__"):
        with pytest.raises(AttributeError):
            getattr(thing(line), name)
    assert line.seen == []
