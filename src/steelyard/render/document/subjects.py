"""Show the subjects of a report side by side, and explain every dash."""

from collections.abc import Callable, Sequence

from steelyard.model.estimate import Estimate, Interval, Reason, Target
from steelyard.model.report import Report, SubjectSummary
from steelyard.model.report_runs import Frontier
from steelyard.model.summary import FEWEST_PASSES
from steelyard.render.document.blocks import Section, TextLine, Tone, line, numbers
from steelyard.render.document.grades import grade_note, graded
from steelyard.render.document.intervals import beside, heading, targets_note, with_intervals
from steelyard.render.document.labels import Labels, cases_in_means
from steelyard.render.document.quantities import TableQuantity, measured, quantity
from steelyard.render.document.ranking import front_note, on_the_front, rank_column, rank_note
from steelyard.render.document.runs import shown_runs
from steelyard.render.document.undefined import explained
from steelyard.render.numbers import (
    RANGE,
    bounds,
    cost_of_pass,
    count,
    estimate_at,
    in_percent,
    seconds,
    share,
    usd,
)
from steelyard.render.words import counted

COST_OF_PASS_IN_WORDS = "cost of pass: all costs divided by all passes, over all cases together"

Quantities = Sequence[TableQuantity[SubjectSummary]]


def subjects_section(report: Report) -> Section:
    """Return a row for each subject: rank, pass rates, score and grade with intervals."""
    if not report.subjects:
        return Section()
    labels, rows = Labels.of(report), report.subjects
    shown = measured(_figures(report), rows)
    columns = (
        *labels.columns(rows),
        *rank_column(report),
        numbers("cases", rows, lambda subject: count(cases_in_means(subject, report.settings))),
        numbers("samples", rows, lambda subject: count(subject.samples)),
        *(quantity.column(rows) for quantity in shown),
    )
    grades = () if shown_runs(report) else grade_note(report)
    notes = (*targets_note(report), *rank_note(report), *grades)
    return Section(columns=columns, lines=(*_dashes(shown, report), *notes))


def means_section(report: Report) -> Section:
    """Return a row for each subject: build and test rates, cost and latency, if measured."""
    rows = report.subjects
    shown = measured(_means(report), rows)
    if not shown:
        return Section()
    columns = (*Labels.of(report).columns(rows), *(quantity.column(rows) for quantity in shown))
    lines = (*_dashes(shown, report), *_cost_note(report), *front_note(report))
    return Section(title="Builds, costs and times", columns=columns, lines=lines)


def _figures(report: Report) -> Quantities:
    """Return the quality columns; the first k and the score have intervals."""
    first, others = report.settings.pass_k[:1], report.settings.pass_k[1:]
    level = report.settings.level
    return (
        *(column for k in first for column in with_intervals(f"pass@{k}", _pass_at(k), share, level=level)),
        *(quantity(f"pass@{k}", _pass_at(k), share) for k in others),
        *with_intervals("score", lambda subject: subject.score, share, level=level),
        *(() if shown_runs(report) else (GRADE,)),  # the one grade is that of the median run
    )


def _means(report: Report) -> Quantities:
    """Return the columns of build and test rates, cost and latency."""
    new_cases = heading(Target.NEW_CASES, report.settings.level)
    return (
        quantity("build rate", lambda subject: subject.build_rate, share),
        quantity("test rate", lambda subject: subject.test_pass_rate, share),
        quantity("cost", lambda subject: subject.total_cost_usd, usd),
        TableQuantity(
            title="cost of pass",
            cell=lambda subject: cost_of_pass(subject.cost_of_pass, samples=subject.samples),
            gap=_no_cost_of_pass,
        ),
        beside(_cost_interval, new_cases, lambda interval: bounds(interval, usd, to=RANGE)),
        on_the_front(),
        quantity("latency (s)", lambda subject: subject.mean_latency_s, seconds),
        quantity("p50", _latency_p50, seconds),
        quantity("p95", lambda subject: subject.latency_p95_s, seconds),
        quantity("latency score", lambda subject: subject.latency_score, share),
    )


def _cost_note(report: Report) -> tuple[TextLine, ...]:
    """Explain the cost of pass over several cases."""
    subjects = [
        subject for subject in report.subjects if subject.cost_of_pass and not _no_cost_of_pass(subject)
    ]
    is_of_several = any(subject.coverage.expected > 1 for subject in subjects)
    if not is_of_several or report.settings.stop_rule is not None:
        return ()
    few = any(0 < subject.passed < FEWEST_PASSES for subject in subjects)
    bound = f"; fewer than {FEWEST_PASSES} passes give no upper bound" if few else ""
    return (line(f"{COST_OF_PASS_IN_WORDS}{bound}", tone=Tone.QUIET),)


def _latency_p50(subject: SubjectSummary) -> Estimate | None:
    """Return the median latency, if the 95th percentile is known."""
    latency_s = subject.spreads.latency_s
    if latency_s.median is None or subject.latency_p95_s is None:
        return subject.latency_p95_s
    return Estimate.of(latency_s.median)


def _dashes(shown: Quantities, report: Report) -> tuple[TextLine, ...]:
    labels, rows = Labels.of(report), report.subjects
    dashes = [dash for quantity in shown for dash in quantity.dashes(rows, labels.subject)]
    return explained(dashes, rows=len(rows), noun=labels.noun)


def _cost_interval(subject: SubjectSummary) -> Interval | None:
    """Return the interval of the cost of a pass; without a pass, its lower bound is in the cell."""
    cost = subject.cost_of_pass
    return cost.interval if cost is not None and cost.value is not None else None


def _pass_at(k: int) -> Callable[[SubjectSummary], Estimate]:
    return lambda subject: estimate_at(subject.pass_at_k, k)


def _no_grade(subject: SubjectSummary) -> Estimate | None:
    if subject.grade.letter:
        return None
    return subject.score if subject.score.value is None else Estimate.undefined(Reason.NO_SAMPLES)


def _no_cost_of_pass(subject: SubjectSummary) -> Estimate | None:
    cost = subject.cost_of_pass
    if cost is not None and (cost.infinite or cost.value is not None):
        return None
    spent = subject.total_cost_usd
    if spent.value is None:
        return spent
    return Estimate.undefined(Reason.OPTIONAL_STOPPING if subject.samples else Reason.NO_SAMPLES)


def frontier_section(report: Report) -> Section:
    """Return the frontier cost of a pass, if there are tiers or an expert's price."""
    frontier, labels = report.frontier, Labels.of(report)
    if frontier is None or (frontier.expert_usd is None and not labels.has_tiers):
        return Section()
    expected = max(subject.coverage.expected for subject in report.subjects)
    tone = Tone.QUIET if frontier.infinite else Tone.PLAIN
    return Section(lines=(line(f"frontier: {_frontier(frontier, labels.noun, expected)}", tone=tone),))


def _frontier(frontier: Frontier, noun: str, expected: int) -> str:
    cases = counted(frontier.cases, "case")
    if frontier.cases < expected:
        cases = f"the {count(frontier.cases)} of {counted(expected, 'case')} that every {noun} has samples of"
    if frontier.value is None:
        return (
            f"not defined over {cases}: no {noun} passes {frontier.unsolved} of them; "
            f"set the price of an expert for a case: --expert-usd"
        )
    smoothed = "" if frontier.smoothed is None else f" (smoothed {usd(frontier.smoothed)})"
    decided = (
        f"; an expert's price decides {frontier.capped} ({in_percent(frontier.capped / frontier.cases)})"
    )
    expert = "" if frontier.expert_usd is None else f"{decided}, at {usd(frontier.expert_usd)} each"
    return (
        f"a pass costs {usd(frontier.value)}{smoothed} over {cases}, each by the cheapest {noun}{expert}; "
        f"comparable only for equal numbers of samples"
    )


GRADE = TableQuantity(title="grade", cell=graded, gap=_no_grade, is_number=False)
