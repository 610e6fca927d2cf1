"""Files are fetched once, compared with their digests, and kept; here from a server on loopback."""

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from steelyard.errors import InfrastructureError
from steelyard.model.benchmark import Benchmark
from steelyard.sources.benchmark_data.fetch import fetch_files
from steelyard.sources.benchmark_data.places import fetched_files
from tests.app.benchmarks.small import TASKS, SmallData, small_benchmark


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and writes no log."""

    def log_message(self, format: str, *args: object) -> None:  # type: ignore[explicit-override]  # noqa: A002
        pass


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Serve a folder with the data, and keep fetched files in another."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    TASKS.write(tmp_path / "served" / "abc" / "data")
    handler = functools.partial(Quiet, directory=str(tmp_path / "served"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/{{revision}}"
    server.shutdown()
    thread.join()
    server.server_close()


def fetched(benchmark: Benchmark) -> tuple[tuple[Path, ...], list[tuple[str, int, int | None]]]:
    told = list[tuple[str, int, int | None]]()
    return fetch_files(benchmark, "", lambda *step: told.append(step)), told


def test_a_file_is_fetched_with_progress_and_kept_for_use_offline(served: str, tmp_path: Path) -> None:
    (path,), told = fetched(small_benchmark(served))

    size = len(TASKS.text)
    assert path.read_text(encoding="utf-8") == TASKS.text
    assert told[-1] == ("tasks.jsonl", size, size)
    (tmp_path / "served" / "abc" / "data" / "tasks.jsonl").unlink()
    assert fetched(small_benchmark(served)) == ((path,), [])
    assert fetched_files(small_benchmark(served), "") is not None


def test_a_file_with_another_digest_is_refused_and_not_kept(served: str) -> None:
    other = small_benchmark(served, digest=SmallData(text="x").sha256)

    with pytest.raises(InfrastructureError, match="kept"):
        fetched(other)

    assert fetched_files(other, "") is None


def test_without_a_digest_the_first_one_fetched_is_kept_but_not_called_pinned(
    served: str, tmp_path: Path
) -> None:
    loose = small_benchmark(served, digest="")
    (path,), _ = fetched(loose)
    assert [found.is_pinned for found in fetched_files(loose, "") or ()] == [False]
    (tmp_path / "served" / "abc" / "data" / "tasks.jsonl").write_text("{}\n", encoding="utf-8")
    assert fetched(loose) == ((path,), [])
    assert path.read_text(encoding="utf-8") == TASKS.text

    path.with_name("tasks.jsonl.sha256").write_text("0" * 64, encoding="utf-8")

    with pytest.raises(Exception, match="fetched"):
        fetched_files(loose, "")


def test_what_cannot_be_fetched_is_said_with_what_to_do(served: str) -> None:
    with pytest.raises(InfrastructureError, match="--benchmark-data"):
        fetched(small_benchmark(served.replace("{revision}", "other")))
