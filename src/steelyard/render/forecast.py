"""Render the forecast of a run as text and as JSON."""

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


def forecast_as_text(forecast: RunForecast) -> str:
    """Return a forecast as sentences and a table, at most 80 columns wide if names allow it."""
    return "\n".join([*_counts(forecast), "", *_table(forecast.subjects), "", *_remarks(forecast)]) + "\n"


def forecast_as_json(forecast: RunForecast) -> str:
    """Return a forecast as JSON."""
    totals = {
        "answers": forecast.answers,
        "cost_nano_usd": forecast.cost_nano_usd,
        "max_cost_nano_usd": forecast.max_cost_nano_usd,
    }
    return json.dumps({"schema": SCHEMA, **asdict(forecast), **totals}, indent=2, allow_nan=False) + "\n"


def forecast_in_short(forecast: RunForecast) -> str:
    """Return a line for each subject with answers to generate, with the cost.

    >>> subject = SubjectForecast(
    ...     model="lab/m", tier="T0", answers=4, tokens_in=9, tokens_out=9, cost_nano_usd=2_000_000,
    ...     max_cost_nano_usd=9_000_000)
    >>> print(forecast_in_short(RunForecast(
    ...     eval_set="s", cases=2, all_cases=2, samples=4, stop_rule=None, subjects=(subject,))))
    to generate: 4 answers of lab/m T0, about $0.0020
    """
    subjects = [subject for subject in forecast.subjects if subject.answers]
    most = "at most " if forecast.stop_rule else ""
    return "\n".join(
        f"to generate: {most}{counted(subject.answers, 'answer')} of {subject.model} {subject.tier}, "
        f"{_about(subject.cost_nano_usd)}"
        for subject in subjects
    )


def _counts(forecast: RunForecast) -> Iterator[str]:
    some = f"{forecast.cases} of {forecast.all_cases} cases" if forecast.cases != forecast.all_cases else ""
    most = "at most " if forecast.stop_rule else ""
    yield "Dry run: no model is called, and nothing is stored."
    yield (
        f"{forecast.eval_set}: {some or counted(forecast.cases, 'case')}, "
        f"{counted(len(forecast.subjects), 'subject')}, "
        f"{most}{counted(forecast.samples, 'sample')} of each case."
    )
    yield f"To generate: {most}{counted(forecast.answers, 'answer')}, {_about(forecast.cost_nano_usd)}."


def _table(subjects: tuple[SubjectForecast, ...]) -> Iterator[str]:
    """Yield a table of subjects; with long names, each model has a line of its own."""
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


def _row(subject: SubjectForecast) -> tuple[str, ...]:
    counts = (subject.answers, subject.tokens_in, subject.tokens_out)
    costs = (subject.cost_nano_usd, subject.max_cost_nano_usd)
    return subject.model, subject.tier, *(f"{count:,}" for count in counts), *map(_usd, costs)


def _remarks(forecast: RunForecast) -> Iterator[str]:
    for name, near in forecast.unknown_providers.items():
        meant = "".join(f" did you mean {similar}?" for similar in near) or " `steelyard run` would fail."
        yield f'No provider is named "{name}";{meant}'
    if forecast.is_replay:
        yield "The answers are recorded: no model is called."
    if forecast.earlier is not None:
        yield f"Lengths and times are taken from {forecast.earlier}."
    else:
        yield (
            f"Assumed: {forecast.assumed_tokens_out} tokens for each answer. More exact: --like EARLIER-RUN."
        )
    if not forecast.is_replay:
        yield '"At most": every answer has the maximum length, as --max-usd assumes.'
    if forecast.seconds is not None:
        yield f"Time: about {duration(forecast.seconds)}, at the pace of that run."
    if forecast.unpriced:
        unpriced = f"Unknown price: {', '.join(forecast.unpriced)}. State it with --price MODEL=IN/OUT."
        yield from wrap(unpriced, SCREEN, break_long_words=False, break_on_hyphens=False)
    if forecast.has_agents:
        yield "Agents make further calls: their cost is a rough estimate."
    if forecast.judges:
        yield f"Not included: {counted(forecast.judges, 'judge')} for each answer."


def duration(seconds: float) -> str:
    """Return a duration, rounded.

    >>> [duration(seconds) for seconds in (0.2, 59, 200, 9000)]
    ['1 s', '59 s', '3 min', '2.5 h']
    """
    if seconds < MINUTE_S:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / MINUTE_S:.0f} min" if seconds < HOUR_S else f"{seconds / HOUR_S:.1f} h"


def _about(nano_usd: int | None) -> str:
    return "at an unknown price" if nano_usd is None else f"about {_usd(nano_usd)}"


def _usd(nano_usd: int | None) -> str:
    if nano_usd is None:
        return "unknown"
    return usd(nano_usd / NANO_USD)
