"""Fetch the files of a benchmark once, compare them with their digests, and keep them for use offline."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

from steelyard.errors import InfrastructureError
from steelyard.model.benchmark import HUB, Benchmark, BenchmarkFile
from steelyard.sources.benchmark_data.digests import digest_of
from steelyard.sources.benchmark_data.hub import fetch_from_hub
from steelyard.sources.benchmark_data.places import folder_of, pin_of, wanted_files

TIMEOUT_S = 60.0
BLOCK = 1 << 18
Progress = Callable[[str, int, int | None], None]  # a file, bytes so far, and of how many


def fetch_files(benchmark: Benchmark, part: str, progress: Progress) -> tuple[Path, ...]:
    """Fetch what is not there yet, and return where all of it lies."""
    folder = folder_of(benchmark)
    folder.mkdir(parents=True, exist_ok=True)
    return tuple(_kept(benchmark, file, folder, progress) for file in wanted_files(benchmark, part))


def _kept(benchmark: Benchmark, file: BenchmarkFile, folder: Path, progress: Progress) -> Path:
    index = folder / file.name
    if index.is_file() and digest_of(index, file.members) == (file.sha256 or pin_of(index)):
        return index
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        fetched = _fetched(benchmark, file, Path(scratch), progress)
        digest = digest_of(fetched, file.members)
        if file.sha256 and digest != file.sha256:
            raise InfrastructureError(
                f"{address_of(benchmark, file)}: has the sha256 {digest}, and not {file.sha256}, which "
                f"{benchmark.name} {benchmark.version} is pinned to; nothing of it was kept"
            )
        index.with_name(f"{index.name}.sha256").write_text(f"{digest}\n", encoding="utf-8")
        fetched.replace(index)
    return index


def _fetched(benchmark: Benchmark, file: BenchmarkFile, scratch: Path, progress: Progress) -> Path:
    if benchmark.address.startswith(HUB):
        repository = benchmark.address.removeprefix(HUB)
        return fetch_from_hub(repository, file.path, revision=benchmark.revision, folder=scratch)
    return _downloaded(address_of(benchmark, file), scratch / file.name, progress)


def address_of(benchmark: Benchmark, file: BenchmarkFile) -> str:
    """Return where a file comes from."""
    if benchmark.address.startswith(HUB):
        return f"{benchmark.address}@{benchmark.revision}/{file.path}"
    return f"{benchmark.address.format(revision=benchmark.revision)}/{quote(file.path)}"


def _downloaded(address: str, path: Path, progress: Progress) -> Path:
    request = Request(address, headers={"User-Agent": "steelyard"})  # noqa: S310  # an address of a plug-in
    try:
        with urlopen(request, timeout=TIMEOUT_S) as reply, path.open("wb") as file:  # noqa: S310  # as above
            size = int(reply.headers["Content-Length"]) if reply.headers["Content-Length"] else None
            while block := reply.read(BLOCK):
                file.write(block)
                progress(path.name, file.tell(), size)
    except (URLError, OSError, ValueError) as error:
        raise InfrastructureError(
            f"{address}: cannot be fetched: {error}; or name a copy of your own: `--benchmark-data FILE`"
        ) from error
    return path
