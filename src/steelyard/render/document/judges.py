"""Show how answers were judged: by which judges, how far they agree, and the cost."""

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
    """Return who judged, how far they agree, and what it took, subject by subject."""
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


def _lines(found: JudgesSummary) -> Iterator[TextLine]:
    judges: list[tuple[Piece, ...]] = [(Name(judge),) for judge in found.judges]
    unusable = f"{found.unusable} ({in_percent(found.unusable / found.replies)})" if found.replies else "0"
    cost = "an unknown cost" if found.cost_usd is None else usd(found.cost_usd)
    yield line(
        "judged by ",
        *listed(judges, limit=NAMED),
        " by the rubric ",
        Name(found.rubric),
        f" ({found.rubric_digest[:8]}): {counted(found.answers, 'different answer')}, "
        f"{_replies(found.replies)}, {unusable} unusable, for {cost}",
    )
    yield from _unheard(found)
    yield from _agreement(found)
    if found.totals_off:
        text = f"in {_replies(found.totals_off)} the judge's own total is not what its ratings come to"
        yield line(f"{text}; it is not used", tone=Tone.QUIET)


def _unheard(found: JudgesSummary) -> Iterator[TextLine]:
    """Say whose replies cannot be used; a judge that says nothing of use leaves its word to the others."""
    if len(found.judges) < FEWEST_JUDGES or not found.unusable_by_judge:
        return
    text = [
        (Name(judge), f" {count(number)}{_missing(found, judge)}")
        for judge, number in found.unusable_by_judge.items()
    ]
    yield line("unusable replies by judge: ", *listed(text, limit=NAMED))


def _missing(found: JudgesSummary, judge: str) -> str:
    number = found.missing_by_judge.get(judge, 0)
    return f" (nothing of use about {counted(number, 'answer')})" if number else ""


def _agreement(found: JudgesSummary) -> Iterator[TextLine]:
    if len(found.judges) >= FEWEST_JUDGES:
        interval = interval_for(Target.NEW_CASES, found.alpha)
        around = f" ({bounds(interval, significant)})" if interval else ""
        yield line(f"agreement between judges: alpha {estimated(found.alpha, significant)}{around}")
    repeated = [
        (Name(judge), f" {significant(alpha)}") for judge, alpha in found.repeat.items() if alpha is not None
    ]
    if repeated:
        yield line("agreement of a judge with itself: alpha ", *listed(repeated, limit=NAMED))
    if found.verdicts is not None:
        verdicts = found.verdicts
        yield line(
            f"who passes: both say the same of {in_percent(verdicts.agreement)} of "
            f"{counted(verdicts.answers, 'answer')}, kappa {estimated(verdicts.kappa, significant)}; "
            f"they pass {share(verdicts.passed_by_first)} and {share(verdicts.passed_by_second)}",
            tone=Tone.QUIET,
        )


def _known(number: int | None) -> str:
    return UNDEFINED if number is None else count(number)


def _replies(number: int) -> str:
    return "1 reply" if number == 1 else f"{number:,} replies"
