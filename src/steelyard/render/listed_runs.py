"""Write a list of runs, as text and as JSON."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from steelyard.model.listed_run import ListedRun
from steelyard.render.names import visible
from steelyard.render.numbers import UNDEFINED, in_percent, known_cost, or_undefined

HEAD = ("run", "begun", "set", "subjects", "answers", "passes", "cost", "")


def runs_as_text(runs: Sequence[ListedRun]) -> str:
    """Return a table, a row for each run."""
    rows = [HEAD, *map(_row, runs)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(HEAD))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "".join(f"{line.rstrip()}\n" for line in lines)


def runs_as_json(runs: Sequence[ListedRun]) -> str:
    """Return the list as JSON."""
    listed = [{**asdict(one), "pass_rate": one.pass_rate} for one in runs]
    return json.dumps({"schema": "steelyard.runs/1", "runs": listed}, indent=2, allow_nan=False) + "\n"


def answers(one: ListedRun) -> str:
    """Write how many answers a run has; where it is not complete, of how many, or how many are checked."""
    if one.is_complete:
        return f"{one.drawn:,}"
    if one.drawn < one.planned or one.checked >= one.drawn:
        return f"{one.drawn:,} of {one.planned:,}"
    return f"{one.checked:,} of {one.drawn:,} checked"


def _row(one: ListedRun) -> tuple[str, ...]:
    names = one.subjects
    subjects = visible(names[0]) if len(names) == 1 else f"{len(names)} subjects"
    return (
        visible(one.address),
        one.created_at[:16].replace("T", " "),
        visible(one.eval_set or UNDEFINED),
        subjects,
        answers(one),
        or_undefined(one.pass_rate, in_percent),
        known_cost(one.cost_usd, unpriced=one.unpriced),
        "" if one.is_complete else "incomplete",
    )
