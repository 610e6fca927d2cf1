"""Render a list of runs as text and as JSON."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from steelyard.model.listed_run import ListedRun
from steelyard.render.names import visible
from steelyard.render.numbers import UNDEFINED, in_percent, known_cost, or_undefined

HEAD = ("run", "begun", "set", "subjects", "answers", "passes", "cost", "")


def runs_as_text(runs: Sequence[ListedRun]) -> str:
    """Return a table with a row for each run."""
    rows = [HEAD, *map(_row, runs)]
    widths = [max(len(row[index]) for row in rows) for index in range(len(HEAD))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "".join(f"{line.rstrip()}\n" for line in lines)


def runs_as_json(runs: Sequence[ListedRun]) -> str:
    """Return the list as JSON."""
    listed = [{**asdict(run), "pass_rate": run.pass_rate} for run in runs]
    return json.dumps({"schema": "steelyard.runs/1", "runs": listed}, indent=2, allow_nan=False) + "\n"


def answer_count(run: ListedRun) -> str:
    """Return the number of answers; for an incomplete run, how many are planned or checked."""
    if run.is_complete:
        return f"{run.generated:,}"
    if run.generated < run.planned or run.checked >= run.generated:
        return f"{run.generated:,} of {run.planned:,}"
    return f"{run.checked:,} of {run.generated:,} checked"


def _row(run: ListedRun) -> tuple[str, ...]:
    names = run.subjects
    subjects = visible(names[0]) if len(names) == 1 else f"{len(names)} subjects"
    return (
        visible(run.address),
        run.created_at[:16].replace("T", " "),
        visible(run.eval_set or UNDEFINED),
        subjects,
        answer_count(run),
        or_undefined(run.pass_rate, in_percent),
        known_cost(run.cost_usd, unpriced=run.unpriced),
        "" if run.is_complete else "incomplete",
    )
