"""Say what is wrong with an eval-set file: where it stands, what was found, what to write instead."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path

from pydantic_core import ErrorDetails

from steelyard.errors import InputError
from steelyard.sources.record_file import EXPECTED
from steelyard.sources.toml.lines import KeyPath

FOUND_LENGTH = 60
LIMITS = {
    "greater_than": ("gt", "more than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than_equal": ("le", "at most"),
}
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
    def told(self) -> str:
        """The problem as a line that editors can follow to its place."""
        return f"{self.file}:{self.line}: {self.message}"


def refusal(path: Path, problems: Iterable[Problem], *, what: str = "eval set") -> InputError:
    """Return the error that tells all the problems of a file at once, in the order in which they stand."""
    told = [f"  {problem.told}" for problem in sorted(set(problems))]
    count = "1 problem" if len(told) == 1 else f"{len(told)} problems"
    return InputError("\n".join([f"{path}: this {what} cannot be used; {count}:", *told]))


def line_of(lines: Mapping[KeyPath, int], path: KeyPath) -> int:
    """Return the line of a key, or that of the nearest table around it which has one."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)


def described(detail: ErrorDetails, tables: Mapping[tuple[str, ...], type]) -> str:
    """Put into words what the validation found in a file that may hold these tables."""
    path = detail["loc"]
    place = _place(path)
    match detail["type"]:
        case "missing" | "missing_argument" | "missing_keyword_only_argument":
            return f"{_place(path[:-1])} has no {path[-1]!r}; add {path[-1]} = …"
        case "unexpected_keyword_argument":
            return _unknown_key(path, tables)
        case "eval_set":
            return f"{place}: {detail['ctx']['message']}"
        case "enum":
            expected = f"one of {detail['ctx']['expected']}"
        case kind if kind in LIMITS:
            name, words = LIMITS[kind]
            expected = f"{words} {detail['ctx'][name]:g}"
        case kind:
            expected = TOML_WORDS.get(kind) or EXPECTED.get(kind, detail["msg"])
    return f"{place}: found {found(detail['input'])}, expected {expected}"


def _unknown_key(path: KeyPath, tables: Mapping[tuple[str, ...], type]) -> str:
    *table, name = path
    kind = tables[tuple(part for part in table if isinstance(part, str))]
    known = [item.name.rstrip("_") for item in fields(kind)]  # such as `from_`
    near = get_close_matches(str(name), known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"the keys here are {', '.join(known)}"
    where = f"[{_place(tuple(table))}] has no key" if table else "there is no table or key"
    return f"{where} {shown(str(name))}; {hint}"


def _place(path: KeyPath) -> str:
    """Return a key path such as `cases[3].expectations`, counted from 1 as people do."""
    parts = (f"[{part + 1}]" if isinstance(part, int) else f".{_key(part)}" for part in path)
    return "".join(parts).removeprefix(".") or "the file"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name, re.ASCII) else shown(name)


def found(value: object) -> str:
    """Return a value, short, in words that people use for TOML."""
    match value:
        case dict():
            return "a table"
        case list():
            return "a list"
        case str():
            return shown(value)
    return shown(json.dumps(value, default=str), quoted=False)


def shown(text: str, *, quoted: bool = True) -> str:
    """Return a text on one line, with the beginning of a long one only."""
    whole = json.dumps(text, ensure_ascii=not text.isprintable()) if quoted else text
    return whole if len(whole) <= FOUND_LENGTH else f"{whole[:FOUND_LENGTH]}…"
