"""Store fields that Inspect's format lacks in the metadata of a log, and read them back.

Inspect allows arbitrary `metadata` of a task, a sample and a score.
"""

from dataclasses import replace
from typing import Any

from steelyard.logs.record import Record
from steelyard.model.log import LogRow
from steelyard.model.outcome import Classification

SCORER = "steelyard"
MAKER = "steelyard "  # precedes the version in `made_by`
USAGE = ("tokens_in", "tokens_out", "tokens_cached", "tokens_reasoning", "cost_usd")
COUNTS = (*USAGE[:-1], "tests_passed", "tests_failed")


def model_usage(row: LogRow) -> dict[str, Any]:
    """Return tokens and cost in Inspect's format; empty unless both token counts are known."""
    cached = row.tokens_cached or 0
    if row.tokens_in is None or row.tokens_out is None or cached > row.tokens_in:
        return {}
    known = {
        "input_tokens": row.tokens_in - cached,  # Inspect counts cached tokens separately
        "output_tokens": row.tokens_out,
        "total_tokens": row.tokens_in + row.tokens_out,
        "input_tokens_cache_read": row.tokens_cached,
        "reasoning_tokens": row.tokens_reasoning,
        "total_cost": row.cost_usd,
    }
    return {row.model: {key: value for key, value in known.items() if value is not None}}


def sample_notes(row: LogRow) -> dict[str, Any]:
    """Return the sample metadata of a row."""
    without_field = ("tests_passed", "tests_failed", "finish_reason")
    names = without_field if model_usage(row) else (*USAGE, *without_field)
    return {name: value for name in names if (value := getattr(row, name)) is not None}


def score_notes(row: LogRow) -> dict[str, Any]:
    """Return the score metadata of a row: Inspect's value is only correct or incorrect."""
    return {"score": row.score, "kind": row.classification}


def is_ours(task: Record) -> bool:
    """Whether Steelyard wrote the log."""
    notes = task.get("metadata")
    maker = notes.get("made_by") if isinstance(notes, dict) else None
    return isinstance(maker, str) and maker.startswith(MAKER)


def with_notes(row: LogRow, task: Record, sample: Record, scorer: str | None) -> LogRow:
    """Return a row of a log by Steelyard with its notes; empty texts mean None."""
    notes = sample.record("metadata")
    cost = notes.amount("cost_usd")
    counts = {name: notes.count(name) for name in COUNTS if name in notes}
    noted = replace(
        row,
        **counts,  # type: ignore[arg-type]  # names of fields that are counts
        tier=task.record("metadata").text("tier") or row.tier,
        cost_usd=row.cost_usd if cost is None else cost,
        finish_reason=notes.text("finish_reason"),
        prompt=row.prompt or None,
        target=row.target or None,
    )
    return _with_score(noted, sample) if scorer == SCORER and row.passed is not None else noted


def _with_score(row: LogRow, sample: Record) -> LogRow:
    """Return a row with the noted score and kind, unless the verdict was edited later."""
    notes = sample.record("scores").record(SCORER).record("metadata")
    score, text = notes.number("score"), notes.text("kind")
    kind = Classification(text) if text in list(Classification) else None
    if kind is not None and (kind is Classification.PASS) is not row.passed:
        return row
    is_score = score is not None and 0 <= score <= 1
    return replace(row, score=score if is_score else row.score, classification=kind)
