"""References are asked once what is expected, in a sandbox, and what they say is kept."""

from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.model.case import Case, Expectations
from steelyard.model.graded import Compare, FunctionCall
from steelyard.runner.check.expected import LONGEST, with_expected
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox

REFERENCE = (
    "```python\ndef f(n):\n    if n < 0:\n        raise ValueError\n    return 'x' * n if n > 9 else n\n```\n"
)


def case(*arguments: int, compare: Compare | None = None) -> Case:
    calls = tuple(FunctionCall(args=(one,)) for one in arguments)
    wanted = Expectations(function="f", calls=calls, compare=compare)
    return Case(id="a", language="python", expectations=wanted, reference=REFERENCE)


def expected(given: Case, folder: Path) -> tuple[Case, list[str]]:
    told = list[str]()
    (found,) = with_expected([given], BubblewrapSandbox(), folder, threads=1, notify=told.append)
    return found, told


def test_what_the_reference_returns_or_raises_is_expected(tmp_path: Path) -> None:
    found, told = expected(case(2, -1), tmp_path)

    first, second = found.expectations.calls
    assert (first.returns, first.raises, second.raises) == (2, None, "ValueError")
    assert told == ["running 1 references to compute expected results; this is done once"]


def test_it_is_asked_once_and_again_if_what_was_kept_is_damaged(tmp_path: Path) -> None:
    first, _ = expected(case(2), tmp_path)
    assert expected(case(2), tmp_path) == (first, [])
    (kept,) = tmp_path.iterdir()

    kept.write_bytes(b"damaged")

    assert expected(case(2), tmp_path)[0] == first


def test_a_result_that_is_too_long_is_left_out_and_counted(tmp_path: Path) -> None:
    found, told = expected(case(2, LONGEST + 1), tmp_path)

    assert [call.args for call in found.expectations.calls] == [(2,)]
    assert told[-1].startswith("1 inputs are skipped")


def test_where_any_value_will_do_only_whether_there_is_one_is_expected(tmp_path: Path) -> None:
    found, _ = expected(case(2, compare=Compare.EXISTS), tmp_path)

    assert found.expectations.calls[0].returns is True


def test_a_case_without_a_reference_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no reference"):
        expected(Case(id="a", language="python", expectations=Expectations(function="f")), tmp_path)
