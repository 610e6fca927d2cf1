"""Every kind of run opens, and each of its pages: finished, killed, resumed, in a bucket, old, imported."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import steelyard
from perf.kill_writer import complete, kill_many
from steelyard.app.import_ import import_files
from tests.logs import small_logs
from tests.store.run.s3_server import new_bucket, s3_server
from tests.web.runs import add_rows, make_run, plain_texts
from tests.web.site import Site, site

TESTS = Path(__file__).parents[1]
MOST = 6  # pages of each kind


def finished(folder: Path) -> Path:
    make_run(folder / "run")
    return folder / "run"


def going_on(folder: Path) -> Path:
    store = make_run(folder / "run", finish=False)
    add_rows(store, plain_texts(), range(4, 5), checked=False)
    return folder / "run"


def killed(folder: Path) -> Path:
    kill_many(folder / "run", kills=2, seed=5)
    return folder / "run"


def resumed(folder: Path) -> Path:
    run = killed(folder)
    complete(run)
    return run


def imported(folder: Path) -> Path:
    import_files(small_logs.lm_eval(folder), folder / "run")
    return folder / "run"


def linked(page: str, pattern: str) -> list[str]:
    """Return different links of a page, at most so many."""
    return list(dict.fromkeys(re.findall(f'href="({pattern})', page)))[:MOST]


def look_at_everything(running: Site) -> None:
    """Open the run, its further pages, some cases, and some samples of each."""
    (line,) = running.viewer.lines()
    assert line.problem == ""
    run = f"/r/{line.id}"
    first = running.page(run)
    cases = linked(first, rf"{run}/c/\d+")
    assert cases
    for further in ("matrix", "report", "search?words=return", "sql?q=SELECT+1", "marks", "blind"):
        running.page(f"{run}/{further}")
    samples = [link for case in cases for link in linked(running.page(case), rf"{run}/c/\d+/\d+")]
    assert samples
    for sample in samples:
        running.page(sample)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("make", [finished, going_on, killed, resumed, imported])
def test_it_opens_with_all_its_pages(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    with site(make(tmp_path)) as running:
        look_at_everything(running)


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    with s3_server() as server:
        yield new_bucket(server)


def test_a_run_in_a_bucket_opens_with_all_its_pages(bucket: str) -> None:
    make_run(f"{bucket}/runs/one")
    with site(f"{bucket}/runs") as running:
        look_at_everything(running)


def test_the_runs_of_a_bucket_are_listed(bucket: str) -> None:
    make_run(f"{bucket}/listed/one", cases=1, samples=2)
    make_run(f"{bucket}/listed/two", cases=1, samples=2)

    found = steelyard.list_runs(f"{bucket}/listed")

    assert sorted(one.address for one in found) == [f"{bucket}/listed/one", f"{bucket}/listed/two"]
    assert [(one.generated, one.is_complete) for one in found] == [(4, True), (4, True)]
    assert steelyard.list_runs(f"{bucket}/absent") == ()
