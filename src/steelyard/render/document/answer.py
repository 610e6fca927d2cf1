"""Write the headline of a report: which subject passes most, and whether that is significant.

Headline and ranks use the pass rate; the score only if no rate is known. If some cases expect a refusal, both
use the share of answers that met the expectation.
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
    """A measure of subjects, and its wording in a sentence."""

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
    """Return the first lines of a report: why it has no result, the headline, what is unfinished."""
    headline = _no_result(report)
    answers = () if headline and primary(report) is None else (answer(report),)
    return (*headline, *answers, *unfinished(report))


def _no_result(report: Report) -> tuple[TextLine, ...]:
    """Return the headline of a run in which too many answers could not be checked."""
    if report.unchecked is None:
        return ()
    number, reason = report.unchecked.unchecked, report.unchecked.reason
    of = f"{count(number)} of {counted(report.unchecked.samples, 'sample')}"
    return (line(f"No result: {of} could not be checked{f' ({reason})' if reason else ''}.", tone=Tone.BAD),)


def answer(report: Report) -> TextLine:
    """Return the headline."""
    if not report.subjects:
        return line("Nothing to report: there are no outcomes.", tone=Tone.ANSWER)
    measure = primary(report)
    if measure is None:
        return line(f"No subject has a pass rate: {_why_none(report)}.", tone=Tone.ANSWER)
    return line(*_headline(report, measure), tone=Tone.ANSWER)


def _why_none(report: Report) -> str:
    if report.seen_samples and all(
        subject.coverage.errored and not subject.samples for subject in report.subjects
    ):
        return "every sample ended in an infrastructure error"
    missing = report.subjects[0].pass_rate
    return why(missing.reason, missing.detail)


def unfinished(report: Report) -> tuple[TextLine, ...]:
    """Return the progress of a run that was stopped or is still running."""
    if report.planned_samples is None:
        return ()
    fails = "; cases without a sample count as failures" if report.settings.missing is Missing.FAIL else ""
    checked = f"{count(report.seen_samples)} of {count(report.planned_samples)} planned samples are checked"
    return (line(f"The run is not finished: {checked}{fails}.", tone=Tone.WARNING),)


def primary(report: Report) -> Measure | None:
    """Return the measure of the headline: the pass rate, or the score if no rate is known."""
    rate = AS_EXPECTED if report.expects_refusal else PASS_RATE
    known = (
        measure
        for measure in (rate, SCORE)
        if any(measure.value(subject).value is not None for subject in report.subjects)
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


def _headline(report: Report, measure: Measure) -> tuple[Piece, ...]:
    best, *others = (subject for subject in ranked(report) if measure.value(subject).value is not None)
    top = _value(best, measure)
    if len(report.subjects) == 1:
        cases = counted(cases_in_means(best, report.settings), "case")
        return (
            *_label(best, report),
            f" {measure.verb} {measure.written(top)} of {cases}{_overall(best, report)}.",
        )
    missing = len(report.subjects) - 1 - len(others)
    rest = f" {missing} {'has' if missing == 1 else 'have'} no value." if missing and others else ""
    return (*_of_several(report, measure, best, others), rest)


def _overall(subject: SubjectSummary, report: Report) -> str:
    """Return the overall score where there are suites: the mean of their pass rates."""
    if not Labels.of(report).has_suites or subject.overall.macro.value is None:
        return ""
    suites = len({suite.suite for suite in report.suites})
    return f", and {in_percent(subject.overall.macro.value)} in the mean of {suites} suites"


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
    """Return the two best with their values, and whether the difference is significant."""
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
    # The top set: subjects not significantly worse than the best, on the cases that all have.
    if second.standing.in_top_set or best.standing.rank != 1:
        return (": too close to call",)
    return (": ", *_label(best, report), " is better on these cases")


def distinct(first: float, second: float, written: Callable[[float], str]) -> tuple[str, str]:
    """Format two numbers with enough digits to distinguish them."""
    if written(first) != written(second):
        return written(first), written(second)
    return f"{100 * first:.2f} %", f"{100 * second:.2f} %"


def _label(subject: SubjectSummary, report: Report) -> Sequence[Piece]:
    """Return the shortest distinguishing name: the tier alone if there is only one model."""
    labels = Labels.of(report)
    return (Name(subject.tier),) if labels.has_tiers and not labels.has_models else labels.subject(subject)


def _value(subject: SubjectSummary, measure: Measure) -> float:
    value = measure.value(subject).value
    return 0.0 if value is None else value
