"""Describe the problems of a TOML file: the line, the value found, and what to write instead."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from pydantic_core import ErrorDetails

from steelyard.errors import InputError
from steelyard.model.nearest_name import did_you_mean
from steelyard.sources.record_file import EXPECTED
from steelyard.sources.toml.lines import KeyPath

FOUND_LENGTH = 60
ANY_NAME = "*"  # in a list of tables: a table whose name the user chooses
LIMITS = {
    "greater_than": ("gt", "more than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than_equal": ("le", "at most"),
}
LOOSE = 0.5  # keys are short, and few stand in one table: less alike will do
A_DATE = "a date such as 2026-01-31"
TOML_WORDS = {
    "date_type": A_DATE,
    "date_parsing": A_DATE,
    "date_from_datetime_parsing": A_DATE,
    "dict_type": "a table",
    "dataclass_type": "a table",
    "string_pattern_mismatch": "text without blanks around it",
}


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Problem:
    """Something wrong, and where."""

    file: Path
    line: int
    message: str

    @property
    def line_of_text(self) -> str:
        """The problem as `file:line: message`, which editors can open."""
        return f"{self.file}:{self.line}: {self.message}"


def refusal(path: Path, problems: Iterable[Problem], *, what: str = "eval set") -> InputError:
    """Return the error that lists all problems of a file, by line."""
    lines = [f"  {problem.line_of_text}" for problem in sorted(set(problems))]
    count = "1 problem" if len(lines) == 1 else f"{len(lines)} problems"
    return InputError("\n".join([f"{path}: this {what} cannot be used; {count}:", *lines]))


def line_of(lines: Mapping[KeyPath, int], path: KeyPath) -> int:
    """Return the line of a key, or that of the nearest table around it which has one."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)


def describe_error(detail: ErrorDetails, tables: Mapping[tuple[str, ...], type]) -> str:
    """Put into words what the validation found in a file that may hold these tables."""
    path = detail["loc"]
    index = _place(path)
    match detail["type"]:
        case "missing" | "missing_argument" | "missing_keyword_only_argument":
            return f"{_place(path[:-1])} has no {path[-1]!r}; add {path[-1]} = …"
        case "unexpected_keyword_argument":
            return _unknown_key(path, tables)
        case "eval_set":
            return f"{index}: {detail['ctx']['message']}"
        case "enum":
            expected = f"one of {detail['ctx']['expected']}"
        case kind if kind in LIMITS:
            name, words = LIMITS[kind]
            expected = f"{words} {detail['ctx'][name]:g}"
        case kind:
            expected = TOML_WORDS.get(kind) or EXPECTED.get(kind) or _in_short(detail["msg"])
    return f"{index}: found {short_value(detail['input'])}, expected {expected}"


def _in_short(message: str) -> str:
    """Return what a validation expected, without the beginning that all its sentences share."""
    return message.removeprefix("Input should be ")


def _unknown_key(path: KeyPath, tables: Mapping[tuple[str, ...], type]) -> str:
    *table, name = path
    names = tuple(part for part in table if isinstance(part, str))
    kind = tables[names] if names in tables else tables[(*names[:-1], ANY_NAME)]
    known = [item.name.rstrip("_") for item in fields(kind)]  # such as `from_`
    hint = did_you_mean(str(name), known, otherwise="the keys here are", cutoff=LOOSE)
    where = f"[{_place(tuple(table))}] has no key" if table else "there is no table or key"
    return f"{where} {quote(str(name))}; {hint}"


def _place(path: KeyPath) -> str:
    """Return a key path such as `cases[3].expectations`, counted from 1."""
    parts = (f"[{part + 1}]" if isinstance(part, int) else f".{_key(part)}" for part in path)
    return "".join(parts).removeprefix(".") or "the file"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name, re.ASCII) else quote(name)


def short_value(value: object) -> str:
    """Return a value, shortened, in the words of TOML."""
    match value:
        case dict():
            return "a table"
        case list():
            return "a list"
        case str():
            return quote(value)
    return quote(json.dumps(value, default=str), quoted=False)


def quote(text: str, *, quoted: bool = True) -> str:
    """Return a text on one line, with the beginning of a long one only."""
    whole = json.dumps(text, ensure_ascii=not text.isprintable()) if quoted else text
    return whole if len(whole) <= FOUND_LENGTH else f"{whole[:FOUND_LENGTH]}…"
