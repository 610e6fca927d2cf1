"""Find public benchmarks by name, and fetch their data."""

from pathlib import Path

from steelyard.errors import UserError
from steelyard.model.benchmark import Benchmark
from steelyard.plugins import BENCHMARKS, known, load
from steelyard.sources.benchmark_data.fetch import Progress, fetch_files
from steelyard.sources.benchmark_data.places import FoundFile, fetched_files, local_files


def list_benchmarks() -> tuple[Benchmark, ...]:
    """List all benchmarks, including those of installed packages."""
    return tuple(find_benchmark(name) for name in known(BENCHMARKS, group="benchmarks"))


def find_benchmark(name: str) -> Benchmark:
    """Return a benchmark by its name; `name/part` is a part of it.

    Raises:
        UnknownName: There is no such benchmark.
    """
    benchmark = load(BENCHMARKS, name.partition("/")[0], group="benchmarks")
    if not isinstance(benchmark, Benchmark):
        raise UserError(f"the benchmark {name!r} is a {type(benchmark).__name__}, not a `Benchmark`")
    return benchmark


def fetch_benchmark(name: str, *, progress: Progress | None = None) -> tuple[Path, ...]:
    """Fetch and cache the data of a benchmark; return the files.

    Args:
        name: The benchmark, or a part as `name/part`.
        progress: Called with the name of a file, the bytes so far, and its size if known.

    Raises:
        InputError: The data cannot be fetched, or have another digest.
    """
    benchmark, part = find_benchmark(name), name.partition("/")[2]
    return fetch_files(benchmark, part, progress or _ignore)


def benchmark_files(name: str, data: str | Path | None) -> tuple[FoundFile, ...]:
    """Return a benchmark's files: the user's, the cached, or newly fetched ones."""
    benchmark, part = find_benchmark(name), name.partition("/")[2]
    if data is not None:
        return local_files(benchmark, part, Path(data))
    kept = fetched_files(benchmark, part)
    if kept is None:
        fetch_files(benchmark, part, _ignore)
        kept = fetched_files(benchmark, part)
    return kept or ()


def _ignore(name: str, done: int, size: int | None) -> None:
    """Show nothing."""
