"""A run that was damaged says so: which file, that nothing was dropped, and what to do."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from steelyard.errors import InputError, StoreError
from steelyard.store.run.run_store import open_run
from tests.commands import Shown, typed
from tests.store.run.small_run import fill, generated, seen, small_run

LOG = "outcomes/_delta_log"
LAST = f"{LOG}/00000000000000000003.json"
ONE_SCREEN = 24  # lines


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One way to damage a run of three chunks, and what is to be said about it."""

    harm: Callable[[Path], object]
    says: str
    code: int = 3


def written(name: str, content: bytes) -> Callable[[Path], object]:
    """Put something else into a file."""
    return lambda run: (run / name).write_bytes(content)


def cut(name: str, keep: Callable[[bytes], int]) -> Callable[[Path], object]:
    """Keep only the beginning of a file."""
    return lambda run: (run / name).write_bytes((run / name).read_bytes()[: keep((run / name).read_bytes())])


def gone(name: str) -> Callable[[Path], object]:
    """Remove a file."""
    return lambda run: (run / name).unlink()


def last_data(run: Path) -> Path:
    """Return the data file of the last commit."""
    names = {file.uri: Path(file.uri) for file in open_run(run).outcomes.files()}
    text = (run / LAST).read_text(encoding="utf-8")
    return next(path for path in names.values() if path.name in text)


def summed_up(harm: Callable[[Path], object]) -> Callable[[Path], object]:
    """Make a checkpoint before the harm is done."""

    def both(run: Path) -> None:
        store = open_run(run)
        store.outcomes.checkpoint()
        harm(run)

    return both


CHECKPOINT = f"{LOG}/00000000000000000003.checkpoint.parquet"
FAULTS = {
    "a truncated last data file": Fault(
        harm=lambda run: last_data(run).write_bytes(last_data(run).read_bytes()[:1000]),
        says="the file has 1000 bytes; the log has",
    ),
    "an empty data file": Fault(
        harm=lambda run: last_data(run).write_bytes(b""), says="the file has 0 bytes; the log has"
    ),
    "a missing data file": Fault(harm=lambda run: last_data(run).unlink(), says="the file is missing"),
    "an empty last entry": Fault(
        harm=written(LAST, b""), says="0003.json: the last entry of the table's log"
    ),
    "a torn last entry": Fault(
        harm=cut(LAST, lambda text: len(text) // 2), says="0003.json: the last entry of the table's log"
    ),
    "a last entry without its last line": Fault(
        harm=cut(LAST, lambda text: text.rindex(b"\n")), says="0003.json: the last entry of the table's log"
    ),
    "a last entry of zeros": Fault(
        harm=written(LAST, b"\0" * 500), says="0003.json: the last entry of the table's log"
    ),
    "an empty entry amid others": Fault(
        harm=written(f"{LOG}/00000000000000000002.json", b""),
        says="0002.json: this entry of the table's log is torn",
    ),
    "a gap in the log": Fault(
        harm=gone(f"{LOG}/00000000000000000002.json"),
        says="0002.json: this entry of the table's log is missing",
    ),
    "a log without a beginning": Fault(
        harm=gone(f"{LOG}/00000000000000000000.json"),
        says="0000.json: this entry of the table's log is missing",
    ),
    "no log": Fault(harm=lambda run: shutil.rmtree(run / LOG), says="log, _delta_log, is gone or empty"),
    "no table": Fault(harm=lambda run: shutil.rmtree(run / "outcomes"), says="is gone or empty"),
    "half a checkpoint": Fault(
        harm=summed_up(cut(CHECKPOINT, lambda text: len(text) // 2)),
        says="Delete this file and _delta_log/_last_checkpoint, and try again.",
    ),
    "an empty checkpoint": Fault(
        harm=summed_up(written(CHECKPOINT, b"")),
        says="Delete this file and _delta_log/_last_checkpoint, and try again.",
    ),
    "a pointer to no checkpoint": Fault(
        harm=summed_up(gone(CHECKPOINT)), says="_last_checkpoint: the file is damaged, or what it points to"
    ),
    "an empty manifest": Fault(harm=written("run.json", b""), says="run.json: the file is damaged"),
    "half a manifest": Fault(
        harm=cut("run.json", lambda text: len(text) // 2), says="run.json: the file is damaged"
    ),
    "a manifest that lacks a key": Fault(
        harm=written("run.json", b'{"schema": "steelyard.run/1", "id": "x"}'),
        says="run.json: the file is damaged: created_at",
    ),
    "a manifest that is no object": Fault(harm=written("run.json", b"[]"), says="run.json", code=2),
    "a manifest of a later version": Fault(
        harm=lambda run: (run / "run.json").write_text(
            (run / "run.json").read_text(encoding="utf-8").replace("steelyard.run/1", "steelyard.run/2")
        ),
        says="unsupported schema 'steelyard.run/2', this version reads 'steelyard.run/1'",
        code=2,
    ),
}


def reported(capsys: pytest.CaptureFixture[str], run: Path) -> Shown:
    """Ask for a report as a user does."""
    return typed(capsys, "report", run, "--format", "json")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three chunks that nobody harms."""
    path = tmp_path_factory.mktemp("whole") / "run"
    small_run(path, chunks=3)
    return path


@pytest.fixture
def run(whole: Path, tmp_path: Path) -> Path:
    """A run of three chunks."""
    return Path(shutil.copytree(whole, tmp_path / "run"))


@pytest.mark.parametrize("name", FAULTS)
def test_no_report_is_made_of_a_run_with(name: str, run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fault = FAULTS[name]
    fault.harm(run)

    shown = reported(capsys, run)

    assert (shown.code, shown.out) == (fault.code, "")
    assert fault.says in shown.err
    assert str(run) in shown.err
    assert len(shown.err.splitlines()) < ONE_SCREEN
    assert "<unknown>" not in shown.err


@pytest.mark.parametrize(
    "name", [name for name, fault in FAULTS.items() if "manifest" not in name and "data" not in name]
)
def test_nobody_writes_to_a_run_with(name: str, run: Path) -> None:
    FAULTS[name].harm(run)
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}

    with pytest.raises(StoreError):
        open_run(run).hold().finish()

    # The samples come first and may be put in order; of the table that is damaged, nothing changes.
    after = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    assert {path: text for path, text in before.items() if "outcomes" in path.parts} == {
        path: text for path, text in after.items() if "outcomes" in path.parts
    }


@pytest.mark.parametrize("name", [name for name in FAULTS if "data file" in name])
def test_nobody_puts_a_run_in_order_with(name: str, run: Path) -> None:
    FAULTS[name].harm(run)
    store = open_run(run).hold()
    before = sorted((run / "outcomes").rglob("*"))

    with pytest.raises(StoreError, match="Nothing was dropped"):
        store.finish()

    assert sorted((run / "outcomes").rglob("*")) == before


def test_a_torn_last_entry_is_mended_as_the_message_says(run: Path, tmp_path: Path) -> None:
    FAULTS["a torn last entry"].harm(run)
    with pytest.raises(StoreError, match=r"00000000000000000003.json"):
        open_run(run).hold()

    (run / LAST).rename(tmp_path / "aside.json")

    store = open_run(run).hold()
    left = list(store.unchecked())
    assert len(left) == 8
    assert store.add_outcomes([(sample, seen(sample)) for sample in left], chunk="again")
    store.finish()
    assert sum(file.rows for file in open_run(run).outcomes.files()) == 24


def test_a_lost_file_of_the_last_commit_is_mended_as_the_message_says(run: Path, tmp_path: Path) -> None:
    FAULTS["an empty data file"].harm(run)
    with pytest.raises(StoreError, match=r"_delta_log/00000000000000000003.json"):
        list(open_run(run).unchecked())

    (run / LAST).rename(tmp_path / "aside.json")

    assert len(list(open_run(run).unchecked())) == 8


def test_a_lost_file_of_an_earlier_commit_can_only_come_from_a_copy(run: Path) -> None:
    first = next(
        path
        for path in (run / "outcomes").glob("part-*")
        if path.name in (run / LOG / "00000000000000000001.json").read_text(encoding="utf-8")
    )
    first.unlink()

    with pytest.raises(StoreError, match=r"\nPut the file back from a copy of the run\.$"):
        list(open_run(run).unchecked())


def test_a_damaged_checkpoint_is_mended_as_the_message_says(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = reported(capsys, run)
    FAULTS["half a checkpoint"].harm(run)

    (run / CHECKPOINT).unlink()
    (run / LOG / "_last_checkpoint").unlink()

    assert reported(capsys, run) == before


@pytest.mark.parametrize("hint", [b"", b"{x", b"[]", b"{}"])
def test_a_pointer_to_the_checkpoint_that_says_nothing_does_no_harm(
    run: Path, capsys: pytest.CaptureFixture[str], hint: bytes
) -> None:
    before = reported(capsys, run)

    summed_up(written(f"{LOG}/_last_checkpoint", hint))(run)

    assert reported(capsys, run) == before


def test_outcomes_of_a_case_that_was_never_planned_are_refused(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = open_run(run).hold()
    stray = next(iter(store.manifest.wanted()))._replace(case="case-9")
    fill(store, [stray], chunk="stray")

    shown = reported(capsys, run)

    assert (shown.code, shown.out) == (3, "")
    assert "run.json" in shown.err


@pytest.mark.parametrize("options", [(), ("--scoring", "accuracy")])
def test_a_row_that_stands_twice_is_refused(
    run: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]
) -> None:
    store = open_run(run).hold()
    twice = generated(next(iter(store.manifest.wanted())))
    store.add_outcomes([(twice, seen(twice))], chunk="planted")

    shown = typed(capsys, "report", run, *options)

    assert (shown.code, shown.out) == (3, "")
    assert "attempt 0 of acme/one" in shown.err
    with pytest.raises(StoreError, match=r"25.*24.*attempts"):
        open_run(run).hold().finish()


def test_a_place_without_a_run_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"run\.json"):
        open_run(tmp_path)
