"""List the runs of a folder or bucket with progress, pass rate and cost."""

from contextlib import closing
from pathlib import Path

from steelyard.errors import InputError, SteelyardError
from steelyard.model.listed_run import ListedRun
from steelyard.store.run.files import RunReader
from steelyard.store.run.location import is_remote, location_of
from steelyard.store.run.manifest import FILE_NAME
from steelyard.store.run.progress import RunTotals, imported_progress, whole_progress
from steelyard.store.run.run_store import RunStore, is_run, retry_on_conflict
from steelyard.store.run.run_store import open_run as open_store


def list_runs(place: str | Path = "runs") -> tuple[ListedRun, ...]:
    """Return the runs of a folder or bucket, newest first.

    Args:
        place: A folder or an address such as s3://bucket/runs.

    Raises:
        InputError: There is no such folder, or a run is damaged.
    """
    with closing(RunReader(str(place))) as reader:
        runs = [_summarize(address, reader) for address in _list_addresses(place)]
    return tuple(sorted(runs, key=lambda run: run.created_at, reverse=True))


def _summarize(address: str, reader: RunReader) -> ListedRun:
    """Summarize a run; retry if it is compacted at the same time."""
    return retry_on_conflict(open_store(address), lambda now: listed_run(now, reader, address=address))


def _list_addresses(place: str | Path) -> list[str]:
    if is_remote(place):
        here = location_of(place)
        below = (here.child(name).address for name in here.names())
        return [address for address in (*below, here.address) if is_run(address)]
    folder = Path(place)
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; `steelyard run` creates one, or name another")
    runs = [str(path.parent) for path in sorted(folder.glob(f"*/{FILE_NAME}"))]
    return [*runs, str(folder)] if (folder / FILE_NAME).exists() else runs


def listed_run(store: RunStore, reader: RunReader, *, address: str) -> ListedRun:
    """Summarize a run's plan, progress and results under the user's address."""
    manifest = store.manifest
    done = _count_progress(store, reader)
    planned = manifest.planned_total or 0
    answers = done.samples - done.errored
    is_priced = answers > done.unpriced
    return ListedRun(
        address=address,
        created_at=manifest.created_at,
        eval_set=manifest.eval_set,
        subjects=tuple(f"{subject.model}@{subject.tier}" for subject in manifest.subjects),
        planned=planned,
        generated=answers,
        checked=done.checked,
        rated=done.rated,
        passed=done.passes,
        cost_nano_usd=done.cost_nano_usd if is_priced or not answers else None,
        unpriced=done.unpriced,
        # A stop rule generates fewer than planned, and an imported run has no plan.
        is_complete=answers > 0
        and not done.errored  # failed calls will be retried
        and done.checked >= answers
        and (answers >= planned or manifest.stop_rule is not None or manifest.planned_samples is None),
    )


def _count_progress(store: RunStore, reader: RunReader) -> RunTotals:
    try:
        if store.manifest.planned_samples is None:  # an imported run has no plan
            return imported_progress(store.outcomes, reader=reader)
        return whole_progress(
            store.samples,
            store.outcomes,
            counts=store.counting_sql(),
            is_honeypot=store.honeypot_sql(),
            reader=reader,
        )
    except SteelyardError as error:
        raise type(error)(f"{store.location.address}: {error}") from error
