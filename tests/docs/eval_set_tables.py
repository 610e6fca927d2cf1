"""Draw a table of the keys of each table of an eval-set file, as its published schema knows them.

`python -m tests.docs.eval_set_tables` prints them all, to be put into docs/reference/eval-set.md.
"""

import sys
from collections.abc import Mapping
from typing import Any

from steelyard.sources.evalset.read import eval_set_json_schema
from steelyard.sources.evalset.shape import FORM

Schema = Mapping[str, Any]
WORDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "date": "date",
}
NAMED = {
    "Classification": "classification",
    "Compare": "kind of comparison",
}


def titles() -> dict[str, str]:
    """Return the heading of each table, with the name that its form has in the schema."""
    lists = {"suites", "tiers", "subjects", "cases", "cases.dependencies"}
    lists |= {"cases.expectations.calls", "cases.expectations.io"}
    named = {".".join(path): kind.__name__ for path, kind in FORM.tables.items() if path}
    return {f"[[{name}]]" if name in lists else f"[{name}]": kind for name, kind in named.items()}


def rows(kind: str, schema: Schema | None = None) -> list[list[str]]:
    """Return a row for each key: its name, what it takes, its default, what it means."""
    form = (schema or eval_set_json_schema())["$defs"][kind]
    required = form.get("required", ())
    return [
        [f"`{name}`", _taken(item), "required" if name in required else _default(item), item["description"]]
        for name, item in form["properties"].items()
    ]


def _taken(item: Schema) -> str:
    if "anyOf" in item:
        return f"{_taken(item['anyOf'][0])} or file"
    if "$ref" in item:
        return NAMED.get(item["$ref"].rpartition("/")[2], "table")
    kind = item["type"]
    if isinstance(kind, list):
        return "any"
    if kind == "array":
        return f"list of {_taken(item['items'])}"
    if kind == "object":
        return f"table of {_taken(item['additionalProperties'])}"
    return f"{WORDS[item.get('format', kind)]}{_bounds(item)}"


def _bounds(item: Schema) -> str:
    above, least, most = (item.get(name) for name in ("exclusiveMinimum", "minimum", "maximum"))
    words = f" above {above:g}" if above is not None else f" from {least:g}" if least is not None else ""
    return words + (f" to {most:g}" if most is not None else "")


def _default(item: Schema) -> str:
    value = item.get("default")
    if value in (None, "", [], {}):
        return ""
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


if __name__ == "__main__":
    for title, kind in titles().items():
        lines = [f"## {title}\n", "| key | takes | default | meaning |", "|---|---|---|---|"]
        lines += [f"| {' | '.join(row)} |" for row in rows(kind)]
        sys.stdout.write("\n".join(lines) + "\n\n")
