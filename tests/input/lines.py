"""JSON lines that are no JSON, no objects, or objects that hold the wrong things."""

import json

from tests.input.broken import Broken, of_file

FILE = "results.jsonl"
GOOD = {"model": "a", "case": "c", "attempt": 0, "passed": True, "score": 1, "tokens_in": 1}
NO_OBJECTS = "holds no JSON objects; expected one object on each line"
ONE_EACH = "expected one object on each line"


def of_lines(name: str, *lines: str, where: str, says: tuple[str, ...]) -> Broken:
    """Return a file of these lines."""
    return of_file(name, "\n".join(lines) + "\n", where, *says, file=FILE)


def of_second(name: str, line: str, *says: str) -> Broken:
    """Return a file whose second line is bad as a whole."""
    return of_lines(name, json.dumps(GOOD), line, where=", row 2: ", says=says)


def of_field(column: str, value: str, found: str, expected: str) -> Broken:
    """Return a file whose second line holds a bad value."""
    rest = {name: good for name, good in GOOD.items() if name not in {column, "attempt"}}
    second = json.dumps(rest)[:-1] + f', "attempt": 1, "{column}": {value}}}'
    return of_second(f"JSON {column} = {value}", second, f"column '{column}' is {found}; expected {expected}")


LINES = (
    of_lines("an empty JSON lines file", "", where=": ", says=(NO_OBJECTS,)),
    of_lines("blank JSON lines", "", "", "", where=": ", says=(NO_OBJECTS,)),
    of_lines("a JSON array on one line", json.dumps([GOOD, GOOD]), where=": ", says=(NO_OBJECTS,)),
    of_lines("JSON numbers", "1", "2", where=": ", says=(NO_OBJECTS,)),
    of_lines("JSON strings", '"a"', '"b"', where=": ", says=(NO_OBJECTS,)),
    of_lines("objects and a number", json.dumps(GOOD), "1", where=": ", says=(NO_OBJECTS,)),
    of_lines("empty objects", "{}", "{}", where=": ", says=(NO_OBJECTS,)),
    of_lines(
        "a JSON array over lines", "[", json.dumps(GOOD) + ",", "]", where=", row 1: ", says=(ONE_EACH,)
    ),
    of_lines("CSV named .jsonl", "model,case", "a,c", where=", row 1: ", says=("is not JSON", ONE_EACH)),
    of_second("a JSON line cut off", '{"model": "a", "case": ', "is not JSON (unexpected end of data)"),
    of_second("a JSON line in Python's manner", "{'model': 'a'}", "is not JSON (unexpected character)"),
    of_second("two objects on a line", json.dumps(GOOD) * 2, "unexpected content after document"),
    of_second("half a character", '{"model": "a", "case": "\\ud800"}', "no low surrogate in string"),
    of_lines(
        "a bad line after blank ones",
        *(json.dumps(GOOD), "", "", "{bad"),
        where=", row 2: ",
        says=("is not JSON",),
    ),
    of_second("a key twice", '{"model": "a", "case": "c", "case": "d"}', "the key 'case' occurs twice"),
    of_second("null instead of an object", "null", "column 'model' is empty", "every row needs a model"),
    of_second("a line without a case", '{"model": "a", "attempt": 1}', "column 'case' is empty"),
    of_lines(
        "100,000 levels",
        '{"model": "a", "x": ' + "[" * 100_000 + "]" * 100_000 + "}",
        where=": ",
        says=("cannot be read", "depth"),
    ),
    of_field("score", "NaN", "'NaN'", "a number from 0 to 1"),
    of_field("score", "-Infinity", "'-Infinity'", "a number from 0 to 1"),
    of_field("score", '{"mean": 1}', "'{\"mean\":1}'", "a number from 0 to 1"),
    of_field("score", "[1]", "'[1]'", "a number from 0 to 1"),
    of_field("score", '"high"', "'high'", "a number from 0 to 1"),
    of_field("score", "1.5", "'1.5'", "a number from 0 to 1"),
    of_field("tokens_in", "true", "'true'", "a whole number from 0"),
    of_field("tokens_in", str(10**30), f"'{10**30}'", "a whole number from 0"),
    of_field("tokens_in", "-5", "'-5'", "a whole number from 0"),
    of_field("tokens_in", "1.5", "'1.5'", "a whole number from 0"),
    of_field("passed", "3", "'3'", "true or false"),
    of_field("passed", '"perhaps"', "'perhaps'", "true or false"),
    of_lines(
        "a classification that is none",
        '{"model": "a", "case": "c", "classification": {"primary": "great"}}',
        where=", row 1: column 'classification' is 'great'; ",
        says=("expected one of pass, fail",),
    ),
    of_lines(
        "a classification without its primary",
        '{"model": "a", "case": "c", "classification": {"primary": "pass"}}',
        '{"model": "a", "case": "d", "classification": {"secondary": "pass"}}',
        where=", row 2: column 'classification' is ",
        says=("expected one of pass, fail",),
    ),
)
