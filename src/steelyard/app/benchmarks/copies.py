"""Count answers that are the reference itself: a model that has seen the solution may give it back."""

from collections.abc import Mapping
from pathlib import Path

from steelyard.checks.extraction.extract import extract
from steelyard.model.benchmark import ReferenceCopies
from steelyard.model.case import Case
from steelyard.store.run.query import query_run
from steelyard.store.run.run_store import open_run
from steelyard.store.run.stored_set import has_stored_set, read_stored_set

MOST = 20_000  # answers that are looked at


def reference_copies(address: str | Path) -> tuple[ReferenceCopies, ...]:
    """Return for each subject how many answers were compared with a reference, and how many are equal."""
    if not has_stored_set(str(address)):
        return ()
    cases = {(case.suite, case.id): case for case in read_stored_set(open_run(address).location).cases}
    known = {key: _bare(case, case.reference) for key, case in cases.items() if case.reference is not None}
    rows = query_run(
        address,
        f"SELECT model, tier, suite, case_id, text FROM samples WHERE text IS NOT NULL "  # noqa: S608  # a number
        f"ORDER BY model, tier, suite, case_id, attempt LIMIT {MOST}",
    )
    counts: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        key = row["suite"], row["case_id"]
        if key in known:
            found = counts.setdefault((row["model"], row["tier"]), [0, 0])
            found[0] += 1
            found[1] += _bare(cases[key], row["text"]) == known[key]
    return tuple(_copies(*subject, counts) for subject in counts)


def _copies(model: str, tier: str, counts: Mapping[tuple[str, str], list[int]]) -> ReferenceCopies:
    compared, equal = counts[model, tier]
    return ReferenceCopies(model=model, tier=tier, compared=compared, equal=equal)


def _bare(case: Case, answer: str) -> tuple[str, ...]:
    """Return the lines of code in an answer without blanks around them, and without empty ones."""
    prefix = {line.strip() for line in case.expectations.settings.get("prefix", "").splitlines()}
    code = extract(answer, case.language).code or answer
    lines = (line.strip() for line in code.splitlines())
    return tuple(line for line in lines if line and line not in prefix)
