"""List the runs of a folder or a bucket: when, which subjects, how far, what they came to."""

from pathlib import Path

from steelyard.errors import InputError, SteelyardError
from steelyard.model.listed_run import ListedRun
from steelyard.store.run.location import is_remote, location_of
from steelyard.store.run.manifest import FILE_NAME
from steelyard.store.run.progress import CaseProgress, imported_progress
from steelyard.store.run.run_store import RunStore, is_run
from steelyard.store.run.run_store import open_run as open_store


def list_runs(place: str | Path = "runs") -> tuple[ListedRun, ...]:
    """Return the runs in a folder or a bucket, the newest first; a damaged one raises its own error."""
    return tuple(sorted(map(_listed, _addresses(place)), key=lambda one: one.created_at, reverse=True))


def _addresses(place: str | Path) -> list[str]:
    if is_remote(place):
        here = location_of(place)
        below = (here.child(name).address for name in here.names())
        return [address for address in (*below, here.address) if is_run(address)]
    folder = Path(place)
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder; `steelyard run` makes one, or name another")
    found = [str(path.parent) for path in sorted(folder.glob(f"*/{FILE_NAME}"))]
    return [*found, str(folder)] if (folder / FILE_NAME).exists() else found


def _listed(address: str) -> ListedRun:
    store = open_store(address)
    manifest = store.manifest
    done = _progress(store)
    planned = manifest.planned_total or 0
    answers = sum(one.samples - one.errored for one in done)
    checked = sum(one.evidence for one in done)
    failed = sum(one.errored for one in done)  # calls without an answer, to be made again
    is_priced = any(one.samples - one.unpriced - one.errored for one in done)
    return ListedRun(
        address=address,
        created_at=manifest.created_at,
        eval_set=manifest.eval_set,
        subjects=tuple(f"{one.model}@{one.tier}" for one in manifest.subjects),
        planned=planned,
        drawn=answers,
        checked=checked,
        passed=sum(one.passes for one in done),
        cost_nano_usd=sum(one.cost_nano_usd for one in done) if is_priced or not answers else None,
        # A stop rule draws fewer than planned; an imported run has no plan. Then what is drawn is checked.
        is_complete=answers > 0
        and not failed
        and checked + sum(one.errors for one in done) >= answers
        and (answers >= planned or manifest.stop_rule is not None or manifest.planned_samples is None),
    )


def _progress(store: RunStore) -> list[CaseProgress]:
    try:
        is_imported = store.manifest.planned_samples is None  # of tables and logs, nothing was planned here
        return [imported_progress(store.outcomes)] if is_imported else _case_progress(store)
    except SteelyardError as error:
        raise type(error)(f"{store.location.address}: {error}") from error


def _case_progress(store: RunStore) -> list[CaseProgress]:
    """Return how far each case is in its latest form; earlier forms do not count, but were paid for."""
    latest = {(case.suite, case.case, case.digest) for case in store.manifest.current_cases()}
    return [
        done if name[2:] in latest else CaseProgress(0, done.cost_nano_usd, 0, 0, 0, 0)
        for name, done in store.case_progress().items()
    ]
