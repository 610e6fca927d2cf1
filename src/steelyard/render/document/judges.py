"""Show the judges of a run: their agreement, unusable replies and cost."""

from collections.abc import Iterator

from steelyard.model.estimate import Target
from steelyard.model.report import Report
from steelyard.model.report_runs import JudgesSummary
from steelyard.render.document.blocks import Name, Piece, Section, TextLine, Tone, line, listed, numbers
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import (
    UNDEFINED,
    bounds,
    count,
    estimated,
    in_percent,
    interval_for,
    share,
    significant,
    usd,
)
from steelyard.render.words import counted

NAMED = 5
FEWEST_JUDGES = 2


def judges_section(report: Report) -> Section:
    """Return judges, agreement and cost, and a row for each subject."""
    judges = report.judges
    if judges is None:
        return Section()
    rows = judges.subjects
    columns = (
        *Labels.of(report).columns(rows),
        numbers("judged", rows, lambda row: count(row.answers)),
        numbers("unusable replies", rows, lambda row: _known(row.unusable)),
        numbers("unrated", rows, lambda row: count(row.unrated)),
        numbers("readings disagree", rows, lambda row: count(row.disagreeing)),
        numbers("tampering seen", rows, lambda row: count(row.saw_tampering)),
    )
    return Section(title="Judges", columns=columns, lines=tuple(_lines(judges)))


def _lines(judges: JudgesSummary) -> Iterator[TextLine]:
    names: list[tuple[Piece, ...]] = [(Name(judge),) for judge in judges.judges]
    unusable = (
        f"{judges.unusable} ({in_percent(judges.unusable / judges.replies)})" if judges.replies else "0"
    )
    cost = "an unknown cost" if judges.cost_usd is None else usd(judges.cost_usd)
    yield line(
        "judged by ",
        *listed(names, limit=NAMED),
        " by the rubric ",
        Name(judges.rubric),
        f" ({judges.rubric_digest[:8]}): {counted(judges.answers, 'different answer')}, "
        f"{_replies(judges.replies)}, {unusable} unusable, for {cost}",
    )
    yield from _unusable_replies(judges)
    yield from _agreement(judges)
    if judges.totals_off:
        text = f"in {_replies(judges.totals_off)} the judge's total differs from the sum of its ratings"
        yield line(f"{text}; the sum is used", tone=Tone.QUIET)


def _unusable_replies(judges: JudgesSummary) -> Iterator[TextLine]:
    """Yield unusable replies by judge; without a usable reply, the other judges decide."""
    if len(judges.judges) < FEWEST_JUDGES or not judges.unusable_by_judge:
        return
    text = [
        (Name(judge), f" {count(number)}{_missing(judges, judge)}")
        for judge, number in judges.unusable_by_judge.items()
    ]
    yield line("unusable replies by judge: ", *listed(text, limit=NAMED))


def _missing(judges: JudgesSummary, judge: str) -> str:
    number = judges.missing_by_judge.get(judge, 0)
    return f" (no usable reply about {counted(number, 'answer')})" if number else ""


def _agreement(judges: JudgesSummary) -> Iterator[TextLine]:
    if len(judges.judges) >= FEWEST_JUDGES:
        interval = interval_for(Target.NEW_CASES, judges.alpha)
        around = f" ({bounds(interval, significant)})" if interval else ""
        yield line(f"agreement between judges: alpha {estimated(judges.alpha, significant)}{around}")
    repeated = [
        (Name(judge), f" {significant(alpha)}") for judge, alpha in judges.repeat.items() if alpha is not None
    ]
    if repeated:
        yield line("agreement of a judge with itself: alpha ", *listed(repeated, limit=NAMED))
    if judges.verdicts is not None:
        verdicts = judges.verdicts
        yield line(
            f"verdicts: both agree on {in_percent(verdicts.agreement)} of "
            f"{counted(verdicts.answers, 'answer')}, kappa {estimated(verdicts.kappa, significant)}; "
            f"they pass {share(verdicts.passed_by_first)} and {share(verdicts.passed_by_second)}",
            tone=Tone.QUIET,
        )


def _known(number: int | None) -> str:
    return UNDEFINED if number is None else count(number)


def _replies(number: int) -> str:
    return "1 reply" if number == 1 else f"{number:,} replies"
