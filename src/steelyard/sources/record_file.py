"""Read a record, such as a report, from a JSON file, and validate all of it.

The structure is validated against the records, then constraints such as passes ≤ samples.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails, from_json

from steelyard.errors import InputError
from steelyard.model.baseline import Baseline
from steelyard.model.report import CaseSummary, Report
from steelyard.model.units import MICRO_POINTS
from steelyard.sources.records import SCHEMA_NAMES, Record, noun, record_adapter

PROBLEMS_SHOWN = 5
FOUND_LENGTH = 60
NOWHERE = Path("/nonexistent")  # the folder of a text that may name no file
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
OTHER_ENCODINGS = (b"\xff\xfe", b"\xfe\xff")

EXPECTED: Mapping[str, str] = {
    "string_type": "text",
    "string_unicode": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing_size": "a smaller number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "dict_type": "an object",
    "dataclass_type": "an object",
}


def read_report(path: str | Path) -> Report:
    """Read a report, or say what is wrong with the file."""
    return read_record(Path(path), Report)


def read_record(path: Path, kind: type[Record]) -> Record:
    """Read a record of some kind, or say what is wrong with the file."""
    return record_of(_bytes(path), kind, where=path)


def record_of(text: bytes, kind: type[Record], *, where: str | Path, folder: Path | None = None) -> Record:
    """Return the record in a JSON text. `where` names the text in errors; files it names are in `folder`.

    Raises InputError that lists what is wrong.
    """
    _check_schema(where, _parse(where, text), SCHEMA_NAMES.get(kind))
    try:
        record = record_adapter(kind).validate_json(text, context={"folder": folder or NOWHERE})
    except ValidationError as error:
        problems = [_problem(detail, kind) for detail in error.errors(include_url=False)]
        raise _refusal(where, kind, problems) from error
    contradictions = list(_contradictions(record))
    if contradictions:
        raise _refusal(where, kind, contradictions)
    return cast("Record", record)  # null was refused above


def _bytes(path: Path) -> bytes:
    try:
        if path.is_fifo():
            # Opening a pipe would wait for a writer.
            raise InputError(f"{path}: cannot be read: it is a pipe; save it to a file")
        text = path.read_bytes().removeprefix(BYTE_ORDER_MARK)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # a NUL in the path
        raise InputError(f"{str(path)!r}: cannot be read: {error}") from error
    if not text.strip():
        raise InputError(f"{path}: the file is empty")
    if text.startswith(OTHER_ENCODINGS):
        raise InputError(f"{path}: the file is UTF-16 text; save it as UTF-8")
    return text


def _parse(path: str | Path, text: bytes) -> object:
    try:
        parsed: object = from_json(text, allow_inf_nan=False)
    except ValueError as error:
        raise InputError(f"{path}: this is not JSON: {error}") from error
    return parsed


def _check_schema(path: str | Path, parsed: object, readable: str | None) -> None:
    """Check the file's schema before its fields."""
    if not isinstance(parsed, dict):
        raise InputError(f"{path}: found {_found(parsed)}, expected an object")
    if readable is None:
        return
    if "schema" not in parsed:
        raise InputError(f"{path}: there is no key schema; this version reads {readable}")
    if parsed["schema"] != readable:
        schema = parsed["schema"] if isinstance(parsed["schema"], str) else _found(parsed["schema"])
        is_same_kind = schema.partition("/")[0] == readable.partition("/")[0]
        requested = f"this version reads {readable}" if is_same_kind else f"{readable} is needed here"
        raise InputError(f"{path}: unsupported schema {_printable(schema)}, {requested}")


def _refusal(path: str | Path, kind: type, problems: list[str]) -> InputError:
    lines = [f"{path}: this {noun(kind)} cannot be read"]
    lines += [f"  {problem}" for problem in problems[:PROBLEMS_SHOWN]]
    if len(problems) > PROBLEMS_SHOWN:
        lines.append(f"  and {len(problems) - PROBLEMS_SHOWN:,} more problems")
    return InputError("\n".join(lines))


def _problem(detail: ErrorDetails, kind: type) -> str:
    index = _place(detail["loc"])
    match detail["type"]:
        case "missing" | "missing_argument" | "missing_keyword_only_argument":
            return f"{index}: this key is missing"
        case "unexpected_keyword_argument":
            return f"{index}: unknown key, found {_found(detail['input'])}{_meant(detail['loc'], kind)}"
        case "enum":
            expected = f"one of {detail['ctx']['expected']}"
        case other:
            expected = EXPECTED.get(other, detail["msg"])
    return f"{index}: found {_found(detail['input'])}, expected {expected}"


def _meant(path: tuple[int | str, ...], kind: type) -> str:
    """Say which key of the whole file was meant perhaps; those inside it belong to other records."""
    known = [field.name for field in fields(kind)] if len(path) == 1 else []
    return "".join(f"; did you mean {name!r}?" for name in get_close_matches(str(path[-1]), known, n=1))


def _place(path: tuple[int | str, ...]) -> str:
    """Return a key path such as `cases[3].mean_score`."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{_printable(part)}" for part in path)
    return "".join(parts).removeprefix(".") or "the whole file"


def _found(value: object) -> str:
    match value:
        case dict():
            return "an object"
        case list():
            return "a list"
    return _printable(json.dumps(value, default=str))


def _printable(text: str) -> str:
    """Escape what is not plain ASCII, and shorten: the file is not trusted."""
    plain = (
        text.encode("unicode_escape").decode("ascii")
        if not text.isascii() or not text.isprintable()
        else text
    )
    return plain if len(plain) <= FOUND_LENGTH else f"{plain[:FOUND_LENGTH]}..."


def _contradictions(record: object) -> Iterator[str]:
    """Find what no shape forbids and no arithmetic survives."""
    if isinstance(record, Baseline):
        record = record.report
    if not isinstance(record, Report):
        return
    seen = set()
    for index, case in enumerate(record.cases):
        yield from (f"cases[{index}]: {problem}" for problem in _impossible(case))
        key = (case.model, case.tier, case.suite, case.case)
        if key in seen:
            yield f"cases[{index}]: {_printable(json.dumps(case.case))} of the same subject occurs twice"
        seen.add(key)


def _impossible(case: CaseSummary) -> Iterator[str]:
    if not 0 <= case.c <= case.n:
        yield f"found c = {case.c} and n = {case.n}, expected passes from 0 to n"
    if case.errored < 0:
        yield f"found errored = {case.errored}, expected a count"
    if not 0 <= case.score_sum_micro <= case.score_n * MICRO_POINTS:
        yield f"found score_sum_micro = {case.score_sum_micro}, expected 0 to {MICRO_POINTS} x score_n"
    if case.mean_score is not None and not 0 <= case.mean_score <= 1:
        yield f"found mean_score = {case.mean_score}, expected a score from 0 to 1"
