"""Write files of a log atomically, and count what a format does not support."""

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from uuid import uuid4

from steelyard.errors import InputError
from steelyard.model.log import LeftOut, LogRow
from steelyard.model.outcome import Classification

NO_NAME = re.compile(r"[^A-Za-z0-9.+-]+")

_NO_KIND_OF_FAILURE = {None, Classification.PASS, Classification.FAIL, Classification.ERROR}

# Optional fields of rows that some formats lack, with a predicate for rows that have them.
OPTIONAL_FIELDS: Mapping[str, Callable[[LogRow], bool]] = {
    "prompts": lambda row: row.prompt is not None,
    "expected answers": lambda row: row.target is not None,
    "partial scores": lambda row: row.score is not None and 0 < row.score < 1,
    "kinds of failure": lambda row: row.classification not in _NO_KIND_OF_FAILURE,
    "costs": lambda row: row.cost_usd is not None,
    "times": lambda row: row.latency_s is not None,
    "numbers of tokens": lambda row: row.tokens_in is not None or row.tokens_out is not None,
    "cached or reasoning tokens": lambda row: (
        row.tokens_cached is not None or row.tokens_reasoning is not None
    ),
    "numbers of tests": lambda row: row.tests_passed is not None or row.tests_failed is not None,
    "finish reasons": lambda row: row.finish_reason is not None,
    "outputs of checks": lambda row: row.passed is not None and bool(row.output),
}


def file_name(*parts: str) -> str:
    """Return a safe file name of arbitrary texts.

    >>> file_name("acme/one", "../x")
    'acme_one__.._x'
    """
    return "__".join(NO_NAME.sub("_", part)[:80] for part in parts)


def subject_names(
    rows: Sequence[LogRow], named: Callable[[str, str], str] = file_name
) -> dict[tuple[str, str], str]:
    """Return a file name for each subject; duplicates get a hash suffix.

    >>> row = LogRow(model="a/b", tier="T0", suite="s", case="c", attempt=0, passed=True)
    >>> subject_names([row])
    {('a/b', 'T0'): 'a_b__T0'}
    """
    names = {(row.model, row.tier): named(row.model, row.tier) for row in rows}
    counts = Counter(name.lower() for name in names.values())  # some file systems ignore case
    return {
        subject: name if counts[name.lower()] == 1 else f"{name}-{_hash(*subject)}"
        for subject, name in names.items()
    }


def _hash(*words: str) -> str:
    return sha256("\0".join(words).encode("utf-8", "replace")).hexdigest()[:8]


def write_whole(path: Path, write: Callable[[Path], object]) -> str:
    """Write a file atomically, through a temporary name; return its path.

    Raises:
        InputError: The file cannot be written.
    """
    draft = path.with_name(f".{uuid4().hex}.{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write(draft)
        os.replace(draft, path)  # noqa: PTH105  # clearer than Path.replace
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
    finally:
        draft.unlink(missing_ok=True)
    return str(path)


def write_json(path: Path, value: object) -> str:
    """Write a JSON document."""
    return write_whole(
        path, lambda draft: draft.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
    )


def write_lines(path: Path, values: Iterable[object]) -> str:
    """Write JSON lines."""
    text = "".join(json.dumps(value) + "\n" for value in values)
    return write_whole(path, lambda draft: draft.write_text(text, encoding="utf-8"))


def by_subject(rows: Sequence[LogRow]) -> list[tuple[str, str, list[LogRow]]]:
    """Group sorted rows by model and tier."""
    return [(*key, list(part)) for key, part in groupby(rows, key=lambda row: (row.model, row.tier))]


def by_task(rows: Sequence[LogRow]) -> list[tuple[str, str, str, list[LogRow]]]:
    """Group sorted rows by model, tier and suite."""
    parts = groupby(rows, key=lambda row: (row.model, row.tier, row.suite))
    return [(*key, list(part)) for key, part in parts]


def left_out(what: str, why: str, count: int) -> tuple[LeftOut, ...]:
    """Return a count of left-out content; empty if it is zero."""
    return (LeftOut(what=what, why=why, count=count),) if count else ()


def unsupported(rows: Iterable[LogRow], tool: str, *names: str) -> tuple[LeftOut, ...]:
    """Count the rows with each of some optional fields, which a tool's format lacks.

    >>> row = LogRow(model="m", case="c", attempt=0, passed=True, cost_usd=0.5)
    >>> [(entry.what, entry.count) for entry in unsupported([row, row], "A tool", "prompts", "costs")]
    [('costs', 2)]
    """
    kept = list(rows)
    counts = (
        left_out(name, f"not supported by {tool}", sum(map(OPTIONAL_FIELDS[name], kept))) for name in names
    )
    return tuple(entry for part in counts for entry in part)
