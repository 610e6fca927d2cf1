"""Find outcome files by path or glob, detect their format by suffix, and open them."""

import gzip
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from glob import glob, has_magic
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import BinaryIO, cast

from steelyard.errors import InputError


class FileFormat(StrEnum):
    """A format outcomes can be read from."""

    CSV = "csv"
    TSV = "tsv"
    JSONL = "jsonl"
    JSON = "json"  # one list of objects
    PARQUET = "parquet"


SUFFIXES = {
    ".csv": FileFormat.CSV,
    ".tsv": FileFormat.TSV,
    ".jsonl": FileFormat.JSONL,
    ".ndjson": FileFormat.JSONL,
    ".json": FileFormat.JSON,
    ".parquet": FileFormat.PARQUET,
    ".pq": FileFormat.PARQUET,
}
COMPRESSED = ".gz"
RUN = "run.json"  # what the folder of a run holds
MODEL_PREFIX = "llm_fullfile_repair_results_"
MODEL_SUFFIXES = ("_fixes", "_outcomes")
SYNTHETIC = "_synthetic"
LONGEST_PATH = 120  # characters of a path that cannot exist which a message shows


@dataclass(frozen=True, slots=True, kw_only=True)
class InputFile:
    """One outcome file."""

    path: Path
    format: FileFormat


def open_bytes(path: Path) -> BinaryIO:
    """Open a file for reading, decompressed according to its suffix."""
    if path.suffix.lower() == COMPRESSED:
        return cast("BinaryIO", gzip.open(path, "rb"))
    return path.open("rb")


def input_files(patterns: Iterable[str | Path]) -> tuple[InputFile, ...]:
    """Expand paths and globs to unique sorted files; raise InputError for an unreadable one."""
    named = sorted({path for pattern in patterns for path in _expand(str(pattern))})
    if not named:
        raise InputError("no outcome files given; name at least one .csv, .jsonl or .parquet file")
    # One file under two names, such as a relative and an absolute path, is still one file.
    paths = {path.resolve(): path for path in reversed(named)}
    return tuple(InputFile(path=path, format=file_format(path)) for path in sorted(paths.values()))


def _expand(pattern: str) -> Sequence[Path]:
    # An existing file with a bracket or a star in its name is not a pattern.
    if not has_magic(pattern) or _exists(Path(pattern)):
        return [_readable(Path(pattern))]
    result = sorted(glob(pattern, recursive=True))  # noqa: PTH207  # Path.glob takes no absolute pattern
    if not result:
        raise InputError(f"{pattern}: no file matches this pattern")
    return [_readable(Path(name)) for name in result]


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _readable(path: Path) -> Path:
    try:
        mode = path.stat().st_mode
        if S_ISDIR(mode):
            if (path / RUN).is_file():
                raise InputError(f"{path}: is a run, not a file of outcomes; see `steelyard report {path}`")
            raise InputError(f"{path}: is a folder; name the files in it, for example '{path}/*.csv'")
        if not S_ISREG(mode):
            # Opening a pipe would block, and files are read more than once.
            raise InputError(f"{path}: is a pipe or a device; save the outcomes to a file and name that")
        with path.open("rb"):
            return path
    except FileNotFoundError:
        raise InputError(f"{path}: {_why_absent(path)}") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{_shown(path)}: cannot be opened ({reason})") from None


def _why_absent(path: Path) -> str:
    return f"is a link to {path.readlink()}, which does not exist" if path.is_symlink() else "no such file"


def _shown(path: Path) -> str:
    text = str(path)
    return text if len(text) <= LONGEST_PATH else f"{text[:LONGEST_PATH]}… ({len(text)} characters)"


def file_format(path: Path) -> FileFormat:
    """Return the format by the suffix, ignoring a trailing `.gz`."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] == COMPRESSED:
        suffixes.pop()
    known = SUFFIXES.get(suffixes[-1]) if suffixes else None
    if known is None:
        raise InputError(
            f"{path}: unknown kind of file; outcomes are read from {', '.join(SUFFIXES)} (or .gz)"
        )
    if known is FileFormat.PARQUET and path.suffix.lower() == COMPRESSED:
        raise InputError(f"{path}: Parquet is compressed inside; unpack it with gunzip first")
    return known


def models_of_files(paths: Sequence[Path], *, any_name: bool = False) -> dict[Path, str]:
    """Name the model of each file after the file: `gemini_synthetic_fixes.csv` holds answers of gemini.

    Two files that would get one name keep their longer ones. Several files must follow that pattern,
    for they may just as well be parts of one run; a single file may be called anything. With `any_name` each
    file is a model of its own, whatever it is called.
    """
    short = {path: _model_name(path, SYNTHETIC) for path in paths}
    names = _disambiguate(short, {path: _model_name(path, "") for path in paths})
    if any_name:
        return _disambiguate(names, {path: _stem(path) for path in paths})
    unnamed = [path for path in paths if len(paths) > 1 and names[path] == _stem(path)]
    if unnamed:
        raise InputError(
            f"{unnamed[0]}: does not say which model answered; add a column 'model', "
            f"give `model=NAME`, or name each file <model>_fixes.csv"
        )
    return names


def _disambiguate(names: Mapping[Path, str], longer: Mapping[Path, str]) -> dict[Path, str]:
    taken = Counter(names.values())
    return {path: name if taken[name] == 1 else longer[path] for path, name in names.items()}


def _stem(path: Path) -> str:
    return path.name.removesuffix(COMPRESSED).rpartition(".")[0] or path.name


def _model_name(path: Path, affix: str) -> str:
    stem = _stem(path).removeprefix(MODEL_PREFIX)
    for suffix in MODEL_SUFFIXES:
        stem = stem.removesuffix(suffix)
    return stem.removesuffix(affix) or _stem(path)


def is_outcome_file(path: str | Path) -> bool:
    """Whether the suffix is one of outcome files; `.json` is left to reports.

    >>> [is_outcome_file(name) for name in ("a.csv", "b.jsonl.gz", "report.json", "runs/one")]
    [True, True, False, False]
    """
    name = str(path).lower().removesuffix(COMPRESSED)
    return any(name.endswith(suffix) for suffix, form in SUFFIXES.items() if form is not FileFormat.JSON)
