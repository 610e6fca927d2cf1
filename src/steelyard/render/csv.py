"""Write a report as CSV, one row for each subject, for spreadsheets and scripts.

An undefined number is an empty cell; `_low` and `_high` are the interval for new cases of the same kind.
The cost of a pass is `inf` without a pass, and empty if unknown. `samples_sealed` to `samples_unknown` count
samples by integrity; they are empty if it is unknown for all. Requested figures come last.

Names are untrusted. A spreadsheet would run one that starts with =, +, -, @, a tab or a carriage return as a
formula, so it is prefixed with '.
"""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from math import inf

from steelyard.model.estimate import Estimate, Target
from steelyard.model.report import Report, Settings, SubjectSummary
from steelyard.model.sample import SampleExcerpt
from steelyard.model.summary import CostOfPass
from steelyard.ports import Renderable
from steelyard.render.document.also_at_k import also_at_k_rows
from steelyard.render.document.labels import cases_in_means
from steelyard.render.kinds import require_report
from steelyard.render.names import encodable
from steelyard.render.numbers import estimate_at, interval_for

Cell = str | int | float | None

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
SCORES = ("score", "grade", "build_rate", "test_pass_rate")
MEASUREMENTS = ("total_cost_usd", "cost_of_pass_usd", "mean_latency_s")
COUNTS = ("cases", "samples", "passed", "errored", "missing")
INTEGRITY = ("samples_sealed", "samples_partial", "samples_open", "samples_unknown")


class CsvRenderer:
    """A report as CSV."""

    kinds = (Report,)
    is_text = True
    shows_samples = False

    def render(self, result: Renderable, *, samples: Sequence[SampleExcerpt] = ()) -> str:
        """Return the whole text, ending in a newline."""
        del samples  # a row is a subject
        return csv_text(summary(require_report(result, "csv")))


def summary(report: Report) -> list[tuple[Cell, ...]]:
    """Return the header, then a row for each subject."""
    by_integrity = {
        (counts.model, counts.tier): (counts.sealed, counts.partial, counts.open, counts.unknown)
        for counts in report.integrity
    }
    also = {
        (subject_at_k.model, subject_at_k.tier): tuple(also_at_k_rows(subject_at_k))
        for subject_at_k in report.also_at_k
    }
    named = tuple(row.figure for row in next(iter(also.values()), ()))
    rows = [
        (
            *_row(subject, report.settings),
            *by_integrity.get((subject.model, subject.tier), (None, None, None, None)),
            *(row.estimate.value for row in also.get((subject.model, subject.tier), ())),
        )
        for subject in report.subjects
    ]
    return [(*_header(report.settings.pass_k), *named), *rows]


def csv_text(rows: Iterable[Sequence[Cell]]) -> str:
    """Return rows as RFC 4180 text with Unix line ends; cells keep their own line breaks.

    >>> print(csv_text([("model", "score"), ("a,b", 0.5), ("c", None)]), end="")
    model,score
    "a,b",0.5
    c,
    """
    return "".join(_line([_no_formula(cell) for cell in row]) for row in rows)


def _no_formula(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) else cell


def _line(cells: Sequence[Cell]) -> str:
    # With \r\n as line end, every Python version quotes a carriage return in a cell.
    buffer = StringIO(newline="")
    csv.writer(buffer, lineterminator="\r\n").writerow(cells)
    return encodable(buffer.getvalue().removesuffix("\r\n")) + "\n"


def _header(ks: Sequence[int]) -> tuple[str, ...]:
    passes = (*(f"pass@{k}" for k in ks), *(f"pass^{k}" for k in ks))
    bounded = ("score", *(f"pass@{k}" for k in ks))
    bounds = (f"{name}_{end}" for name in bounded for end in ("low", "high"))
    return ("model", "tier", *COUNTS, *passes, *SCORES, *MEASUREMENTS, *bounds, *INTEGRITY)


def _row(subject: SubjectSummary, settings: Settings) -> tuple[Cell, ...]:
    return (
        subject.model,
        subject.tier,
        cases_in_means(subject, settings),
        subject.samples,
        subject.passed,
        subject.coverage.errored,
        subject.coverage.missing,
        *(estimate_at(subject.pass_at_k, k).value for k in settings.pass_k),
        *(estimate_at(subject.pass_hat_k, k).value for k in settings.pass_k),
        subject.score.value,
        subject.grade.letter,
        subject.build_rate.value,
        subject.test_pass_rate.value,
        subject.total_cost_usd.value,
        _cost_of_pass(subject.cost_of_pass),
        subject.mean_latency_s.value,
        *_bounds(subject.score),
        *(bound for k in settings.pass_k for bound in _bounds(estimate_at(subject.pass_at_k, k))),
    )


def _cost_of_pass(cost: CostOfPass | None) -> Cell:
    if cost is None:
        return None
    return inf if cost.infinite else cost.value


def _bounds(estimate: Estimate) -> tuple[Cell, Cell]:
    interval = interval_for(Target.NEW_CASES, estimate)
    return (None, None) if interval is None else (interval.low, interval.high)
