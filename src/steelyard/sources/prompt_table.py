"""Read a table of prompts and tests, and write it as an eval set."""

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from steelyard.errors import InputError
from steelyard.languages.interpreted import PYTHON
from steelyard.model.column_names import repeated_column
from steelyard.sources.evalset.records import DEFAULT_SUITE

# Our key → the names that a column for it may have, in lower case.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "case", "case_id", "task_id", "name"),
    "prompt": ("prompt", "question", "instruction", "input", "task"),
    "tests": ("tests", "test", "test_code", "check"),
    "expected": ("expected", "expected_output", "target", "answer"),
    "reference": ("reference", "solution", "canonical_solution"),
    "language": ("language", "lang"),
    "suite": ("suite", "category"),
    "tags": ("tags",),
    "cluster": ("cluster", "cluster_id"),
}
WANTED = ("id", "prompt", "tests", "expected", "reference", "language", "suite", "tags", "cluster")


def eval_set_of_table(path: Path) -> str:
    """Return the text of an eval set with a case for each row of a CSV file.

    A row needs a prompt and `tests`, or an `expected` text that the answer must equal.
    """
    rows = list(_rows(path))
    if not rows:
        raise InputError(f"{path}: there is no row below the header")
    head = [
        f"# Made from {path.name} by `steelyard init --from-csv`.",
        "[eval_set]",
        f"id = {_text(path.stem)}",
    ]
    named = [row.get("suite") for row in rows]
    suites = dict.fromkeys(suite or DEFAULT_SUITE for suite in named) if any(named) else {}
    listed = [f"\n[[suites]]\nid = {_text(suite)}" for suite in suites]
    return (
        "\n".join([*head, *listed, *(_case(path, number, row) for number, row in enumerate(rows, start=1))])
        + "\n"
    )


def _rows(path: Path) -> Iterator[dict[str, str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as a CSV file ({error})") from None
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))  # a cell may hold long tests
    reader = csv.reader(text.splitlines(keepends=True))
    names = next(reader, [])
    if repeated := repeated_column(names):
        raise InputError(f"{path}, line 1: {repeated}; rename or remove all but one")
    header = [name.strip().lower() for name in names]
    places = {
        key: next((header.index(name) for name in names if name in header), None)
        for key, names in COLUMNS.items()
    }
    if places["prompt"] is None:
        raise InputError(
            f"{path}: no column holds the prompts; call one of them `prompt`. It has {', '.join(header)}"
        )
    for row in reader:
        if any(cell.strip() for cell in row):
            yield {key: row[index] for key, index in places.items() if index is not None and index < len(row)}


def _case(path: Path, number: int, row: Mapping[str, str]) -> str:
    given = {key: row.get(key, "").strip() for key in WANTED}
    name = given["id"] or f"case-{number:03d}"
    if not given["prompt"]:
        raise InputError(f"{path}: row {number} has no prompt")
    if not (given["tests"] or given["expected"]):
        raise InputError(
            f"{path}: row {number} ({name}) has neither `tests` nor `expected`; every answer would pass"
        )
    language = given["language"] or (PYTHON.name if given["tests"] else "text")
    lines = ["", "[[cases]]", f"id = {_text(name)}", f"language = {_text(language.lower())}"]
    lines += [f"suite = {_text(given['suite'])}"] if given["suite"] else []
    lines += [f"cluster = {_text(given['cluster'])}"] if given["cluster"] else []
    if given["tags"]:
        words = [word.strip() for word in given["tags"].replace(";", ",").split(",") if word.strip()]
        lines.append(f"tags = [{', '.join(map(_text, words))}]")
    lines.append(f"prompt = {_text(row['prompt'])}")
    lines += [f"reference = {_text(row['reference'])}"] if given["reference"] else []
    if given["tests"]:
        return "\n".join([*lines, "[cases.expectations]", f"tests = {_text(row['tests'])}"])
    return "\n".join([*lines, "[cases.expectations.settings]", f"exact = {_text(given['expected'])}"])


def _text(text: str) -> str:
    r"""Return a text as TOML writes it.

    >>> print(_text('say "yes"\n'))
    "say \"yes\"\n"
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
