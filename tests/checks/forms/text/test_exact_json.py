"""JSON and its schemas are applied by the letter of their standards, where Python differs from them."""

import json

import pytest

from steelyard.checks.forms.text.checker import TextChecker
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification

PASS, FAIL, FORMAT = Classification.PASS, Classification.FAIL, Classification.WRONG_FORMAT


def graded(schema: object, answer: str) -> Classification | None:
    settings = {"json_schema": json.dumps(schema)}
    case = Case(id="a", language="text", prompt="x", expectations=Expectations(settings=settings))
    return TextChecker().check(case, answer).facts.classification


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("19.99", PASS),
        ("0.3", PASS),
        ("0.001", FAIL),
        ("1" + "0" * 400, PASS),
        ("1e999", FORMAT),
        ("-1e999", FORMAT),
        ("1e308", PASS),
    ],
)
def test_a_multiple_is_compared_exactly(answer: str, expected: Classification) -> None:
    """Answers like these once raised an error inside the check, and counted as crashed."""
    assert graded({"type": "number", "multipleOf": 0.01}, answer) is expected
    assert (
        graded({"type": "object", "properties": {"a": {"multipleOf": 0.01}}}, f'{{"a": {answer}}}')
        is expected
    )


@pytest.mark.parametrize(
    ("pattern", "answer", "expected"),
    [
        ("^a$", "a", PASS),
        ("^a$", "a\n", FAIL),
        (r"^a\$", "a$", PASS),
        ("^[$]$", "$", PASS),
        ("^(a$|b)", "a\n", FAIL),
    ],
)
def test_a_dollar_matches_at_the_end_alone(pattern: str, answer: str, expected: Classification) -> None:
    assert graded({"pattern": pattern}, json.dumps(answer)) is expected
    named = {"patternProperties": {pattern: {}}, "additionalProperties": False}
    assert graded(named, json.dumps({answer: 1})) is expected
    nested = {
        "properties": {"patternProperties": {"$ref": "#/$defs/p"}},
        "$defs": {"p": {"pattern": pattern}},
    }
    assert graded(nested, json.dumps({"patternProperties": answer})) is expected
