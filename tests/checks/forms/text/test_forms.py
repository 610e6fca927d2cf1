"""Answers that must have a form: strictly read, leniently mended, and what was mended is told."""

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.checks.forms.text.checker import REPAIRED, TextChecker
from steelyard.checks.forms.text.formats import html_roots, unfenced, without_thoughts, xml_root
from steelyard.checks.forms.text.json import Json, problems
from steelyard.checks.forms.text.repair import repaired_json
from steelyard.errors import InfrastructureError, InputError
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification

PASS, FAIL, FORMAT = Classification.PASS, Classification.FAIL, Classification.WRONG_FORMAT
CSV = {"csv_columns": '["river", "km"]'}
ADA = {"json_schema": '{"properties": {"name": {"const": "Ada"}}, "required": ["name"]}'}


def checked(
    settings: dict[str, str], answer: str, timeout_s: float = 5.0
) -> tuple[Classification | None, str]:
    case = Case(id="t", language="text", timeout_s=timeout_s, expectations=Expectations(settings=settings))
    outcome = TextChecker().check(case, answer)
    return outcome.facts.classification, outcome.detail


@pytest.mark.parametrize(
    ("settings", "answer", "kind"),
    [
        (CSV, "river,km\nRhine,1233", PASS),
        ({"csv_columns": "river,km"}, "river,km\nRhine,1233", PASS),
        (CSV, '"river","km"\r\n"Rhine, the","1\n2"\r\n', PASS),
        (CSV, "river,km\n", FAIL),
        ({**CSV, "csv_rows": "2"}, "river,km\na,1\nb,2", PASS),
        ({**CSV, "csv_rows": "2"}, "river,km\na,1", FAIL),
        (CSV, "km,river\n1233,Rhine", FORMAT),
        (CSV, "river,km\nRhine", FORMAT),
        (CSV, 'river,km\n"Rhine,1233', FORMAT),
        (CSV, "\n\n", FORMAT),
        ({"xml": "true"}, "<a/>", PASS),
        ({"xml": "a"}, "<b/>", FAIL),
        ({"xml": "true"}, "<a>", FORMAT),
        ({"xml": "true"}, "a", FORMAT),
        ({"xml": "true"}, '<?xml version="1.0" encoding="utf-16"?><a>ä</a>', PASS),
        ({"html": "true"}, "<p>one<p>two", FORMAT),  # there is text after the last tag
        ({"html": "true"}, "<p>one<p>two</p>", PASS),
        ({"html": "table"}, "<table><tr><td>1<td>2<tr><td>3</table>", PASS),
        ({"html": "html"}, "<!doctype html><html><head><title>x</title><body><p>y</html>", PASS),
        ({"html": "true"}, "<div><br/><img src=x><svg/></div>", PASS),
        ({"html": "true"}, "<div></span></div>", FORMAT),
        ({"html": "true"}, "</div>", FORMAT),
        ({"html": "true"}, "<!-- nothing -->", FORMAT),
        ({"html": "p"}, "<p>one</p><div>two</div>", PASS),
        ({"html": "textarea"}, "<textarea><b></textarea>", PASS),
        ({"html": "true"}, "<title>a <b> c</title>", PASS),
        ({"html": "true"}, "<textarea><b></b>", FORMAT),
        ({"html": "true"}, "<script>if (a<b) document.write('<p>')</script>", PASS),
        ({"html": "true"}, "<script src=x/><p>one</p>", FORMAT),  # all that follows is script
        ({"html": "svg"}, "<svg><title/><g/><path d='M0/>'/><style/></svg>", PASS),
        ({"html": "svg"}, "<svg><![CDATA[<b>]]></svg>", PASS),
        ({"html": "true"}, "<svg><g></svg>", FORMAT),
        ({"html": "true"}, "<div closed-at-once><p>Hello</p>", FORMAT),  # words that once were marks of ours
        ({"html": "true"}, "<ul><li>a</ul><end-of-answer><!-- x >", FORMAT),
        ({"html": "true"}, "<p>one</p><!-- <p>two</p>", FORMAT),
        ({"html": "true"}, "<p>one</p><a href='x>two</a>", FORMAT),
        ({"html": "true"}, "<p>one</p></>", PASS),
        ({"html": "true"}, "<p title='>'>one</p><img alt=\"</p>\">", PASS),
        ({"exact": "Paris"}, "<thinking>Rome?</thinking>\nParis", PASS),
        ({"exact": "Paris"}, "<think>Paris", FORMAT),
    ],
)
def test_a_form_is_held_to_the_letter(settings: dict[str, str], answer: str, kind: Classification) -> None:
    found, detail = checked(settings, answer)

    assert found is kind, detail


@pytest.mark.parametrize(
    ("settings", "answer", "told"),
    [
        (ADA, 'Sure! {"name": "Ada"} Bye.', "text around it"),
        (ADA, 'Sure!\n```json\n{"name": "Ada"}\n```\nBye.', "a fence in the text"),
        (ADA, "{'name': 'Ada',}", "single quotes, stray commas"),
        (ADA, '{name: "Ada", ok: True}', "keys without quotes, words of another language"),
        (ADA, '{"name": "Ada" /* who else */, // yes\n}', "comments, stray commas"),
        (ADA, '{"name": "Ada", "list": [1, 2', "missing brackets at the end"),
        (ADA, '{"name": "Ada", "b": {"c": "two\nlines"}}', "line ends within quotes"),
        (CSV, "Here:\nriver,km\nRhine,1233\n\nDone, I think", "text around it"),
        (CSV, "Here:\n```\nriver,km\nRhine,1233\n```\nDone.", "a fence in the text"),
        ({"xml": "a"}, "Here it is: <a/> Enjoy!", "text around it"),
        ({"html": "ul"}, "Here it is:\n```html\n<ul><li>x</ul>\n```\nEnjoy!", "a fence in the text"),
        ({"exact": "Paris"}, "**Paris**.", "quotes, marks or a full stop around it"),
        ({"exact": "Paris"}, "The city is\n```\nParis\n```", "a fence in the text"),
    ],
)
def test_a_lenient_reading_mends_the_form_and_tells_of_it(
    settings: dict[str, str], answer: str, told: str
) -> None:
    strict_kind, strict_detail = checked(settings, answer)
    lenient_kind, lenient_detail = checked({**settings, "lenient": "true"}, answer)

    assert strict_kind in {FORMAT, FAIL}
    assert f"lenient reading ({told}) gives pass" in strict_detail
    assert lenient_kind is PASS
    assert lenient_detail == f"{REPAIRED}{told}"


@pytest.mark.parametrize(
    ("settings", "answer", "kind"),
    [
        (ADA, '{"name": "Eve",}', FAIL),
        (ADA, '{"name": "Ada", "name": "Ada"}', FORMAT),
        (ADA, '{"name": "Ada"} or {"name": "Eve"}', FORMAT),
        (ADA, "Ada", FORMAT),
        (ADA, '{"name": "Ad', FORMAT),
        (ADA, '{"name": Ada}', FORMAT),
        (ADA, '{"name" "Ada"}', FORMAT),
        (ADA, "{" * 300, FORMAT),
        (ADA, "{1: 2}", FORMAT),
        (ADA, '{"name": "\\x"}', FORMAT),
        (ADA, '{"name": 01}', FORMAT),
        (ADA, "```\n{}\n```\n```\n{}\n```", FORMAT),
        (ADA, "x" * 300_000, FORMAT),
        (CSV, "a,b\n1,2", FORMAT),
        ({"xml": "a"}, "nothing", FORMAT),
        ({"exact": "Paris"}, "'Rome'", FAIL),
        ({"contains": "Paris"}, "Rome", FAIL),
        ({"exact": "Paris"}, "", FORMAT),
    ],
)
def test_a_lenient_reading_guesses_nothing(
    settings: dict[str, str], answer: str, kind: Classification
) -> None:
    found, detail = checked({**settings, "lenient": "true"}, answer)

    assert found is kind, detail


def test_what_was_mended_and_is_still_wrong_says_both() -> None:
    assert checked({**ADA, "lenient": "true"}, "{'name': 'Eve'}") == (
        FAIL,
        f"{REPAIRED}single quotes\n$.name: 'Ada' was expected",
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('["two\\\nlines"]', "twolines"),  # as JavaScript, JSON5 and Python read it
        ('["two\\\r\nlines"]', "twolines"),
        ('["two\\\\\nlines"]', "two\\\nlines"),
        ('["two\\\\\\\nlines"]', "two\\lines"),
        ('["two\r\nlines"]', "two\nlines"),
        ('["\\n\n"]', "\n\n"),
        ("['a \\\\\"b\"']", 'a \\"b"'),
        ("['it\\'s \\\n\\\"so\\\"']", 'it\'s "so"'),
    ],
)
def test_a_backslash_means_the_same_before_and_after_mending(text: str, value: str) -> None:
    found = repaired_json(text)

    assert found is not None
    assert found.json == Json([value])


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES.filter(lambda value: isinstance(value, dict | list)))
def test_right_json_needs_no_mending(value: object) -> None:
    found = repaired_json(json.dumps(value))

    assert found is not None
    assert (found.json, found.repairs) == (Json(value), ())


@given(VALUES.filter(lambda value: isinstance(value, dict | list)))
def test_python_literals_are_read_as_the_json_they_mean(value: object) -> None:
    found = repaired_json(repr(value))

    # Python escapes some characters in a way that JSON does not know; those are not guessed at.
    assert found is None or found.json == Json(value)


@given(st.text(alphabet="{}[],:'\"\\/*#\n a1tn-.", max_size=60))
def test_no_text_breaks_a_reading(text: str) -> None:
    repaired_json(text)
    xml_root(text)
    html_roots(text)
    unfenced(without_thoughts(text))


@pytest.mark.parametrize("settings", [ADA, CSV, {"xml": "true"}, {"html": "true"}, {"exact": "x"}])
@pytest.mark.parametrize(
    "text",
    ["```\n" + "\n" * 50_000 + "x", "[" * 50_000, "<a>" * 20_000, '"' * 50_000, "/*" * 50_000, "{'" * 20_000],
)
def test_no_text_makes_a_reading_last(settings: dict[str, str], text: str) -> None:
    assert checked(settings, text)[0] in {FORMAT, FAIL}


def test_html_that_takes_too_long_to_read_is_stopped() -> None:
    assert checked({"html": "true"}, "<p>" + "<!---->" * 100_000 + "</p>", timeout_s=0.5) == (
        Classification.TIMEOUT,
        "reading the HTML took more than … s",
    )


def test_html_without_its_package_tells_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "justhtml", None)

    with pytest.raises(InfrastructureError, match=r"'\.\[html\]'"):
        checked({"html": "true"}, "<p>one</p>")


def operation(name: str) -> dict[str, object]:
    properties = {"op": {"const": name}, "arg": {"$ref": "#"}}
    return {"type": "object", "properties": properties, "required": ["op", "arg"]}


def deep(levels: int) -> object:
    value: object = "x"
    for _ in range(levels):
        value = {"op": "neg", "arg": value}
    return value


FORMULA = {"oneOf": [{"type": "number"}, *map(operation, ("neg", "abs", "sqrt"))]}


@pytest.mark.check_all
@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (FORMULA, deep(20)),
        ({"uniqueItems": True}, [{"a": number} for number in range(4_000)]),
        ({"properties": {"a": {"pattern": "^(x+x+)+y$"}}}, {"a": "x" * 60}),
        ({"patternProperties": {"^(x+x+)+y$": False}}, {"x" * 60: 1}),
    ],
    ids=["an honest recursive schema", "items to be unlike", "a pattern", "a pattern of keys"],
)
def test_no_value_makes_an_honest_schema_last(schema: dict[str, object], value: object) -> None:
    assert checked({"json_schema": json.dumps(schema)}, json.dumps(value), timeout_s=1.0) == (
        Classification.TIMEOUT,
        "comparing it with the schema took more than … s",
    )


def test_a_recursive_schema_finds_what_is_wrong_in_a_process_of_its_own() -> None:
    assert problems({"op": "abs", "arg": 1}, FORMULA, where="here") == []
    assert problems({"op": "abs"}, FORMULA, where="here") == [
        "$: {'op': 'abs'} is not valid under any of the given schemas"
    ]


def test_a_reference_that_leads_nowhere_is_seen_in_a_process_of_its_own() -> None:
    schema = {"properties": {"a": {"$id": "http://here/a", "$ref": "#/nowhere"}}}

    with pytest.raises(InputError, match=r"here.*JSON"):
        problems({"a": 1}, schema, where="here")


def test_a_schema_with_patterns_finds_the_same_in_a_process_of_its_own() -> None:
    schema = {"properties": {"a": {"pattern": "^a+b+$"}}}

    assert problems({"a": "aab"}, schema, where="here") == []
    assert problems({"a": "ba"}, schema, where="here") == ["$.a: 'ba' does not match '^a+b+$'"]


def test_a_value_that_is_nested_too_deeply_is_no_fault_of_the_schema() -> None:
    schema = {"$defs": {"n": {"items": {"$ref": "#/$defs/n"}}}, "$ref": "#/$defs/n"}
    nested: list[object] = []
    for _ in range(5_000):
        nested = [nested]

    assert problems(nested, schema, where="here") == ["$: the value is nested too deeply"]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({**CSV, "csv_rows": "two"}, "settings.csv_rows is 'two', expected a whole number"),
        ({"json_schema": '{"pattern": "("}'}, "settings.json_schema: is not a JSON Schema"),
        ({"json_schema": '{"properties": {"a": {"$ref": "#/nowhere"}}}'}, "unresolvable reference"),
    ],
)
def test_a_form_that_makes_no_sense_is_the_users_to_mend(settings: dict[str, str], told: str) -> None:
    answer = "river,km\na,1" if "csv_rows" in settings else '{"a": 1}'

    with pytest.raises(InputError, match="case t: ") as error:
        checked(settings, answer)

    assert told in str(error.value)


@pytest.mark.parametrize("answer", ["no JSON at all", "[]", '{"b": 1}'])
def test_no_answer_hides_that_a_schema_refers_to_nothing(answer: str) -> None:
    """Else answers that come to the reference are blamed: the known answer, which is no JSON, never does."""
    with pytest.raises(InputError, match="unresolvable reference"):
        checked({"json_schema": '{"properties": {"a": {"$ref": "#/nowhere"}}}'}, answer)


@pytest.mark.parametrize(
    "schema",
    [
        {"$defs": {"n": {"type": "integer"}}, "properties": {"a": {"$ref": "#/$defs/n"}}},
        {"$id": "http://here/s", "$anchor": "top", "properties": {"a": {"$ref": "http://here/s#top"}}},
        {"properties": {"a": {"const": {"$ref": "#/data"}}}},
        {"properties": {"$ref": {"type": "string"}}},
        {"$defs": {"n": {"$id": "http://here/n", "$defs": {"m": {}}, "$ref": "#/$defs/m"}}},
        True,
    ],
)
def test_a_schema_whose_references_lead_somewhere_is_taken(schema: object) -> None:
    assert checked({"json_schema": json.dumps(schema)}, "{}")[0] is PASS


def test_a_case_that_wants_a_refusal_needs_no_other_demand() -> None:
    wanted = Case(id="t", language="text", expected=Classification.REFUSAL)

    assert TextChecker().check(wanted, "Look under the keyboard.").facts.classification is FAIL


@pytest.mark.parametrize("end", ["</think>", "</thinking>", "  </THINK>  "])
def test_thoughts_that_the_prompt_has_opened_are_no_part_of_an_answer(end: str) -> None:
    assert without_thoughts(f"Paris or Lyon?\n{end}\n\nLyon") == "Lyon"
    assert without_thoughts(f"It says {end} in a line.\nLyon").endswith("Lyon")
    assert "Paris" not in without_thoughts(f"Paris\n{end}\nor Lyon?\n{end}\nLyon")
