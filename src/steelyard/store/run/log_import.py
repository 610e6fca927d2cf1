"""Keep the rows of another tool's log as a run: outcomes, answers, and the prompts of the cases.

The manifest is written last: an import that was killed has left no run behind.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from steelyard.errors import InputError
from steelyard.metrics.rules import GivenScore, describe_rule
from steelyard.model.case import Case, Expectations
from steelyard.model.evalset import EvalSet, Suite, Tier
from steelyard.model.log import IMPORTED, LogRow
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.model.run import Manifest, RunCase, Subject
from steelyard.model.sample import Sample
from steelyard.model.units import MICRO_POINTS, MICROSECONDS, NANO_USD
from steelyard.store.run.manifest import write_manifest
from steelyard.store.run.rows import outcome_rows, sample_rows
from steelyard.store.run.run_store import prepare_empty_run
from steelyard.store.run.stored_set import write_eval_set

CHUNK = 20_000  # rows of one commit
LONGEST_ERROR = 200  # characters
RULE = GivenScore()

Cases = Mapping[tuple[str, str], Case]


def import_rows(
    rows: Sequence[LogRow], address: str | Path, manifest: Manifest, tiers: Mapping[str, str]
) -> Manifest:
    """Write rows into a new run; fills in subjects, cases and rule of `manifest`."""
    cases = _cases(rows)
    filled = replace(
        manifest,
        scoring=describe_rule(RULE),
        subjects=tuple(
            Subject(model=model, tier=tier) for model, tier in sorted({(row.model, row.tier) for row in rows})
        ),
        cases=tuple(
            RunCase(suite=suite, case=name, digest=case.digest) for (suite, name), case in cases.items()
        ),
    )
    eval_set = _eval_set(cases, rows, tiers)
    filled = replace(filled, eval_set=eval_set.id, eval_set_digest=eval_set.digest)
    ordered = sorted(rows, key=lambda row: row.key)
    samples = [_sample(row, cases[row.suite, row.case].digest) for row in ordered]
    store = prepare_empty_run(address, filled, otherwise="name another one: `run=ADDRESS`")
    for start in range(0, len(ordered), CHUNK):
        part = slice(start, start + CHUNK)
        chunk = f"import-{start}"
        kept = [sample for sample, row in zip(samples[part], ordered[part], strict=True) if _is_kept(row)]
        if kept:
            store.samples.add(sample_rows(kept), chunk=chunk)
        checked = [(item, _outcome(row)) for item, row in zip(samples[part], ordered[part], strict=True)]
        store.outcomes.add(outcome_rows(checked, RULE, list(map(_score, ordered[part]))), chunk=chunk)
    write_eval_set(store.location, eval_set)
    write_manifest(store.location, filled)
    return filled


def _cases(rows: Sequence[LogRow]) -> Cases:
    """Return each case once, in order, with its first prompt."""
    first: dict[tuple[str, str], LogRow] = {}
    for row in rows:
        known = first.get((row.suite, row.case))
        if known is None or (known.prompt is None and row.prompt is not None):
            first[row.suite, row.case] = row
    return {
        (suite, name): Case(
            id=name,
            suite=suite,
            prompt=row.prompt or "",
            language=IMPORTED,
            expectations=Expectations(settings={} if row.target is None else {"target": row.target}),
        )
        for (suite, name), row in sorted(first.items())
    }


def _eval_set(cases: Cases, rows: Sequence[LogRow], tiers: Mapping[str, str]) -> EvalSet:
    suites = sorted({suite for suite, _ in cases})
    used = sorted({row.tier for row in rows})
    return EvalSet(
        id=suites[0],
        cases=tuple(cases.values()),
        suites=tuple(Suite(id=suite) for suite in suites),
        tiers=tuple(Tier(id=tier, name=tiers.get(tier, "")) for tier in used),
    )


def _is_kept(row: LogRow) -> bool:
    return row.answer is not None or row.error is not None


def _sample(row: LogRow, digest: str) -> Sample:
    return Sample(
        model=row.model,
        tier=row.tier,
        suite=row.suite,
        case=row.case,
        digest=digest,
        attempt=row.attempt,
        text=row.answer or "",
        finish_reason=row.finish_reason,
        tokens_in=row.tokens_in,
        tokens_out=row.tokens_out,
        tokens_cached=row.tokens_cached,
        tokens_reasoning=row.tokens_reasoning,
        cost_nano_usd=_whole(row.cost_usd, NANO_USD),
        latency_us=_whole(row.latency_s, MICROSECONDS),
        error=None if row.error is None else row.error.strip()[:LONGEST_ERROR] or "error",
    )


def _outcome(row: LogRow) -> Outcome:
    kind = row.classification
    if row.passed is None:
        kind = Classification.ERROR
    elif kind is not None and (kind is Classification.PASS) is not row.passed:
        raise InputError(f"case {row.case!r}: passed is {row.passed}, but the classification is {kind}")
    facts = Facts(
        classification=kind,
        passed=row.passed,
        tests_passed=row.tests_passed,
        tests_failed=row.tests_failed,
    )
    return Outcome(facts=facts, detail=row.output)


def _score(row: LogRow) -> int | None:
    """Return the score in millionths; without scores, 1 for a pass and 0 for a failure."""
    if row.passed is None:
        return None
    return round((float(row.passed) if row.score is None else row.score) * MICRO_POINTS)


def _whole(value: float | None, scale: int) -> int | None:
    return None if value is None else round(value * scale)
