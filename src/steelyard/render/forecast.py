"""Write what a run would do and cost, as text and as JSON."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby
from textwrap import wrap

from steelyard.model.forecast import RunForecast, SubjectForecast
from steelyard.model.units import NANO_USD
from steelyard.render.numbers import usd
from steelyard.render.words import counted

SCHEMA = "steelyard.forecast/1"
MINUTE_S, HOUR_S = 60, 3600
HEAD = ("model", "tier", "answers", "tokens in", "tokens out", "about", "at most")
NAMES = 2  # columns that hold names
SCREEN = 80  # columns of a terminal


def forecast_as_text(found: RunForecast) -> str:
    """Return a forecast as a few lines and a table, in 80 columns where names allow it."""
    return "\n".join([*_counts(found), "", *_table(found.subjects), "", *_remarks(found)]) + "\n"


def forecast_as_json(found: RunForecast) -> str:
    """Return a forecast as JSON."""
    totals = {
        "answers": found.answers,
        "cost_nano_usd": found.cost_nano_usd,
        "max_cost_nano_usd": found.max_cost_nano_usd,
    }
    return json.dumps({"schema": SCHEMA, **asdict(found), **totals}, indent=2, allow_nan=False) + "\n"


def forecast_in_short(found: RunForecast) -> str:
    """Return a forecast as one sentence for each subject that gets answers, with the cost.

    >>> one = SubjectForecast(
    ...     model="lab/m", tier="T0", answers=4, tokens_in=9, tokens_out=9, cost_nano_usd=2_000_000,
    ...     max_cost_nano_usd=9_000_000)
    >>> print(forecast_in_short(RunForecast(
    ...     eval_set="s", cases=2, all_cases=2, samples=4, stop_rule=None, subjects=(one,))))
    to generate: 4 answers of lab/m T0, about $0.0020
    """
    subjects = [subject for subject in found.subjects if subject.answers]
    most = "at most " if found.stop_rule else ""
    return "\n".join(
        f"to generate: {most}{counted(item.answers, 'answer')} of {item.model} {item.tier}, "
        f"{_about(item.cost_nano_usd)}"
        for item in subjects
    )


def _counts(found: RunForecast) -> Iterator[str]:
    some = f"{found.cases} of {found.all_cases} cases" if found.cases != found.all_cases else ""
    most = "at most " if found.stop_rule else ""
    yield "Dry run: nothing is called and nothing is kept."
    yield (
        f"{found.eval_set}: {some or counted(found.cases, 'case')}, "
        f"{counted(len(found.subjects), 'subject')}, {most}{counted(found.samples, 'sample')} of each case."
    )
    yield f"To generate: {most}{counted(found.answers, 'answer')}, {_about(found.cost_nano_usd)}."


def _table(subjects: tuple[SubjectForecast, ...]) -> Iterator[str]:
    """List the subjects; where their names are too long for the screen, a model has a line of its own."""
    rows = [HEAD, *map(_row, subjects)]
    widths = [max(len(row[index]) for row in rows) for index in range(len(HEAD))]
    lines = [
        "  ".join(
            cell.ljust(width) if index < NAMES else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    if len(lines[0]) <= SCREEN:
        yield from lines
        return
    for model, group in groupby(zip(rows, lines, strict=True), key=lambda pair: pair[0][0]):
        yield model
        yield from (line[widths[0] :] for _, line in group)


def _row(forecast: SubjectForecast) -> tuple[str, ...]:
    counts = (forecast.answers, forecast.tokens_in, forecast.tokens_out)
    costs = (forecast.cost_nano_usd, forecast.max_cost_nano_usd)
    return forecast.model, forecast.tier, *(f"{count:,}" for count in counts), *map(_usd, costs)


def _remarks(found: RunForecast) -> Iterator[str]:
    for name, near in found.unknown_providers.items():
        meant = "".join(f" did you mean {item}?" for item in near) or " `steelyard run` would refuse it."
        yield f'No provider is named "{name}";{meant}'
    if found.is_replay:
        yield "The answers are recorded: no model is called."
    if found.earlier is not None:
        yield f"Lengths and times are those of {found.earlier}."
    else:
        yield (
            f"Assumed: {found.assumed_tokens_out} tokens for each answer. "
            f"An earlier run says better: --like RUN."
        )
    if not found.is_replay:
        yield '"At most": every answer is as long as it may be, as --max-usd reckons.'
    if found.seconds is not None:
        yield f"Time: about {duration(found.seconds)}, at the pace of that run."
    if found.unpriced:
        unpriced = f"Unknown price: {', '.join(found.unpriced)}. State it with --price MODEL=IN/OUT."
        yield from wrap(unpriced, SCREEN, break_long_words=False, break_on_hyphens=False)
    if found.has_agents:
        yield "Agents make calls of their own: their cost is a guess."
    if found.judges:
        yield f"Not counted: {counted(found.judges, 'judge')} for each answer."


def duration(seconds: float) -> str:
    """Return a time as a person says it.

    >>> [duration(seconds) for seconds in (0.2, 59, 200, 9000)]
    ['1 s', '59 s', '3 min', '2.5 h']
    """
    if seconds < MINUTE_S:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / MINUTE_S:.0f} min" if seconds < HOUR_S else f"{seconds / HOUR_S:.1f} h"


def _about(nano_usd: int | None) -> str:
    return "at a price that is unknown" if nano_usd is None else f"about {_usd(nano_usd)}"


def _usd(nano_usd: int | None) -> str:
    if nano_usd is None:
        return "unknown"
    return usd(nano_usd / NANO_USD)
