"""Lines that claim results: each call once, whatever else is written."""

import pytest

from steelyard.checks.forms.calls.results import CallResult, Invalid, Opaque, Raised, Returned, read_results
from steelyard.checks.forms.calls.values import NilValue, decode
from steelyard.model.execution import Stream

TWICE = Invalid(why="more than one result")


def results(text: bytes, *, longest: int = 1000) -> dict[int, CallResult]:
    return read_results(Stream(text=text, size=len(text)), calls=2, longest=longest).by_call


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b'{"call": 0, "returns": [1]}\n', {0: Returned(value=[1])}),
        (
            b'{"call": 1, "raises": ["A", "B", 3], "message": "no"}\n',
            {1: Raised(kinds=("A", "B"), message="no")},
        ),
        (b'{"call": 1, "raises": "A"}\n', {1: Raised(kinds=())}),
        (b'{"call": 0, "opaque": "Match"}\n', {0: Opaque(kind="Match")}),
        (b'{"call": 0}\n', {0: Invalid(why="no result")}),
        (b'{"call": 0, "unknown": "deep"}\n', {0: Invalid(why="deep")}),
        (
            b'{"call": 1, "returns": 1}\n{"call": 0, "returns": 2}\n',
            {1: Returned(value=1), 0: Returned(value=2)},
        ),
        (b'{"call": 0, "returns": 1}\n{"call": 0, "returns": 1}\n', {0: TWICE}),
        (b'{"call": 0, "returns": 1}\n' * 3, {0: TWICE}),
        (b'{"call": 2, "returns": 1}\n{"call": -1, "returns": 1}\n{"call": true, "returns": 1}\n', {}),
        (b'{"call": "0", "returns": 1}\n{"call": 0.0, "returns": 1}\n[]\n1\n\n', {}),
        (b'{"returns": 1}\n\xff\xfe\nnope\n', {}),
        (b"{}\n" * 100 + b'{"call": 0, "returns": 1}\n', {}),  # too many lines: the rest is not read
        (b'{"call": 0, "returns": 1', {0: Invalid(why="x")}),
        (b'{"call": 0, "returns": "\xff"}\n', {0: Invalid(why="x")}),
        (b'{"call": 12345678901, "returns": [\n', {}),
        (
            b'{"call": 0, "returns": "' + b"x" * 2000 + b'"}\n',
            {0: Invalid(why="the result is too long to be right")},
        ),
        (b"x" * 2000 + b"\n", {}),
    ],
)
def test_each_call_has_one_result_at_most(text: bytes, found: dict[int, CallResult]) -> None:
    seen = results(text)
    unread = {
        place: Invalid(why="x") if isinstance(one, Invalid) and "cannot be read" in one.why else one
        for place, one in seen.items()
    }

    assert unread == found


@pytest.mark.parametrize("empty", ["[]", "{}", '{"set": []}', '{"dict": []}'])
def test_only_a_language_that_has_nil_may_claim_a_value_that_is_both_null_and_empty(empty: str) -> None:
    text = f'{{"call": 0, "returns": {{"null": {empty}}}}}\n'.encode()
    stream = Stream(text=text, size=len(text))

    assert read_results(stream, calls=1, longest=1000, nil=True).by_call == {
        0: Returned(value=NilValue(decode(empty)))
    }
    assert isinstance(read_results(stream, calls=1, longest=1000).by_call[0], Invalid)


@pytest.mark.parametrize("content", ["[0]", '{"a": 1}', '{"set": [1]}', "0", '""', "null", '{"null": []}'])
def test_nil_holds_nothing(content: str) -> None:
    text = f'{{"call": 0, "returns": {{"null": {content}}}}}\n'.encode()

    found = read_results(Stream(text=text, size=len(text)), calls=1, longest=1000, nil=True)

    assert isinstance(found.by_call[0], Invalid)


def test_an_answer_that_does_not_build_or_load_says_so_in_its_first_line() -> None:
    build = b'{"error": "build", "message": "line 1"}\n'
    load = b'{"error": "load", "raises": ["ValueError", "Exception"], "message": "no"}\n'

    assert read_results(Stream(text=build), calls=1, longest=999).build_error == "line 1"
    assert read_results(Stream(text=load), calls=1, longest=999).load_error == "ValueError: no"
    assert read_results(Stream(text=b"{}\n" + build), calls=1, longest=999).build_error is None
