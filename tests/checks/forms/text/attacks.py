"""Texts that try to pass without being what was asked for, or to stop whoever reads them."""

import json
from typing import NamedTuple

from steelyard.model.outcome import Classification

FAIL, FORMAT, TIMEOUT = Classification.FAIL, Classification.WRONG_FORMAT, Classification.TIMEOUT
PERSON = json.dumps(
    {
        "type": "object",
        "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}},
        "required": ["name", "age"],
        "additionalProperties": False,
    }
)
ENTITIES = '<!DOCTYPE n [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><note>&b;&b;&b;</note>'


class Attack(NamedTuple):
    """A text, what it tries, the settings it is held against, and how that must end."""

    form: str
    name: str
    answer: str
    settings: dict[str, str]
    kind: Classification = FAIL


def _json(name: str, answer: str, kind: Classification = FORMAT) -> Attack:
    return Attack("json", name, answer, {"json_schema": PERSON}, kind)


def _html(name: str, answer: str, kind: Classification = FAIL) -> Attack:
    return Attack("html", name, answer, {"html": "table"}, kind)


def _xml(name: str, answer: str, kind: Classification = FORMAT) -> Attack:
    return Attack("xml", name, answer, {"xml": "note"}, kind)


ATTACKS = (
    Attack("text", "names every answer", "Paris, Rome or Berlin", {"exact": "Paris"}),
    Attack("text", "is written in look-alike letters", "P\u0430ris", {"exact": "Paris"}),
    Attack("text", "has a letter of no width", "Par\u200bis", {"contains": "Paris"}),
    Attack("text", "is turned around", "\u202esiraP\u202c", {"exact": "Paris"}),
    Attack("text", "is only thought", "<think>Paris</think>Rome", {"contains": "Paris"}),
    Attack("text", "is thought without end", "<think>Paris", {"contains": "Paris"}, FORMAT),
    Attack("text", "is half a character", "\ud800", {"exact": "Paris"}),
    Attack("text", "is a pattern itself", ".*", {"regex": r"^\d+$"}),
    Attack("text", "puts the right line among wrong ones", "1\n42\n", {"regex": r"\A42\Z"}),
    Attack("text", "keeps a pattern busy", "a" * 80 + "b", {"regex": r"(a|aa)+$"}, TIMEOUT),
    Attack("text", "is blank", " \t\u3000\n", {"regex": ".*"}, FORMAT),
    _json("says a key twice", '{"name": "Ada", "age": -1, "age": 3}'),
    _json("says a key twice, once escaped", '{"name": "Ada", "age": -1, "\\u0061ge": 3}'),
    _json("nests without end", '{"name": ' * 50_000),
    _json("nests deeply and ends", "[" * 900 + "]" * 900, FAIL),
    _json("is not a number", '{"name": "Ada", "age": NaN}'),
    _json("is infinite by its exponent", '{"name": "Ada", "age": -1e999}'),
    _json("has more digits than can be read", '{"name": "Ada", "age": ' + "9" * 5_000 + "}"),
    _json("is a truth value for a number", '{"name": "Ada", "age": true}', FAIL),
    _json("is a number in words", '{"name": "Ada", "age": "3"}', FAIL),
    _json("is the schema", PERSON, FAIL),
    _json("brings a schema of its own", '{"$schema": true, "name": "Ada", "age": 3}', FAIL),
    _json("stands between other words", 'Sure: {"name": "Ada", "age": 3}'),
    _json("is followed by a second value", '{"name": "Ada", "age": 3} {"name": 1}'),
    _json("is a comment", '/* {"name": "Ada", "age": 3} */ {}'),
    _json("is half a character", '{"name": "\\ud800", "age": -1}', FAIL),
    _xml("declares entities that unfold", ENTITIES),
    _xml("includes a file of the host", '<!DOCTYPE n [<!ENTITY f SYSTEM "/etc/passwd">]><note>&f;</note>'),
    _xml("is in a comment", "<!-- <note/> --><other/>", FAIL),
    _xml("has two roots", "<note/><note/>"),
    _xml("nests without end", "<note>" * 50_000),
    _xml("has a root in another space", '<x:note xmlns:x="u"/>', FAIL),
    _html("is in a comment", "<!-- <table></table> --><p>no</p>"),
    _html("is in a script", "<script>'<table></table>'</script>"),
    _html("is in an attribute", '<p title="<table></table>">no</p>'),
    _html("is inside of something else", "<div><table></table></div>"),
    _html("is left open", "<table><tr><td>1", FORMAT),
    _html("is closed in the wrong order", "<table><b></table></b>", FORMAT),
    _html("is escaped", "&lt;table&gt;&lt;/table&gt;", FORMAT),
    _html("is a comment without end", "<table></table><!-- >", FORMAT),
    Attack("csv", "has a header of other names", "name;age\nAda;3\n", {"csv_columns": "name,age"}, FORMAT),
    Attack("csv", "is nothing but a header", "name,age\n", {"csv_columns": "name,age"}),
    Attack("csv", "has a field too many", "name,age\nAda,3,4\n", {"csv_columns": "name,age"}, FORMAT),
    Attack("csv", "leaves a quote open", 'name,age\n"Ada,3\n', {"csv_columns": "name,age"}, FORMAT),
    Attack(
        "csv",
        "has a field without end",
        "name,age\n" + "x" * 200_000 + ",3\n",
        {"csv_columns": "name,age"},
        FORMAT,
    ),
)
