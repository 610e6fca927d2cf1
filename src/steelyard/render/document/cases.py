"""Show single cases, if there are few."""

from collections.abc import Callable
from dataclasses import replace

from steelyard.model.estimate import Estimate, Reason
from steelyard.model.report import CaseSummary, Report
from steelyard.render.document.blocks import Name, Piece, Section, TableColumn, Tone, line, numbers, words
from steelyard.render.document.labels import Labels
from steelyard.render.document.quantities import TableQuantity, measured, quantity
from steelyard.render.document.undefined import explained
from steelyard.render.numbers import count, estimate_at, seconds, share, usd
from steelyard.render.words import counted

CASE_ROWS = 30


def cases_section(report: Report) -> Section:
    """Return a row for each case of each subject, or where to find them if there are many."""
    labels, rows = Labels.of(report), report.cases
    if not rows:
        return Section()
    if len(rows) > CASE_ROWS:
        text = f"cases: {counted(len(rows), 'row')}, too many to show here; --format json has all of them"
        return Section(lines=(line(text, tone=Tone.QUIET),))
    shown = measured(_quantities(report.settings.pass_k), rows)
    dashes = [
        dash
        for shown_quantity in shown
        for dash in shown_quantity.dashes(rows, lambda case: _label(case, labels))
    ]
    return Section(
        title=f"Cases ({count(len(rows))})",
        columns=(
            *_identity(rows, labels),
            *_counts(rows),
            *(shown_quantity.column(rows) for shown_quantity in shown),
        ),
        lines=explained(dashes, rows=len(rows), noun="row"),
        is_detail=True,
    )


def _label(case: CaseSummary, labels: Labels) -> tuple[Piece, ...]:
    if not (labels.has_models or labels.has_tiers):
        return (Name(case.case),)
    return (Name(case.case), " (", *labels.subject(case), ")")


def _identity(rows: tuple[CaseSummary, ...], labels: Labels) -> tuple[TableColumn, ...]:
    case = words("case", rows, lambda case: Name(case.case))
    suite = words("suite", rows, lambda case: Name(case.suite))
    return (*labels.columns(rows, always_model=False), *((suite,) if labels.has_suites else ()), case)


def _counts(rows: tuple[CaseSummary, ...]) -> tuple[TableColumn, ...]:
    errored = numbers("errored", rows, lambda case: count(case.errored))
    return (
        numbers("samples", rows, lambda case: "missing" if case.missing else count(case.n)),
        numbers("passed", rows, lambda case: count(case.c)),
        *((errored,) if any(case.errored for case in rows) else ()),
    )


def _quantities(ks: tuple[int, ...]) -> tuple[TableQuantity[CaseSummary], ...]:
    return (
        *(quantity(f"pass@{k}", _pass_at(k), share) for k in ks),
        quantity("score", lambda case: _known(case.mean_score), share),
        quantity("cost", lambda case: _known(case.cost_usd), usd),
        quantity("latency (s)", lambda case: _known(case.mean_latency_s), seconds),
    )


def _pass_at(k: int) -> Callable[[CaseSummary], Estimate]:
    """Return pass@k without a per-case detail, so one line can explain many dashes."""
    return lambda case: replace(estimate_at(case.pass_at_k, k), detail=None)


def _known(value: float | None) -> Estimate:
    return Estimate.undefined(Reason.NOT_MEASURED) if value is None else Estimate.of(value)
