"""Count answers that are the reference itself: a model that has seen the solution may give it back."""

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
    """Return for each subject how many answers were compared with a reference, and how many are equal."""
    if not has_stored_set(str(address)):
        return ()
    store = open_run(address)
    cases = {(case.suite, case.id): case for case in read_stored_set(store.location).cases}
    return retry_on_conflict(store, lambda now: _copies(now, cases))


def _copies(store: RunStore, cases: Mapping[CaseName, Case]) -> tuple[ReferenceCopies, ...]:
    known = {name: _bare(case, case.reference) for name, case in cases.items() if case.reference is not None}
    # An answer that equals the reference holds its longest line: few of the others do.
    lines = {name: max(bare, key=len, default="") for name, bare in known.items()}
    equal: Counter[SubjectKey] = Counter()
    for model, tier, *name, text in answers_holding(store, lines):
        suite, case = name
        equal[SubjectKey(model, tier)] += _bare(cases[suite, case], text) == known[suite, case]
    return tuple(
        ReferenceCopies(model=subject.model, tier=subject.tier, compared=compared, equal=equal[subject])
        for subject, compared in count_answers(store, lines).items()
    )


def _bare(case: Case, answer: str) -> tuple[str, ...]:
    """Return the lines of code in an answer without blanks around them, and without empty ones."""
    prefix = {line.strip() for line in case.expectations.settings.get("prefix", "").splitlines()}
    code = extract(answer, case.language).code or answer
    lines = (line.strip() for line in code.splitlines())
    return tuple(line for line in lines if line and line not in prefix)
