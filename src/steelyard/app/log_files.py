"""Detect the tool of a log and read its files; reject unknown formats with a reason."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from glob import glob, has_magic
from hashlib import file_digest
from pathlib import Path
from typing import cast

from steelyard.errors import InputError, UserError
from steelyard.logs.archive import Archive
from steelyard.logs.files import ZIP, document, head, is_json
from steelyard.model.log import Log, LogOptions, LogRow
from steelyard.plugins import IMPORTERS, known, load
from steelyard.ports import Importer
from steelyard.store.files import SUFFIXES

GROUP = "importers"
PACKED = ".gz"
JSON = ".json"  # may contain a list of outcomes
VERDICTS_ONLY = {"swe-bench"}  # models that solve the same cases have equal reports


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundLog:
    """Files of one reader."""

    reader: str
    paths: tuple[Path, ...]


def found_logs(patterns: Iterable[str | Path]) -> tuple[FoundLog, ...]:
    """Group logs among files by reader; empty if all may be outcome files."""
    paths = [path for pattern in patterns for path in _expand_pattern(str(pattern))]
    by_reader: dict[str, list[Path]] = {}
    unrecognised = []
    for path in dict.fromkeys(paths):
        reader = recognised(path)
        if reader is not None:
            by_reader.setdefault(reader, []).append(path)
        else:
            unrecognised.append(path)
    for path in unrecognised:
        if by_reader or not _may_be_outcomes(path):
            raise _unknown_log(path)
    return tuple(FoundLog(reader=name, paths=tuple(files)) for name, files in by_reader.items())


def recognised(path: Path) -> str | None:
    """Detect the reader of a file or folder."""
    if not path.exists() or not (path.is_file() or path.is_dir()):
        return None
    return next((name for name in _list_readers() if _load_reader(name).recognise(path)), None)


def read_logs(logs: Sequence[FoundLog], options: LogOptions) -> list[Log]:
    """Read logs; reject duplicate answers."""
    read = [_load_reader(log.reader).read(log.paths, options) for log in logs]
    seen: set[tuple[str, str, str, str, int]] = set()
    for row in (row for log in read for row in log.rows):
        if row.key in seen:
            raise InputError(_describe_duplicate(row))
        seen.add(row.key)
    if not seen:
        reasons = "; ".join(
            f"{left_out.what} {left_out.count}: {left_out.why}" for log in read for left_out in log.left_out
        )
        raise InputError(f"{logs[0].paths[0]}: has no outcome to import ({reasons or 'no rows'})")
    return read


def refuse_copies(logs: Sequence[FoundLog]) -> None:
    """Reject duplicate files."""
    paths = [path for log in logs if log.reader not in VERDICTS_ONLY for path in log.paths if path.is_file()]
    sizes = Counter(path.stat().st_size for path in paths)
    seen: dict[str, Path] = {}
    for path in paths:
        size = path.stat().st_size
        if not size or sizes[size] == 1:  # empty files and files of unique size are no duplicates
            continue
        first = seen.setdefault(_hash_file(path), path)
        if first is not path:
            raise InputError(
                f"{path}: has the same content as {first}; remove one of them, or import each as its own run"
            )


def file_digests(logs: Sequence[FoundLog]) -> dict[str, str]:
    """Return the SHA-256 of each file by name, and the word `folder` for folders."""
    digests: dict[str, str] = {}
    for path in dict.fromkeys(path.resolve() for log in logs for path in log.paths):
        # Prefix equal file names by their folders.
        names = ("/".join(path.parts[-parts:]) for parts in range(1, len(path.parts)))
        name = next((name for name in names if name not in digests), str(path))
        if path.is_file():
            digests[name] = _hash_file(path)
        else:
            digests[name] = "folder"
    return digests


def _hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


@cache
def _list_readers() -> tuple[str, ...]:
    return tuple({**IMPORTERS, **known(IMPORTERS, group=GROUP)})


@cache
def _load_reader(name: str) -> Importer:
    return cast("type[Importer]", load(IMPORTERS, name, group=GROUP))()


def _expand_pattern(pattern: str) -> list[Path]:
    if has_magic(pattern) and not Path(pattern).exists():
        return [Path(name) for name in sorted(glob(pattern, recursive=True))]  # noqa: PTH207  # as for outcomes
    return [Path(pattern)]


def _may_be_outcomes(path: Path) -> bool:
    """Whether the outcome reader should report a file's errors."""
    plain = path.with_suffix("") if path.suffix.lower() == PACKED else path
    if path.exists() and plain.suffix.lower() == JSON:
        return isinstance(document(path), list)  # reports a damaged or too large file
    return not path.exists() or plain.suffix.lower() in SUFFIXES


def _unknown_log(path: Path) -> UserError:
    """Return the error of a file that is no log: damaged, or from an unknown tool."""
    try:
        if head(path).startswith(ZIP):
            Archive(path).names()
        elif is_json(path) and (path.suffix.lower() == JSON or path.suffix.lower() not in SUFFIXES):
            document(path)
    except InputError as error:
        return error
    tools = ", ".join(sorted(_list_readers()))
    return InputError(
        f"{path}: neither a log of a known tool nor an outcome file (.csv, .jsonl, .parquet)\n"
        f"  known logs: {tools}"
    )


def _describe_duplicate(row: LogRow) -> str:
    return (
        f"answer {row.attempt + 1} of {row.model} to {row.case!r} in {row.suite!r} is in these logs twice; "
        f"import each log as its own run"
    )
