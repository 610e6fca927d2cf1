"""Read CSV exports of promptfoo: one column of answers for each prompt and provider.

Older exports have the verdict before the answer in one cell, newer ones in separate columns.
"""

import csv
import io
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from steelyard.errors import InputError
from steelyard.logs.files import head, text_of
from steelyard.logs.record import Record
from steelyard.model.column_names import repeated_column

VERDICT = re.compile(r"\[(PASS|FAIL|ERROR)\](?: \(([0-9.]+)\))?\s?", re.ASCII)
NAMED = re.compile(r"\[(?P<provider>[^\]]{1,200})\] (?P<prompt>.*)", re.DOTALL)
NEW = ("Status", "Score")
LARGEST_CELL = 16 * 2**20


def is_table(path: Path) -> bool:
    """Whether a file is a CSV export of promptfoo."""
    start = head(path)
    if b"Grader Reason" not in start and b"[PASS]" not in start and b"[FAIL]" not in start:
        return False
    if start[:1] in {b"{", b"["} or b"," not in start:
        return False
    try:
        rows = list(islice(csv.reader(io.StringIO(start.decode("utf-8-sig", "ignore"))), 2))
    except csv.Error:
        return False
    if not rows:
        return False
    # Columns of answers are named by their prompt; a single word such as `message` is no prompt.
    is_old = len(rows) > 1 and any(
        VERDICT.match(cell) and not name.strip().isidentifier()
        for name, cell in zip(rows[0], rows[1], strict=False)
    )
    return set(NEW) <= set(rows[0]) or is_old


def table_records(path: Path) -> Iterator[Record]:
    """Yield a row for each answer, in the keys of promptfoo's JSON."""
    csv.field_size_limit(LARGEST_CELL)
    try:
        rows = list(csv.reader(io.StringIO(text_of(path)), strict=True))
    except csv.Error as error:
        raise InputError(f"{path}: invalid or truncated CSV file: {error}") from None
    header, *body = rows
    _require_unique_names(header, body, path)
    for number, cells in enumerate(body):
        where = f"{path}: row {number + 2}"
        if len(cells) != len(header):
            raise InputError(f"{where}: found {len(cells)} cells, expected {len(header)} as in the header")
        new = set(NEW) <= set(header)
        yield from _new_form(header, cells, number, where) if new else _old_form(header, cells, number, where)


def _require_unique_names(header: list[str], body: list[list[str]], path: Path) -> None:
    """Reject duplicate variable names, since one value would be lost.

    Columns of answers are identified by position: `Status` occurs once per prompt.
    """
    if set(NEW) <= set(header):
        ends = next((at for at in range(len(header) - 1) if header[at + 1] == "Status"), len(header))
        names = header[:ends]
    else:
        answers = {at for cells in body for at, cell in enumerate(cells) if VERDICT.match(cell)}
        names = ["" if at in answers else name for at, name in enumerate(header)]
    if repeated := repeated_column(names):
        raise InputError(
            f"{path}, line 1: {repeated}; rename one of them, "
            "or import JSON: promptfoo export eval ID -o results.json"
        )


def _new_form(header: list[str], cells: list[str], number: int, where: str) -> Iterator[Record]:
    starts = [at for at in range(len(header) - 1) if header[at + 1] == "Status"]
    if not starts:
        raise InputError(f"{where}: no column of answers before the column Status")
    ends = [*starts[1:], len(header)]
    shared = dict(zip(header[: starts[0]], cells, strict=False))
    description = shared.pop("Description", "")
    for start, end in zip(starts, ends, strict=True):
        block = dict(zip(header[start + 1 : end], cells[start + 1 : end], strict=True))
        yield _record(
            header[start],
            cells[start],
            (block.get("Status", ""), block.get("Score", ""), block.get("Grader Reason", "")),
            {"testIdx": number, "vars": shared, "testCase": {"description": description}},
            where,
        )


def _old_form(header: list[str], cells: list[str], number: int, where: str) -> Iterator[Record]:
    matches = [VERDICT.match(cell) for cell in cells]
    shared = {name: cell for name, cell, match in zip(header, cells, matches, strict=True) if match is None}
    for name, cell, match in zip(header, cells, matches, strict=True):
        if match is not None:
            reason, answer = "", cell[match.end() :]
            if match[1] != "PASS" and "\n---\n" in answer:
                reason, _, answer = answer.partition("\n---\n")
            verdict = match[1], match[2] or "", reason
            yield _record(name, answer, verdict, {"testIdx": number, "vars": shared, "testCase": {}}, where)


def _record(
    column: str, answer: str, verdict: tuple[str, str, str], test: dict[str, object], where: str
) -> Record:
    status, score, reason = verdict
    if status not in {"PASS", "FAIL", "ERROR"}:
        raise InputError(f"{where}: found status {status[:40]!a}, expected PASS, FAIL or ERROR")
    named = NAMED.fullmatch(column)
    is_error = status == "ERROR"
    return Record(
        {
            **test,
            "provider": named["provider"] if named else None,
            "prompt": {"label": named["prompt"] if named else column},
            "response": {} if is_error else {"output": answer},
            "success": status == "PASS",
            "score": _number(score, where),
            "error": (reason or answer or "error") if is_error else None,
            "failureReason": {"PASS": 0, "FAIL": 1, "ERROR": 2}[status],
            "gradingResult": {"reason": reason},
        },
        where,
    )


def _number(text: str, where: str) -> float | None:
    if not text:
        return None
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{where}: found score {text[:40]!a}, expected a number") from None
