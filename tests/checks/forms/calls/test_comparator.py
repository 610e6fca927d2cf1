"""A function of the case is asked about results that are not the expected ones."""

from steelyard.checks.forms.calls.comparator import accepted_by_comparator
from steelyard.checks.forms.calls.values import SetValue
from steelyard.model.case import Case, Expectations
from steelyard.model.graded import Compare, FunctionCall
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox

CALL = FunctionCall(returns=1)


def case(comparator: str) -> Case:
    wanted = Expectations(function="f", calls=(CALL,), compare=Compare.PROGRAM, comparator=comparator)
    return Case(id="a", language="python", expectations=wanted)


def right(comparator: str, *results: object) -> set[int]:
    return accepted_by_comparator(
        case(comparator), BubblewrapSandbox(), {number: (CALL, one) for number, one in enumerate(results)}
    )


def test_only_true_makes_a_result_right() -> None:
    results = [0, 1, "yes", True, None]

    assert right("def is_right(args, expected, result): return result", *results) == {3}


def test_a_function_that_raises_makes_its_result_wrong_and_no_other() -> None:
    assert right("def is_right(args, expected, result): return 1 / result > 0", 0, 1, 2) == {1, 2}


def test_a_set_of_lists_of_another_language_is_a_set_of_tuples() -> None:
    pairs = SetValue([[1, 2], [3, 4], {"a": [5]}])

    assert right(
        "def is_right(args, expected, result): return (1, 2) in result", pairs, [], SetValue([])
    ) == {0}


def test_a_result_that_is_nested_too_deeply_to_be_written_is_not_right() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]

    assert right("def is_right(*_): return True", deep, [[]]) == {1}
    assert right("def is_right(*_): return True", deep) == set()
