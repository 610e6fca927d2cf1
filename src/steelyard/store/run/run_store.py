"""A run on disk or in a bucket: begin it, add what was generated and checked, find what is left, finish it.

A paid answer is committed before it is checked, every chunk at most once, whatever is killed and when.
"""

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from steelyard.errors import InputError, StoreError
from steelyard.metrics.rules import rule_of
from steelyard.model.evalset import EvalSet
from steelyard.model.run import ExcludedCase, Manifest, RunCase, RunJudges, Subject, SubjectSamples
from steelyard.model.sample import Sample, SampleKey
from steelyard.store.run import progress
from steelyard.store.run.columns import COLUMNS, OUTCOMES, SAMPLES
from steelyard.store.run.compaction import compact, migrate
from steelyard.store.run.faults import other_writer
from steelyard.store.run.location import Location, location_of
from steelyard.store.run.manifest import FILE_NAME, read_manifest, write_manifest
from steelyard.store.run.rows import Checked, outcome_rows, sample_rows
from steelyard.store.run.stored_set import with_stored_cases, write_eval_set
from steelyard.store.run.table import StoreTable

# Rows that are read together. Answers are long and read a few at a time; outcomes are short and mostly read
# all at once, but the viewer looks for those of one case.
GROUP_ROWS = {SAMPLES: 4_096, OUTCOMES: 262_144}

MOST_MOVES = 20  # how often a run may be compacted during one query

Answer = TypeVar("Answer")


class RunStore:
    """A run: its manifest and its two tables."""

    def __init__(self, location: Location, manifest: Manifest) -> None:
        """Wrap the location of an existing run; use `create_run` or `open_run`."""
        self.location = location
        self.manifest = manifest
        self._named: tuple[Manifest, dict[int, progress.CaseName]] | None = None
        self.samples, self.outcomes = (
            StoreTable(location.child(name), COLUMNS[name], group_rows=GROUP_ROWS[name])
            for name in (SAMPLES, OUTCOMES)
        )

    def hold(self) -> "RunStore":
        """Open the run for writing: from now on, other writers are refused."""
        for table in (self.samples, self.outcomes):
            table.hold()
            migrate(table)
        return self

    def case_names(self) -> dict[int, progress.CaseName]:
        """Return the planned cases of each subject, in all forms, by case key."""
        if self._named is None or self._named[0] is not self.manifest:
            self._named = self.manifest, progress.planned_cases(self.manifest, self.manifest.cases)
        return self._named[1]

    def claim(self) -> None:
        """Take over writing; raises StoreError if another process wrote meanwhile."""
        self.samples.claim()

    def add_samples(self, samples: Sequence[Sample], *, chunk: str) -> bool:
        """Commit answers; returns False if the chunk was committed before."""
        return self.samples.add(sample_rows(samples), chunk=chunk)

    def add_outcomes(self, checked: Sequence[Checked], *, chunk: str) -> bool:
        """Score and commit outcomes; returns False if the chunk was committed before."""
        rule = rule_of(self.manifest.scoring)
        return self.outcomes.add(outcome_rows(checked, rule), chunk=chunk)

    def pending(self, subjects: Sequence[Subject] | None = None) -> Iterator[SampleKey]:
        """Yield planned samples that are not committed, in plan order."""
        manifest = self.manifest if subjects is None else replace(self.manifest, subjects=tuple(subjects))
        return progress.pending(manifest, self.samples)

    def uncommitted(self, keys: Sequence[SampleKey]) -> list[SampleKey]:
        """Return those of some samples that were never committed, in order."""
        return progress.uncommitted(self.samples, keys)

    def unchecked(self) -> Iterator[Sample]:
        """Yield committed answers without an outcome, in plan order."""
        return progress.unchecked(self.samples, self.outcomes)

    def case_progress(self) -> dict[progress.CaseName, progress.CaseProgress]:
        """Return the progress of each planned case of each subject, in all forms."""
        case_progress = progress.case_progress(self.samples, self.outcomes)
        return {name: case_progress[key] for key, name in self.case_names().items() if key in case_progress}

    def superseded_keys(self) -> frozenset[int]:
        """Return the numbers of forms of cases that no longer count."""
        return frozenset(progress.planned_cases(self.manifest, self.manifest.superseded_cases()))

    def counting_sql(self) -> str:
        """Return the SQL condition of rows whose form of the case counts."""
        missing = ", ".join(map(str, self.superseded_keys()))
        return f"case_key NOT IN ({missing})" if missing else progress.EVERY_ROW

    def honeypot_sql(self) -> str:
        """Return the SQL condition for honeypot cases."""
        cases = [case for case in self.manifest.current_cases() if case.honeypot]
        keys = ", ".join(map(str, progress.planned_cases(self.manifest, cases)))
        return f"case_key IN ({keys})" if keys else "false"

    def forget_errors(self) -> int:
        """Delete rows with infrastructure errors, so that they are redone; return their number."""
        return self.samples.forget("error IS NOT NULL") + self.outcomes.forget("classification = 'error'")

    def extend(  # noqa: PLR0913  # one parameter for each thing that may grow
        self,
        *,
        subjects: Sequence[Subject] = (),
        cases: Sequence[RunCase] = (),
        planned_samples: int | None = None,
        subject_samples: Sequence[SubjectSamples] | None = None,
        pass_k: Sequence[int] = (),
        eval_set: EvalSet | None = None,
        recorded: bool = False,
        excluded: Sequence[ExcludedCase] = (),
    ) -> None:
        """Plan more: further subjects, further or changed cases, or more samples of each.

        Cases of the run that `eval_set` does not name stay in the eval set that is kept with it.
        The eval set is written first: a run that is killed in between plans it again when it is resumed.
        """
        manifest = self.manifest
        if read_manifest(self.location) != manifest:
            raise other_writer(self.location)
        whole = None if eval_set is None else with_stored_cases(self.location, eval_set)
        current = manifest.current_cases()
        changed = [case for case in cases if case not in current]
        wider = replace(
            manifest,
            subjects=(
                *manifest.subjects,
                *(subject for subject in subjects if subject not in manifest.subjects),
            ),
            # A form that is planned again becomes the latest.
            cases=(*(case for case in manifest.cases if case not in changed), *changed),
            planned_samples=manifest.planned_samples if planned_samples is None else planned_samples,
            subject_samples=manifest.subject_samples if subject_samples is None else tuple(subject_samples),
            pass_k=tuple(pass_k) or manifest.pass_k,
            recorded=manifest.recorded or recorded,
            excluded=_excluded(manifest, cases, excluded),
        )
        if whole is not None:
            wider = replace(
                wider,
                judges=_judges(whole),
                eval_set_digest=whole.digest,
                suite_weights=whole.suite_weights,
                languages=whole.languages,
            )
            write_eval_set(self.location, whole)
        write_manifest(self.location, wider)
        self.manifest = wider

    def change_models(self, manifest: Manifest) -> None:
        """Replace the subjects; a model with answers cannot be removed."""
        kept = {(subject.model, subject.tier) for subject in manifest.subjects}
        for (model, tier, *_), done in self.case_progress().items():
            if (model, tier) not in kept and done.samples > done.errored:
                raise InputError(
                    f"{self.location.address}: {model} has answers in this run, and they stay. "
                    f"Only a model without answers can be dropped or replaced."
                )
        if read_manifest(self.location) != self.manifest:
            raise other_writer(self.location)
        self.forget_errors()
        write_manifest(self.location, manifest)
        self.manifest = manifest

    def introduce(self, cases: Sequence[RunCase]) -> None:
        """Register new forms of cases; they count only after `extend`."""
        fresh = [case for case in cases if case not in self.manifest.cases]
        if read_manifest(self.location) != self.manifest:
            raise other_writer(self.location)
        if not fresh:
            return
        # The last form counts, so these come first.
        self.manifest = replace(self.manifest, cases=(*fresh, *self.manifest.cases))
        write_manifest(self.location, self.manifest)

    def has_moved(self) -> bool:
        """Whether another process has written to the run since it was opened."""
        return (
            self.samples.has_moved()
            or self.outcomes.has_moved()
            or read_manifest(self.location) != self.manifest
        )

    def finish(self) -> None:
        """Sort rows into few files and remove unreferenced ones."""
        for table in (self.samples, self.outcomes):
            compact(table)
            table.checkpoint()
            table.sweep()


def _judges(eval_set: EvalSet) -> RunJudges | None:
    return None if eval_set.judge is None else eval_set.judge.record


def _excluded(
    manifest: Manifest, cases: Sequence[RunCase], excluded: Sequence[ExcludedCase]
) -> tuple[ExcludedCase, ...]:
    """Return all excluded cases except those planned now."""
    planned = {(case.suite, case.case) for case in cases}
    by_name = {(item.suite, item.case): item for item in (*manifest.excluded, *excluded)}
    return tuple(item for name, item in by_name.items() if name not in planned)


def create_run(address: str | Path, manifest: Manifest, eval_set: EvalSet | None = None) -> RunStore:
    """Create a run at an empty location and store the eval set with it."""
    go_on = "choose another location, or go on with it by `run --resume`"
    store = prepare_empty_run(address, manifest, otherwise=go_on)
    if eval_set is not None:
        write_eval_set(store.location, eval_set)
    # Written last: a run that can be opened is complete.
    write_manifest(store.location, manifest)
    return store


def prepare_empty_run(
    address: str | Path, manifest: Manifest, *, otherwise: str = "choose another location"
) -> RunStore:
    """Create the tables of a run; it cannot be opened before its manifest is written."""
    store = prepare_run(address, manifest, otherwise=otherwise)
    for table in (store.samples, store.outcomes):
        if table.files():
            raise stopped_import(store, table)
    return store


def stopped_import(store: RunStore, table: StoreTable) -> InputError:
    """Return the error for rows of an incomplete import."""
    return InputError(
        f"{table.location.address}: holds rows of a run without a manifest, such as an import that "
        f"was stopped; remove {store.location.address}, or choose another place"
    )


def prepare_run(
    address: str | Path, manifest: Manifest, *, otherwise: str = "choose another location"
) -> RunStore:
    """Make the tables of a run and hold them for writing; without a manifest, it cannot be opened yet.

    `otherwise` is the advice if a run already exists.
    """
    location = location_of(address)
    if location.read(FILE_NAME) is not None:
        raise InputError(f"{location.address}: there is a run here already; {otherwise}")
    store = RunStore(location, manifest)
    store.samples.create()
    store.outcomes.create()
    return store.hold()


def open_run(address: str | Path) -> RunStore:
    """Open a run to read its current state; `hold()` opens it for writing."""
    location = location_of(address)
    return RunStore(location, read_manifest(location))


def no_outcomes(store: RunStore) -> InputError:
    """Return the error for a run without any checked answer, with the remedy."""
    address = store.location.address
    return InputError(
        f"{address}: this run holds no outcomes yet; next: steelyard run --resume {shlex.quote(str(address))}"
    )


def retry_on_conflict(store: RunStore, query: Callable[[RunStore], Answer]) -> Answer:
    """Query a run; if it is compacted meanwhile, open it again and repeat the query.

    Finishing a run removes files that another process may be reading. The same rows are then in other files.
    """
    for _ in range(MOST_MOVES):
        try:
            return query(store)
        except StoreError:
            if not store.has_moved():
                raise
        store = open_run(store.location.address)
    return query(store)


def is_run(address: str | Path) -> bool:
    """Whether there is a run at this address."""
    return location_of(address).read(FILE_NAME) is not None
