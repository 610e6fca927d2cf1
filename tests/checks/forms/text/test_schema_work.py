"""What is little work is done in Steelyard's own process, and nothing else is."""

import json
import time
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from steelyard.checks.forms.text.schema_problems import found_problems
from steelyard.checks.forms.text.schema_work import is_little_work

MUCH_WORK = {
    *("$dynamicRef", "dependentSchemas", "patternProperties"),
    *("unevaluatedItems", "unevaluatedProperties", "uniqueItems"),
}
LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
PERSON = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$defs": {"Address": {"type": "object", "properties": {"city": {"type": "string", "title": "City"}}}},
    "type": "object",
    "properties": {
        "name": {"type": "string", "pattern": "^[A-Z]"},
        "age": {"type": "integer", "minimum": 0, "description": "in years"},
        "home": {"anyOf": [{"$ref": "#/$defs/Address"}, {"type": "null"}], "default": None},
        "tags": {"type": "array", "items": {"enum": ["a", "b"]}},
    },
    "required": ["name"],
    "additionalProperties": False,
}
DOUBLED: dict[str, Any] = {
    f"d{level}": {"allOf": [{"$ref": f"#/$defs/d{level + 1}"}] * 2} for level in range(20)
}


def is_little(schema: object, value: object = None) -> bool:
    return is_little_work(value, json.dumps(value), schema)


def test_an_ordinary_schema_is_little_work() -> None:
    assert is_little(PERSON, {"name": "Ada", "age": 36, "home": {"city": "London"}, "tags": ["a", "b"] * 20})
    assert is_little({})


@pytest.mark.parametrize(
    "schema",
    [
        {"items": {"$ref": "#"}},
        {"$defs": {"n": {"items": {"$ref": "#/$defs/n"}}}, "$ref": "#/$defs/n"},
        {"$defs": {**DOUBLED, "d20": {}}, "$ref": "#/$defs/d0"},
        {"$ref": "http://elsewhere/s"},
        {"properties": {"a": {"uniqueItems": True}}},
        {"anyOf": [{"patternProperties": {"a": True}}]},
        {"pattern": "(a|aa)(a|aa)(a|aa)b"},
        {"a-keyword-of-tomorrow": 1},
    ],
)
def test_what_is_not_known_to_be_quick_is_much_work(schema: object) -> None:
    assert not is_little(schema)


def test_each_keyword_is_little_work_or_known_to_be_much() -> None:
    validator: Any = Draft202012Validator
    examples = {"$ref": "#/$defs/n", "pattern": "a", "properties": {}, **{word: [] for word in LISTS}}
    known = {word: examples.get(word, True) for word in validator.VALIDATORS}

    taken = {word for word, said in known.items() if is_little({"$defs": {"n": {}}, word: said})}

    assert taken == set(known) - MUCH_WORK


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"items": {"anyOf": [{"type": "string"}] * 65}}, [1] * 240),
        ({"items": {"allOf": [{}] * 180}}, [1] * 240),
        ({"items": {"enum": list(range(210))}}, [0.5] * 220),
        ({"anyOf": [{"pattern": "a+b"}] * 480}, "a" * 990),
        ({"anyOf": [{"type": "number"}] * 3}, "x" * 400_000),
    ],
)
def test_the_most_that_is_little_work_takes_no_longer_than_a_moment(schema: object, value: object) -> None:
    assert is_little(schema, value)
    began = time.process_time()
    found_problems(value, schema)

    assert time.process_time() - began < 3
    assert not is_little(schema, [value] * 200)
