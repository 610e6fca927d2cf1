"""Put the shards of a run together: check that they are all there and fit, then copy their rows.

What comes out is the run that one machine would have made; the shards stay as they are.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import TypeVar

from steelyard.errors import InputError
from steelyard.metrics.stopping import is_open, stop_rule_of
from steelyard.model.evalset import EvalSet
from steelyard.model.run import Manifest, Shard
from steelyard.store.run.columns import OUTCOMES, SAMPLES
from steelyard.store.run.compaction import ORDER
from steelyard.store.run.files import engine, rows_of
from steelyard.store.run.location import is_remote
from steelyard.store.run.manifest import write_manifest
from steelyard.store.run.regrade.staged import FOLDER, work_at
from steelyard.store.run.replies import ReplyFiles
from steelyard.store.run.run_store import RunStore, is_run, open_run, prepare_run
from steelyard.store.run.stored_set import read_stored_set, write_eval_set
from steelyard.store.run.unbillable_spend import read_unbillable_spend, write_unbillable_spend
from steelyard.store.run.viewing.marks import add_missing_marks, read_marks

Item = TypeVar("Item")

# What must be equal in all shards, and its name in messages.
SAME = {
    "eval_set": "eval sets",
    "subjects": "models, tiers or parameters",
    "planned_samples": "numbers of samples",
    "subject_samples": "numbers of samples",
    "scoring": "scoring rules",
    "stop_rule": "stop rules",
    "judges": "judges",
    "seed": "seeds",
}


def merge_shards(
    addresses: Iterable[str | Path], into: str | Path, *, notify: Callable[[str], None]
) -> RunStore:
    """Make one run of all shards of a run at a new address; raises InputError if one is missing or unfit.

    An existing merge of the same shards is returned, with a message to `notify`: a scheduler may
    repeat the command.
    """
    shards = [open_run(address) for address in addresses]
    _require_all(shards)
    _require_one_place(shards)
    ordered = sorted(shards, key=lambda item: _shard(item).index)
    for entry in ordered:
        _require_same(ordered[0], entry)
        _require_complete(entry)
    eval_set = _whole_set(ordered)
    manifest = _whole_manifest([item.manifest for item in ordered], eval_set)
    if is_run(into) and _is_merge_of(ordered, manifest, there := open_run(into)):
        notify(f"{into}: these shards are merged here already")
        return there
    merged = prepare_run(into, manifest)
    _copy_rows(ordered, merged)
    _copy_files(ordered, merged)
    write_eval_set(merged.location, eval_set)
    # Written last: a run that can be opened is complete.
    write_manifest(merged.location, merged.manifest)
    return merged


def _shard(run: RunStore) -> Shard:
    if run.manifest.shard is None:
        raise InputError(f"{run.location.address}: this run is no shard; it was not begun with `shard`")
    return run.manifest.shard


def _require_all(runs: Sequence[RunStore]) -> None:
    if not runs:
        raise InputError("name the shards to merge")
    first = _shard(runs[0])
    for run in runs:
        own = _shard(run)
        if (own.count, own.of) != (first.count, first.of):
            raise InputError(
                f"{run.location.address}: shard {own.name} of another eval set, or of another number of "
                f"shards, than {runs[0].location.address}: {first.name}"
            )
    given = Counter(_shard(run).index for run in runs)
    if twice := [index for index, times in sorted(given.items()) if times > 1]:
        raise InputError(f"shard {twice[0]}/{first.count} is named {given[twice[0]]} times")
    if missing := [index for index in range(1, first.count + 1) if index not in given]:
        listed = ", ".join(map(str, missing[:10])) + (" …" if len(missing) > 10 else "")  # noqa: PLR2004
        raise InputError(f"{len(missing)} of {first.count} shards are missing: {listed}")


def _require_same(first: RunStore, other: RunStore) -> None:
    for name, words in SAME.items():
        if getattr(first.manifest, name) != getattr(other.manifest, name):
            raise InputError(
                f"{first.location.address} and {other.location.address} have different {words}; "
                f"such shards make no run"
            )


def _require_complete(run: RunStore) -> None:
    """Refuse a shard that still has work."""
    address = run.location.address
    if work_at(run.location.child(FOLDER)).get("is_checked"):
        raise InputError(f"{address}: a regrade of this shard was interrupted; resume the shard first")
    unchecked = next(run.unchecked(), None)
    pending = None if run.manifest.stop_rule else next(run.pending(), None)
    has_open = bool(run.manifest.stop_rule) and _has_open_case(run)
    if unchecked is not None or pending is not None or has_open:
        raise InputError(f"{address}: shard {_shard(run).name} is not complete; resume it first")


def _has_open_case(run: RunStore) -> bool:
    """Whether some case of a subject was left before the stop rule ended it, with samples left to generate.

    A sample that ended in an error is generated, as it is without a stop rule: it may end so each time.
    """
    rule, progress = stop_rule_of(run.manifest.stop_rule or ""), run.case_progress()
    for subject in run.manifest.subjects:
        planned = run.manifest.samples_of(subject.model, subject.tier)
        for case in run.manifest.current_cases():
            name = (subject.model, subject.tier, case.suite, case.case, case.digest)
            done = progress.get(name)
            if done is None or (done.samples < planned and is_open(rule, n=done.evidence, c=done.passes)):
                return True
    return False


def _whole_set(ordered: Sequence[RunStore]) -> EvalSet:
    """Return the eval set of the shards, verified by digest if no case was excluded."""
    parts = [read_stored_set(run.location) for run in ordered]
    cases = _in_turn([part.cases for part in parts])
    suites = {suite.id: suite for part in parts for suite in part.suites}
    requested = dict.fromkeys(case.suite for case in cases)
    eval_set = replace(
        parts[0], cases=tuple(cases), suites=tuple(suites[name] for name in requested if name in suites)
    )
    has_all = not any(run.manifest.excluded for run in ordered)
    if has_all and eval_set.digest != _shard(ordered[0]).of:
        raise InputError(
            "the shards do not make the eval set that they were taken from: cases were added or changed "
            "since; run those shards again"
        )
    return eval_set


def _whole_manifest(parts: Sequence[Manifest], eval_set: EvalSet) -> Manifest:
    return replace(
        parts[0],
        id=f"{parts[0].id}-merged",  # another run than its first shard, wherever runs are kept by id
        cases=_in_turn([part.current_cases() for part in parts]),
        eval_set_digest=eval_set.digest,
        suite_weights=eval_set.suite_weights,
        languages=eval_set.languages,
        recorded=any(part.recorded for part in parts),
        excluded=tuple(excluded_case for part in parts for excluded_case in part.excluded),
        shard=None,
    )


def _in_turn(parts: Sequence[Sequence[Item]]) -> tuple[Item, ...]:
    """Return the cases of all shards in the order of the whole: the first of each, then the second of each.

    >>> _in_turn(["ad", "be", "c"])
    ('a', 'b', 'c', 'd', 'e')
    """
    turns = zip_longest(*parts, fillvalue=None)
    return tuple(item for turn in turns for item in turn if item is not None)


def _require_one_place(runs: Sequence[RunStore]) -> None:
    """Refuse shards in different buckets, or in a bucket and a folder."""
    places = {
        run.location.address.partition("://")[2].partition("/")[0]
        for run in runs
        if is_remote(run.location.address)
    }
    are_local = [run for run in runs if not is_remote(run.location.address)]
    if len(places) + bool(are_local) > 1:
        raise InputError(
            "the shards lie in different buckets, or some in a folder; copy them to one place first"
        )


def _copy_rows(ordered: Sequence[RunStore], merged: RunStore) -> None:
    for name in (SAMPLES, OUTCOMES):
        table = getattr(merged, name)
        with engine(ordered[0].location.address) as connection:
            table.replace_all(connection.sql(f"{_current_rows(ordered, name)} ORDER BY {ORDER}"))
        table.checkpoint()


def _current_rows(runs: Sequence[RunStore], table: str) -> str:
    """Return SQL for the rows of runs, except forms unknown to the merged run."""
    rows = ((rows_of(getattr(run, table)), run.counting_sql()) for run in runs)
    parts = " UNION ALL ".join(f"(SELECT * FROM ({row}) WHERE {counts})" for row, counts in rows)
    return f"SELECT * FROM ({parts})"


def _is_merge_of(ordered: Sequence[RunStore], manifest: Manifest, run_store: RunStore) -> bool:
    """Whether a run equals the merge of these shards."""
    return run_store.manifest == manifest and all(
        _fingerprint(ordered, name) == _fingerprint([run_store], name) for name in (SAMPLES, OUTCOMES)
    )


def _fingerprint(runs: Sequence[RunStore], table: str) -> object:
    """Return the row count and the order-independent sum of row hashes."""
    with engine(runs[0].location.address) as connection:
        rows = _current_rows(runs, table)
        return connection.sql(f"SELECT count(*), sum(hash(one)) FROM ({rows}) AS one").fetchall()


def _copy_files(ordered: Sequence[RunStore], merged: RunStore) -> None:
    replies = [kept for run in ordered for kept in ReplyFiles(run.location).read().items()]
    if replies:
        ReplyFiles(merged.location).add(replies)
    if spent := sum(read_unbillable_spend(run.location) for run in ordered):
        write_unbillable_spend(merged.location, spent)
    marks = (mark for run in ordered for mark in read_marks(run.location.address))
    add_missing_marks(merged.location.address, marks)
