"""Find the files of a benchmark: in the user's file or folder, or among those that were fetched.

A file is compared with its digest; nothing is fetched here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from steelyard.errors import InputError
from steelyard.model.benchmark import Benchmark, BenchmarkFile
from steelyard.model.cache_folder import cache_folder
from steelyard.sources.benchmark_data.digests import digest_of

DEPTH = 3  # folders below the user's that are looked into


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFile:
    """A file of a benchmark on this machine."""

    path: Path
    sha256: str
    is_pinned: bool  # whether it is the very file that the benchmark names


def folder_of(benchmark: Benchmark) -> Path:
    """Return where the files of a benchmark are kept."""
    return cache_folder("benchmarks", benchmark.name, benchmark.revision)


def wanted_files(benchmark: Benchmark, part: str) -> tuple[BenchmarkFile, ...]:
    """Return the files of a benchmark, or of one part of it."""
    if part and part not in benchmark.parts:
        known = ", ".join(f"{benchmark.name}/{item}" for item in benchmark.parts) or "no parts"
        raise InputError(f"{benchmark.name}/{part}: there is no such part; the benchmark has {known}")
    return tuple(file for file in benchmark.files if not part or file.part == part)


def local_files(benchmark: Benchmark, part: str, place: Path) -> tuple[FoundFile, ...]:
    """Return the files at a place of the user's: one file, or a folder that holds them somewhere."""
    if place.is_file():
        return (_found(place, wanted_files(benchmark, part)),)
    if not place.is_dir():
        raise InputError(f"{place}: there is no such file or folder with the data of {benchmark.name}")
    benchmark_files = wanted_files(benchmark, part)
    result = [(file, path) for file in benchmark_files if (path := _within(place, file.name)) is not None]
    if not result:
        names = ", ".join(file.name for file in benchmark_files)
        raise InputError(f"{place}: holds no file of {benchmark.name}; it would be called {names}")
    return tuple(_found(path, (file,)) for file, path in result)


def fetched_files(benchmark: Benchmark, part: str) -> tuple[FoundFile, ...] | None:
    """Return the files that were fetched before, or None if one is missing; a changed one is an error."""
    folder = folder_of(benchmark)
    result = []
    for file in wanted_files(benchmark, part):
        path = folder / file.name
        if not path.is_file():
            return None
        kept = _found(path, (file,))
        requested = file.sha256 or pin_of(path)
        if kept.sha256 != requested:
            raise InputError(
                f"{path}: is not what was fetched (sha256 {requested}); remove it, and fetch it again"
            )
        result.append(FoundFile(path=path, sha256=kept.sha256, is_pinned=bool(file.sha256)))
    return tuple(result)


def pin_of(path: Path) -> str:
    """Return the digest that a file had when it was fetched."""
    pin = path.with_name(f"{path.name}.sha256")
    return pin.read_text(encoding="utf-8").strip() if pin.is_file() else ""


def _found(path: Path, benchmark_files: Sequence[BenchmarkFile]) -> FoundFile:
    digests = {members: digest_of(path, members) for members in {file.members for file in benchmark_files}}
    fitting = [file.sha256 for file in benchmark_files if file.sha256 == digests[file.members]]
    digest = fitting[0] if fitting else digests[benchmark_files[0].members]
    return FoundFile(path=path, sha256=digest, is_pinned=bool(fitting))


def _within(folder: Path, name: str) -> Path | None:
    """Return the file of a name in a folder, the nearest first; packed or not."""
    for names in ({name}, {name.removesuffix(".gz"), f"{name}.gz"}):
        for depth in range(DEPTH):
            pattern = "*/" * depth
            for item in sorted(names):
                result = sorted(folder.glob(f"{pattern}{_literal(item)}"))
                if result:
                    return result[0]
    return None


def _literal(name: str) -> str:
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)
