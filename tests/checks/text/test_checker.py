"""Answers that are text: equal, holding, matching, JSON of a shape."""

import json
import time

import pytest

from steelyard.checks.text.checker import TextChecker
from steelyard.checks.text.json import Json, json_in, problems
from steelyard.checks.text.patterns import PatternTimeout, matches
from steelyard.errors import InputError
from steelyard.model.case import Case, Expectations
from steelyard.model.classification import Classification

PASS, FAIL, FORMAT = Classification.PASS, Classification.FAIL, Classification.WRONG_FORMAT
SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}},
        "required": ["name"],
        "additionalProperties": False,
    }
)


def case(settings: dict[str, str], timeout_s: float = 10.0) -> Case:
    return Case(id="t", language="text", timeout_s=timeout_s, expectations=Expectations(settings=settings))


@pytest.mark.parametrize(
    ("settings", "answer", "kind"),
    [
        ({"exact": "Paris"}, "Paris", PASS),
        ({"exact": "Paris"}, "  Paris\r\n", PASS),
        ({"exact": "Paris"}, "paris", FAIL),
        ({"exact": "Paris", "ignore_case": "true"}, "PARIS", PASS),
        ({"exact": "Paris"}, "Paris, of course", FAIL),
        ({"exact": "Paris"}, "", FORMAT),
        ({"contains": "Paris"}, "It is Paris, of course", PASS),
        ({"contains": "Paris"}, "It is Rome", FAIL),
        ({"regex": r"\b42\b"}, "The answer is 42.", PASS),
        ({"regex": r"\b42\b"}, "The answer is 421.", FAIL),
        ({"regex": "^yes$", "ignore_case": "true"}, "well\nYES\n", PASS),
        ({"json_schema": SCHEMA}, '{"name": "Ada", "age": 36}', PASS),
        ({"json_schema": SCHEMA}, '```json\n{"name": "Ada"}\n```\n', PASS),
        ({"json_schema": SCHEMA}, '\ufeff{"name": "Ada"}', PASS),
        ({"json_schema": SCHEMA}, '{"name": 1}', FAIL),
        ({"json_schema": SCHEMA}, '{"name": "Ada", "age": -1}', FAIL),
        ({"json_schema": SCHEMA}, '{"name": "Ada", "more": 1}', FAIL),
        ({"json_schema": SCHEMA}, "null", FAIL),
        ({"json_schema": SCHEMA}, 'Sure! {"name": "Ada"}', FORMAT),
        ({"json_schema": SCHEMA}, '{"name": "Ada"', FORMAT),
        ({"json_schema": SCHEMA}, '{"name": "Ada", "name": "Bob"}', FORMAT),
        ({"json_schema": SCHEMA}, '{"name": "Ada", "age": NaN}', FORMAT),
        ({"json_schema": SCHEMA}, "[" * 100_000, FORMAT),
        ({"json_schema": SCHEMA, "contains": "Ada"}, '{"name": "Bob"}', FAIL),
        ({"json_schema": SCHEMA, "contains": "Ada"}, '{"name": "Ada"}', PASS),
    ],
)
def test_an_answer_is_held_against_every_demand(
    settings: dict[str, str], answer: str, kind: Classification
) -> None:
    outcome = TextChecker().check(case(settings), answer)

    assert outcome.facts.classification is kind, outcome.detail
    assert outcome.check_digest
    assert bool(outcome.detail) is (kind is not PASS)


def test_an_answer_on_which_a_pattern_never_ends_does_not_drop_out_of_the_count() -> None:
    began = time.monotonic()

    outcome = TextChecker().check(case({"regex": r"^(a+)+$"}, timeout_s=0.5), "a" * 64 + "b")

    assert outcome.facts.classification is Classification.TIMEOUT
    assert time.monotonic() - began < 10


def test_a_pattern_is_searched_the_same_in_its_own_process() -> None:
    assert matches("(a+)(b+)", "x" * 20_000 + "aabb")
    assert not matches("(a+)(b+)", "x" * 20_000)
    with pytest.raises(PatternTimeout):
        matches("(x+x+)+y", "x" * 60, limit_s=0.3)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (
            {},
            "a text is checked by one or more of json_schema, csv_columns, xml, html, exact, contains, regex",
        ),
        ({"regex": "("}, "settings.regex is no pattern"),
        ({"json_schema": "{"}, "settings.json_schema is no JSON"),
        ({"json_schema": '{"type": 1}'}, "settings.json_schema: is no JSON Schema"),
        ({"json_schema": '{"$ref": "http://localhost/x"}'}, "settings.json_schema: is no JSON Schema"),
    ],
)
def test_a_case_that_makes_no_sense_is_the_users_to_mend(settings: dict[str, str], told: str) -> None:
    with pytest.raises(InputError, match="case t: ") as error:
        TextChecker().check(case(settings), '{"a": 1}')

    assert told in str(error.value)


def test_null_is_json_and_no_json_is_not_null() -> None:
    assert json_in("null") == Json(None)
    assert json_in("nul") is None


def test_problems_are_told_with_their_paths() -> None:
    found = problems({"name": 1, "age": -1}, json.loads(SCHEMA), where="here")

    assert found == ["$.age: -1 is less than the minimum of 0", "$.name: 1 is not of type 'string'"]
