"""Write the first sentence of a report as a person would say it: who passes most, and whether that is sure.

The pass rate is the measure of the sentence, as it is that of the ranks; scores only stand in for it. In a
set where refusing is right in some case, both go by the answers that end as they should.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from steelyard.model.estimate import Estimate
from steelyard.model.options import Missing
from steelyard.model.report import Report, SubjectSummary
from steelyard.render.document.blocks import Name, Piece, TextLine, Tone, line, listed
from steelyard.render.document.labels import Labels, cases_in_means
from steelyard.render.numbers import count, in_percent, share
from steelyard.render.words import counted, why

BEST_NAMED = 3
TWO = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A measure of subjects, and how a sentence says it."""

    title: str
    value: Callable[[SubjectSummary], Estimate]
    verb: str  # of one subject
    verb_of_several: str
    written: Callable[[float], str]


PASS_RATE = Measure(
    title="passes",
    value=lambda subject: subject.pass_rate,
    verb="passes",
    verb_of_several="pass",
    written=in_percent,
)
AS_EXPECTED = Measure(
    title="as expected",
    value=lambda subject: subject.expectation_met or subject.pass_rate,
    verb="does what it should in",
    verb_of_several="do what they should in",
    written=in_percent,
)
SCORE = Measure(
    title="score",
    value=lambda subject: subject.score,
    verb="scores",
    verb_of_several="score",
    written=share,
)


def opening(report: Report) -> tuple[TextLine, ...]:
    """Return the first lines of a report: why it has no result, the answer, what is not finished."""
    headline = _no_result(report)
    answers = () if headline and primary(report) is None else (answer(report),)
    return (*headline, *answers, *unfinished(report))


def _no_result(report: Report) -> tuple[TextLine, ...]:
    """Return the headline of a run of which too many answers could not be checked."""
    if report.unchecked is None:
        return ()
    number, reason = report.unchecked.unchecked, report.unchecked.reason
    of = f"{count(number)} of {counted(report.unchecked.samples, 'sample')}"
    return (line(f"No result: {of} could not be checked{f' ({reason})' if reason else ''}.", tone=Tone.BAD),)


def answer(report: Report) -> TextLine:
    """Return the sentence that compares the subjects."""
    if not report.subjects:
        return line("There is nothing to report: no outcome was found.", tone=Tone.ANSWER)
    measure = primary(report)
    if measure is None:
        return line(f"No subject has a pass rate: {_why_none(report)}.", tone=Tone.ANSWER)
    return line(*_said(report, measure), tone=Tone.ANSWER)


def _why_none(report: Report) -> str:
    if report.seen_samples and all(
        subject.coverage.errored and not subject.samples for subject in report.subjects
    ):
        return "every sample ended in an infrastructure error"
    missing = report.subjects[0].pass_rate
    return why(missing.reason, missing.detail)


def unfinished(report: Report) -> tuple[TextLine, ...]:
    """Return how much of a run is there, if it was stopped or is still going on."""
    if report.planned_samples is None:
        return ()
    fails = "; cases without a sample count as failures" if report.settings.missing is Missing.FAIL else ""
    checked = f"{count(report.seen_samples)} of {count(report.planned_samples)} planned samples are checked"
    return (line(f"The run is not finished: {checked}{fails}.", tone=Tone.WARNING),)


def primary(report: Report) -> Measure | None:
    """Return the one measure that a report answers by: the pass rate; a score if no rate is known."""
    rate = AS_EXPECTED if report.expects_refusal else PASS_RATE
    known = (
        item
        for item in (rate, SCORE)
        if any(item.value(subject).value is not None for subject in report.subjects)
    )
    return next(known, None)


def ranked(report: Report) -> list[SubjectSummary]:
    """Return the subjects from the best to the worst, those without a value last."""
    measure = primary(report)
    values = [None if measure is None else measure.value(subject).value for subject in report.subjects]
    places = sorted(
        range(len(values)), key=lambda index: (values[index] is None, -(values[index] or 0.0), index)
    )
    return [report.subjects[index] for index in places]


def _said(report: Report, measure: Measure) -> tuple[Piece, ...]:
    best, *others = (item for item in ranked(report) if measure.value(item).value is not None)
    top = _value(best, measure)
    if len(report.subjects) == 1:
        cases = counted(cases_in_means(best, report.settings), "case")
        return (*_label(best, report), f" {measure.verb} {measure.written(top)} of {cases}.")
    missing = len(report.subjects) - 1 - len(others)
    rest = f" {missing} {'has' if missing == 1 else 'have'} no value." if missing and others else ""
    return (*_of_several(report, measure, best, others), rest)


def _of_several(
    report: Report, measure: Measure, best: SubjectSummary, others: Sequence[SubjectSummary]
) -> tuple[Piece, ...]:
    top = _value(best, measure)
    equals = [best, *(summary for summary in others if _value(summary, measure) == top)]
    noun = Labels.of(report).noun
    start = f"Best of {counted(1 + len(others), noun)}: " if 1 + len(others) > TWO else ""
    if len(equals) > 1:
        names = listed([_label(equal, report) for equal in equals], limit=BEST_NAMED)
        return (start, *names, f" {measure.verb_of_several} {measure.written(top)} each.")
    if not others:
        return (
            start,
            *_label(best, report),
            f" {measure.verb} {measure.written(top)}; no other has a value.",
        )
    return (start, *_pair(report, measure, best, others[0]))


def _pair(
    report: Report, measure: Measure, best: SubjectSummary, second: SubjectSummary
) -> tuple[Piece, ...]:
    """Return the two best with their values, and whether one is shown to be better."""
    first, next_best = distinct(_value(best, measure), _value(second, measure), measure.written)
    return (
        *_label(best, report),
        f" {measure.verb} {first}, ",
        *_label(second, report),
        f" {next_best}",
        *(_verdict(report, best, second) if measure is not SCORE else ()),
        ".",
    )


def _verdict(report: Report, best: SubjectSummary, second: SubjectSummary) -> tuple[Piece, ...]:
    if best.standing is None or second.standing is None:
        return () if report.settings.stop_rule else (": too few cases to tell",)
    # The top set is of those that are not shown to be worse than the first of the cases that all have.
    if second.standing.in_top_set or best.standing.rank != 1:
        return (": too close to call",)
    return (": ", *_label(best, report), " is better on these cases")


def distinct(first: float, second: float, written: Callable[[float], str]) -> tuple[str, str]:
    """Return two numbers with enough digits to tell them apart."""
    if written(first) != written(second):
        return written(first), written(second)
    return f"{100 * first:.2f} %", f"{100 * second:.2f} %"


def _label(subject: SubjectSummary, report: Report) -> Sequence[Piece]:
    """Return what tells a subject from the others: the tier alone where there is one model."""
    labels = Labels.of(report)
    return (Name(subject.tier),) if labels.has_tiers and not labels.has_models else labels.subject(subject)


def _value(subject: SubjectSummary, measure: Measure) -> float:
    value = measure.value(subject).value
    return 0.0 if value is None else value
