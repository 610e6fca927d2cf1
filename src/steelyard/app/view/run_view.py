"""Answer what a viewer asks about one run, which may still be written to.

Everything is read from the newest state of the run, which is looked up at most once a second.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from getpass import getuser
from threading import Lock
from typing import Any, TypeVar, cast

from steelyard.analysis.curves import pass_at_k_curves
from steelyard.app.eval_texts import EvalTexts, eval_texts
from steelyard.app.report import report_run
from steelyard.app.runs import listed_run
from steelyard.errors import InputError
from steelyard.metrics.cases import MeanSums
from steelyard.metrics.intervals import mean_interval_of_sums
from steelyard.model.listed_run import ListedRun
from steelyard.model.report import Report
from steelyard.model.run import Manifest
from steelyard.model.state import CaseKey, SubjectKey
from steelyard.model.viewing import (
    Attempt,
    CaseFilter,
    CaseOrder,
    CasePage,
    CaseRow,
    CaseView,
    FailedTests,
    Hit,
    Mark,
    Message,
    PageRequest,
    PartRate,
    PartSums,
    RunLine,
    SampleView,
    SearchScope,
)
from steelyard.render.charts.curves import MOST_CURVES
from steelyard.render.charts.subjects import ranked_subjects
from steelyard.render.document.blocks import Document
from steelyard.render.document.report import report_document
from steelyard.store.run.files import RunReader
from steelyard.store.run.progress import count_rows
from steelyard.store.run.run_store import RunStore, open_run, retry_on_conflict
from steelyard.store.run.table import StoreTable
from steelyard.store.run.viewing import case_pages
from steelyard.store.run.viewing.attempts import answer_groups, with_strips
from steelyard.store.run.viewing.case_table import StateTable, Tags
from steelyard.store.run.viewing.failed_tests import FailedCases, failed_tests
from steelyard.store.run.viewing.locked_sql import SqlRows, query_locked
from steelyard.store.run.viewing.marks import add_mark, read_marks
from steelyard.store.run.viewing.random_samples import SamplePlace, Verdicts, random_samples, verdicts_of
from steelyard.store.run.viewing.samples import stored_sample
from steelyard.store.run.viewing.search import Progress, search

FRESH_S = 1.0  # maximum age of a run's cached state
LABELS = ("right", "wrong", "unclear", "note")
LONGEST_NOTE = 2_000  # characters
GROUPS = 50  # groups of equal answers on a page

Answer = TypeVar("Answer")
Version = tuple[str, int, int]  # which run, and of its tables samples and outcomes


class RunView:
    """One run, as a viewer sees it; safe to use from several threads."""

    def __init__(self, run_id: str, address: str, name: str, reader: RunReader) -> None:
        """Initialize with the run's name in links, address, title and reader."""
        self.id, self.address, self.name = run_id, address, name
        self._engine = reader
        self._lock = Lock()
        self._looked_at = 0.0
        self._store: RunStore | None = None
        self._making = Lock()
        self._parts: tuple[StateTable, FailedCases] | None = None
        self._report = lru_cache(maxsize=1)(self._reported)
        self._result = lru_cache(maxsize=1)(self._counted)

    @property
    def _table(self) -> StateTable:
        return self._made()[0]

    @property
    def _failed(self) -> FailedCases:
        return self._made()[1]

    def _made(self) -> tuple[StateTable, FailedCases]:
        # Created on demand: a list may have a thousand runs, and each needs threads and memory.
        with self._making:
            if self._parts is None:
                table = StateTable()
                self._parts = table, FailedCases(table)
            return self._parts

    @property
    def manifest(self) -> Manifest:
        """The plan of the run."""
        return self._current().manifest

    @property
    def version(self) -> Version:
        """The run's identity and the version of each table."""
        return _version(self._current())

    @property
    def texts(self) -> EvalTexts:
        """The prompts and tests of the run's cases, if it was kept with them."""
        return _texts(self.address, self.manifest)

    def close(self) -> None:
        """Free the memory."""
        if self._parts is not None:
            self._parts[0].close()

    def line(self) -> RunLine:
        """Return the run's line in a list of runs."""
        manifest = self.manifest
        return RunLine(
            id=self.id,
            name=self.name,
            address=self.address,
            created_at=manifest.created_at,
            eval_set=manifest.eval_set or "",
            subjects=tuple(dict.fromkeys(subject.model for subject in manifest.subjects)),
            cases=len(manifest.current_cases()),
        )

    def generated_and_checked(self) -> tuple[int, int]:
        """Return the numbers of generated and of checked answers, without honeypots."""
        return self._read(self._generated_and_checked)

    def result(self) -> ListedRun:
        """Return the run's results, cached until the run changes."""
        return self._result(self.version)

    def case_page(self, chosen: CaseFilter, request: PageRequest) -> CasePage:
        """Return a page of the list of cases, with strips."""
        case_page = case_pages.case_page(self._cases(chosen), chosen, request)
        return replace(
            case_page, rows=self._read(lambda store: with_strips(self._engine, store, case_page.rows))
        )

    def rates(self, chosen: CaseFilter) -> tuple[PartRate, ...]:
        """Return the pass rate of every subject over the cases that a filter chooses."""
        sums = case_pages.subject_sums(self._cases(chosen), chosen)
        return tuple(_rate(subject, pass_rate) for subject, pass_rate in sums.items())

    def whole_rate(self, chosen: CaseFilter) -> PartRate:
        """Return the pass rate over all cases that a filter chooses, of all subjects."""
        return _rate(None, case_pages.part_sums(self._cases(chosen), chosen))

    def honeypots(self, chosen: CaseFilter) -> PartSums:
        """Return the totals of honeypots, which no other figure includes."""
        return case_pages.part_sums(self._cases(chosen), chosen, honeypots=True)

    def kinds(self, chosen: CaseFilter) -> dict[str, int]:
        """Return how many samples ended in each way."""
        return case_pages.kind_counts(self._cases(chosen), chosen)

    def choices(self) -> tuple[list[str], list[str]]:
        """Return the suites and the tags of the run."""
        return case_pages.suites_and_tags(self._cases())

    def matrix(
        self, chosen: CaseFilter, *, after: tuple[str, str] | None, size: int
    ) -> tuple[list[CaseRow], int]:
        """Return a page of cases, one row per subject, and the number of cases."""
        return case_pages.matrix_page(self._cases(chosen), chosen, after=after, size=size)

    def neighbours(self, key: int, chosen: CaseFilter, order: CaseOrder) -> tuple[int | None, int | None]:
        """Return the cases before and after one in a filtered list."""
        return case_pages.neighbours(self._cases(chosen), key, chosen, order)

    def row(self, key: int) -> CaseRow:
        """Return one case of one subject, with its strip."""
        row = self._row(key)
        return self._read(lambda store: with_strips(self._engine, store, [row]))[0]

    def rows_named(self, names: Sequence[CaseKey]) -> dict[CaseKey, CaseRow]:
        """Return cases by their names, with strips; an unknown one is left out."""
        rows_named = case_pages.rows_named(self._cases(), names)
        rows = self._read(lambda store: with_strips(self._engine, store, rows_named))
        return {CaseKey(row.model, row.tier, row.suite, row.case): row for row in rows}

    def siblings(self, row: CaseRow) -> tuple[CaseRow, ...]:
        """Return the same case as every subject answered it."""
        case_rows = case_pages.same_case(self._cases(), row)
        return self._read(lambda store: with_strips(self._engine, store, case_rows))

    def case(self, key: int, *, start: int = 0, failed: str = "") -> CaseView:
        """Return a case with the groups of its equal answers, from one attempt on.

        With the name of a test, only of the answers that failed it.
        """
        row = self.row(key)
        groups, different, following = self._read(
            lambda store: answer_groups(self._engine, store, row, start=start, size=GROUPS, failed=failed)
        )
        return CaseView(row=row, groups=groups, different=different, next_attempt=following)

    def failed_tests(self, row: CaseRow) -> FailedTests:
        """Return a case's failed tests; empty if its tests are unknown."""
        failed = self._read(lambda store: failed_tests(self._engine, store, row))
        return self.texts.named_tests(row, failed)

    def look_for_failed(self, name: str) -> Iterator[Progress]:
        """Read the output of the checks for a filter by a failed test, giving the progress.

        A caller that stops loses nothing: the next look goes on from there.
        """
        return self._failed.look(self._engine, self._current(), name)

    def prompt(self, row: CaseRow) -> tuple[Message, ...]:
        """Return a case's prompt messages; empty if unknown."""
        return self.texts.messages(row)

    def sample(self, key: int, attempt: int) -> SampleView:
        """Return one sample with all its texts."""
        bare = self._row(key)
        stored = self._read(lambda store: stored_sample(self._engine, store, bare, attempt))
        if stored is None:
            raise InputError("this run has no such sample")
        row = replace(bare, strip=cast("tuple[Attempt, ...]", stored.pop("strip")))
        digest = str(stored.pop("case_digest"))
        equal: Any = stored.pop("equal")
        texts = self.texts.of(row, digest, stored["text"], attempt)
        values: dict[str, Any] = {**stored, **texts, "equal": tuple(equal)}
        return SampleView(row=row, attempt=attempt, **values)

    def search(self, text: str, scope: SearchScope) -> Iterator[Hit | Progress]:
        """Yield samples with matching text, and progress in between."""
        return search(self._engine, self._current(), text, scope)

    def sql(self, query: str) -> SqlRows:
        """Run a SELECT on the run's tables only."""
        return self._read(lambda store: query_locked(store, query))

    def marks(self, key: int | None = None, attempt: int | None = None) -> list[Mark]:
        """Return the marks of the run, or of one sample, the newest first."""
        missing = self._current().superseded_keys()
        marks = [
            mark
            for mark in read_marks(self.address)
            if mark.key not in missing and (key is None or (mark.key == key and mark.attempt == attempt))
        ]
        return marks[::-1]

    def random_samples(self, number: int) -> tuple[SamplePlace, ...]:
        """Return a fixed random selection of samples."""
        return self._read(lambda store: random_samples(self._engine, store, number))

    def verdicts(self, places: Iterable[SamplePlace]) -> dict[SamplePlace, Verdicts]:
        """Return how some samples ended."""
        return self._read(lambda store: verdicts_of(self._engine, store, places))

    def mark(self, key: int, attempt: int, *, label: str, note: str, is_blind: bool = False) -> Mark:
        """Put a mark on a sample: a label, and a line of text."""
        row = self._row(key)
        if label not in LABELS:
            raise InputError(f"label: expected one of {', '.join(LABELS)}")
        if len(note) > LONGEST_NOTE:
            raise InputError(f"note: expected at most {LONGEST_NOTE:,} characters")
        mark = Mark(
            key=key,
            attempt=attempt,
            label=label,
            note=" ".join(note.split()),
            author=this_user(),
            at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            model=row.model,
            tier=row.tier,
            suite=row.suite,
            case=row.case,
            is_blind=is_blind,
        )
        add_mark(self.address, mark)
        return mark

    def document(self) -> Document:
        """Return the run's report as sections, with the curves that its page draws."""
        report = self.report()
        plotted = [ranked.key for ranked in ranked_subjects(report)[:MOST_CURVES]]
        return report_document(report, curves=pass_at_k_curves(report, plotted))

    def report(self) -> Report:
        """Return the run's report; it is kept until the run changes."""
        return self._report(self.version)

    def _reported(self, _: Version) -> Report:
        return report_run(self.address)

    def _generated_and_checked(self, store: RunStore) -> tuple[int, int]:
        counting = store.counting_sql()
        if store.manifest.honeypots():
            counting = f"{counting} AND NOT {store.honeypot_sql()}"

        def rows(table: StoreTable, where: str) -> int:
            return count_rows(table, where=where, reader=self._engine)

        generated, checked = rows(store.samples, counting), rows(store.outcomes, counting)
        if generated <= checked:  # no call failed, and nothing waits
            return generated, checked
        return generated - rows(store.samples, f"error IS NOT NULL AND {counting}"), checked

    def _counted(self, _: Version) -> ListedRun:
        return self._read(lambda store: listed_run(store, self._engine, address=self.address))

    def _row(self, key: int) -> CaseRow:
        case_rows = case_pages.case_rows(self._cases(), [key])
        if key not in case_rows:
            raise InputError("this run has no such case")
        return case_rows[key]

    def _tags(self) -> Tags:
        return self.texts.tags

    def _cases(self, chosen: CaseFilter | None = None) -> StateTable:
        """Return the updated table of cases with the filter's columns."""
        store = self._current()
        retry_on_conflict(store, lambda now: self._table.update(self._engine, now, self._tags))
        if chosen is not None and chosen.failed:
            retry_on_conflict(store, lambda now: [*self._failed.look(self._engine, now, chosen.failed)])
        return self._table

    def _read(self, query: Callable[[RunStore], Answer]) -> Answer:
        return retry_on_conflict(self._current(), query)

    def _current(self) -> RunStore:
        """Return the run as it was at most a second ago."""
        with self._lock:
            now = time.monotonic()
            if self._store is None or now - self._looked_at > FRESH_S:
                # A run that nothing was committed to has listed its files already.
                if self._store is None or self._store.has_moved():
                    self._store = open_run(self.address)
                self._looked_at = now
            return self._store


def _version(store: RunStore) -> Version:
    return store.manifest.id, store.samples.delta().version(), store.outcomes.delta().version()


@lru_cache(maxsize=8)
def _stored_texts(address: str, digest: str | None) -> EvalTexts:
    del digest  # a changed eval set is read again
    return eval_texts(address)


def _texts(address: str, manifest: Manifest) -> EvalTexts:
    return _stored_texts(address, manifest.eval_set_digest)


def _rate(subject: SubjectKey | None, sums: PartSums) -> PartRate:
    """Return the mean pass rate over cases and its interval, or none without evidence."""
    if not sums.with_evidence:
        return PartRate(subject=subject, sums=sums, rate=None)
    mean_sums = MeanSums(count=sums.with_evidence, total=sums.rate_sum, total_sq=sums.rate_sq)
    interval = mean_interval_of_sums(mean_sums)
    mean = sums.rate_sum / sums.with_evidence
    return PartRate(subject=subject, sums=sums, rate=mean, low=interval.low, high=interval.high)


def this_user() -> str:
    """Return the user's name, or number without a name, as in some containers."""
    try:
        return getuser()
    except (KeyError, OSError):
        return str(os.getuid())
