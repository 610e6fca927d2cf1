"""Containers that have crossed keep their numbers, and what becomes of them is seen at the other end."""

from typing import Any

import pytest

from steelyard.checks.python.grader_runtime import plain
from steelyard.checks.python.grader_runtime.crossing import (
    LARGEST,
    MOST,
    Incoming,
    Iterators,
    Outgoing,
)
from steelyard.checks.python.grader_runtime.plain import Distrusted


def outgoing() -> Outgoing:
    return Outgoing(plain.dumps)


def test_a_container_that_comes_again_has_the_same_number() -> None:
    out, path = outgoing(), [1]
    (first,), (other, again) = out.numbered(path), out.numbered(([2], path))

    assert first == again != other


def test_only_containers_of_a_value_or_within_its_tuples_are_watched() -> None:
    assert len(outgoing().numbered((1, [2, [3]], ({"a": 4},), {5}))) == 3
    assert outgoing().numbered(5) == []


def test_only_what_has_changed_is_told_and_only_once() -> None:
    out, path, still = outgoing(), [1], [2]
    out.numbered((path, still))
    path.append(3)

    assert [content for _, content in out.changes()] == [[1, 3]]
    assert out.changes() == []


def test_what_is_sent_again_is_told_no_more() -> None:
    out, path = outgoing(), [1]
    out.numbered(path)
    path.append(3)
    out.numbered(path)

    assert out.changes() == []


def test_no_more_are_kept_than_a_hundred_and_none_that_is_large() -> None:
    out, first = outgoing(), [0]
    before = out.numbered(first)
    for n in range(MOST):
        out.numbered([n])

    assert out.numbered(first) == [MOST + 2] != before
    assert out.numbered((["x" * LARGEST], [1])) == [0, MOST + 3]


def test_the_other_end_keeps_no_more_either() -> None:
    received = Incoming()
    for number in range(1, MOST + 2):
        received.received([number], [number])

    received.change(2, [])
    with pytest.raises(Distrusted):
        received.change(1, [])


def test_what_was_here_under_a_number_takes_the_place_of_what_comes() -> None:
    received = Incoming()
    first = received.received([1], [7])
    depth, again = received.received((2, [1, 2]), [7])

    assert (again is first, first, depth) == (True, [1, 2], 2)
    received.change(7, [])
    assert first == []


def test_what_has_no_number_is_what_came() -> None:
    received = Incoming()
    received.received([1], [7])
    given = ([1], [2])

    assert received.received(given, []) is given
    assert received.received(given, [0, 8]) is given


def test_one_container_in_two_places_stays_as_it_is() -> None:
    items = [1, 2]
    one, other = Incoming().received((items, items), [1, 1])

    assert (one is other, one) == (True, [1, 2])


@pytest.mark.parametrize("numbers", [[1, 2], [None], ["1"], [[1]], [1.0], [True], [(0, 1)]], ids=repr)
def test_numbers_that_no_honest_end_sends_are_refused(numbers: Any) -> None:  # noqa: ANN401  # a lie
    with pytest.raises(Distrusted):
        Incoming().received([1], numbers)


def test_a_change_of_what_never_came_is_refused_and_so_is_another_kind() -> None:
    received = Incoming()
    received.received([1], [1])
    with pytest.raises(Distrusted):
        received.change(2, [])
    with pytest.raises(Distrusted):
        received.change(1, {})


def test_an_item_of_an_iterator_comes_of_what_its_first_maker_was_given() -> None:
    iterators, given = Iterators(), ([1],)
    iterators.keep([3, 4], given, [])
    iterators.keep([3], ([2],), [])
    iterators.keep([5], (1, "a"), [])
    iterators.keep([6], (7,), [4])

    asked = [iterators.given_by(("call", number, "__next__", (), {})) for number in (3, 4, 5, 6)]

    assert asked == [given, given, (), (7, [1])]
    assert iterators.given_by(("call", 3, "send", ([6],), {})) == ([6],)
