"""Answers that are text: equal, holding, matching, JSON of a shape."""

import json
import re
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.checks.forms.text.checker import TextChecker
from steelyard.checks.forms.text.json import Json, json_in, problems
from steelyard.checks.grading.patterns import LONGEST, PatternTimeout, matches, run_in_subprocess
from steelyard.errors import InputError
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification

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
    outcome = TextChecker().check(case({"regex": r"(a|aa)+$"}, timeout_s=0.5), "a" * 80 + "b")

    assert outcome.facts.classification is Classification.TIMEOUT


@pytest.mark.check_all
def test_a_search_that_takes_longer_than_a_moment_still_finds() -> None:
    text = "a" * 28 + "b"  # half a second or more

    assert not matches("(a|aa)+$", text, limit_s=60)
    assert matches("(a|aa)+$|b", text, limit_s=60)


@pytest.mark.check_all
def test_a_text_that_is_too_long_for_this_process_is_searched_in_its_own() -> None:
    assert matches("(a+)(B+)", "x" * LONGEST + "aabb", ignore_case=True)
    assert not matches("(a+)(B+)", "x" * LONGEST + "aabb")
    with pytest.raises(PatternTimeout):
        matches("(a|aa)+$", "a" * LONGEST + "b", limit_s=0.3)


@pytest.mark.check_all
def test_what_a_process_of_its_own_needs_to_begin_is_not_counted() -> None:
    slow = "import time\nwhile time.process_time() < 1.5: pass\n"

    assert run_in_subprocess("print(1)", "", imports=slow, limit_s=0.5) == "1\n"


def test_a_process_of_its_own_is_stopped_when_it_needs_much_memory() -> None:
    with pytest.raises(PatternTimeout):
        run_in_subprocess("print(len(bytearray(3 << 30)))", "", imports="", limit_s=5)


@pytest.mark.check_all
@pytest.mark.parametrize(
    "pattern", ["^(a+)+$", "(x+x+)+y", "(a|aa)+$", r"^(\w+\s?)*$", "(.*)*b", "(a|b|ab)*c$"]
)
def test_a_pattern_made_to_be_slow_answers_or_is_stopped(pattern: str) -> None:
    began = time.process_time()

    try:
        found = matches(pattern, "a" * 80 + "!", limit_s=0.5)
    except PatternTimeout:
        found = False

    assert not found
    assert time.process_time() - began < 5


@pytest.mark.check_all
def test_other_threads_go_on_while_a_pattern_is_searched() -> None:
    counted = 0
    search = threading.Thread(target=_search_in_vain)

    search.start()
    while search.is_alive():
        counted += 1
        time.sleep(0.001)

    assert counted > 3  # a search that holds the interpreter leaves time for one


def _search_in_vain() -> None:
    with pytest.raises(PatternTimeout):
        matches("(a|aa)+$", "a" * 80 + "b", limit_s=0.5)


PIECES = [
    "a",
    "b",
    "1",
    ",",
    "{",
    "}",
    "{i}",
    "{e<=1}",
    "{1,2}",
    "{,2}",
    "[",
    "]",
    "[[:alpha:]]",
    "[[:a",
    ":]",
    "[^",
]
PIECES += [
    "\\",
    r"\{",
    r"\[",
    r"\w",
    r"\b",
    "^",
    "$",
    "|",
    "(",
    ")",
    "(?:",
    "(?=",
    "(?#",
    "?",
    "*",
    "+",
    ".",
    "-",
    "&&",
]


@pytest.mark.check_all
@pytest.mark.filterwarnings("ignore:Possible")
@settings(max_examples=300, deadline=None)
@given(
    pattern=st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join),
    text=st.text("ab1,{}[]:ie&-\n", max_size=10),
)
def test_a_pattern_means_what_it_means_to_re(pattern: str, text: str) -> None:
    try:
        expected = re.search(pattern, text, re.MULTILINE) is not None
    except re.error:
        with pytest.raises(ValueError, match=r" at position |unterminated|missing"):
            matches(pattern, text)
    else:
        assert matches(pattern, text) is expected


@pytest.mark.parametrize(
    ("pattern", "found", "not_found"),
    [
        ('"{i}"', '"{i}"', '"x"'),  # to regex alone: a quote with anything put in
        ("a{e<=1}", "a{e<=1}", "b"),
        ("[[:alpha:]]", ":]", "a"),  # to regex alone: any letter
        (r"[\[:]", "[", "]"),
        ("(?#[){s}", "{s}", "s"),
        (r"\N{DIGIT ONE}", "1", "N"),
    ],
)
@pytest.mark.filterwarnings("ignore:Possible")
def test_what_regex_has_of_its_own_is_not_read_into_a_pattern(
    pattern: str, found: str, not_found: str
) -> None:
    assert matches(pattern, found)
    assert not matches(pattern, not_found)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (
            {},
            "text needs at least one of the settings json_schema, csv_columns",
        ),
        ({"regex": "("}, "settings.regex is not a valid pattern"),
        ({"json_schema": "{"}, "settings.json_schema is not JSON"),
        ({"json_schema": '{"type": 1}'}, "settings.json_schema: is not a JSON Schema"),
        ({"json_schema": '{"$ref": "http://localhost/x"}'}, "settings.json_schema: is not a JSON Schema"),
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
