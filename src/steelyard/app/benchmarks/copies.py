"""Count answers equal to the reference: a model may have memorized it."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from steelyard.checks.extraction.extract import extract
from steelyard.model.benchmark import ReferenceCopies
from steelyard.model.case import Case
from steelyard.model.state import SubjectKey
from steelyard.store.run.held_lines import CaseName, answers_holding, count_answers
from steelyard.store.run.run_store import RunStore, open_run, retry_on_conflict
from steelyard.store.run.stored_set import has_stored_set, read_stored_set


def reference_copies(address: str | Path) -> tuple[ReferenceCopies, ...]:
    """Count answers compared with a reference, and equal ones, per subject."""
    if not has_stored_set(str(address)):
        return ()
    store = open_run(address)
    cases = {(case.suite, case.id): case for case in read_stored_set(store.location).cases}
    return retry_on_conflict(store, lambda now: _count_copies(now, cases))


def _count_copies(store: RunStore, cases: Mapping[CaseName, Case]) -> tuple[ReferenceCopies, ...]:
    references = {
        name: _strip_code(case, case.reference) for name, case in cases.items() if case.reference is not None
    }
    # Prefilter by the reference's longest line: few other answers contain it.
    lines = {name: max(bare, key=len, default="") for name, bare in references.items()}
    equal: Counter[SubjectKey] = Counter()
    for model, tier, *name, text in answers_holding(store, lines):
        suite, case = name
        equal[SubjectKey(model, tier)] += _strip_code(cases[suite, case], text) == references[suite, case]
    return tuple(
        ReferenceCopies(model=subject.model, tier=subject.tier, compared=compared, equal=equal[subject])
        for subject, compared in count_answers(store, lines).items()
    )


def _strip_code(case: Case, answer: str) -> tuple[str, ...]:
    """Return an answer's stripped, non-empty lines of code."""
    prefix = {line.strip() for line in case.expectations.settings.get("prefix", "").splitlines()}
    code = extract(answer, case.language).code or answer
    lines = (line.strip() for line in code.splitlines())
    return tuple(line for line in lines if line and line not in prefix)
