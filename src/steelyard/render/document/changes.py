"""Report for each subject of a comparison whether it became worse, and the numbers behind that."""

from collections.abc import Iterator

from steelyard.model.comparison import Comparison, SubjectComparison
from steelyard.model.estimate import Estimate, Target
from steelyard.model.verdict import GateRule, Ground
from steelyard.render.document.blocks import Section, TextLine, Tone, line, numbers
from steelyard.render.document.evidence import chances_in_words
from steelyard.render.document.intervals import TARGETS_IN_WORDS, change_columns
from steelyard.render.document.pair_labels import PairLabels
from steelyard.render.document.result_sentence import result_sentence, tone_of, worst_first
from steelyard.render.numbers import (
    bare_p_value,
    bounds,
    count,
    estimated,
    interval_for,
    level,
    or_undefined,
    p_value,
    points,
    share,
)
from steelyard.render.words import counted

SHARPER = "the exact test is more sensitive than this interval"


def answers(comparison: Comparison, labels: PairLabels) -> tuple[TextLine, ...]:
    """Return a sentence for each subject, worst verdict first."""
    if not comparison.subjects:
        return (line("Nothing was compared: the reports have no case in common.", tone=Tone.WARNING),)
    return tuple(_sentence(subject, labels) for subject in worst_first(comparison.subjects))


def evidence(comparison: Comparison, labels: PairLabels) -> tuple[TextLine, ...]:
    """Return the numbers behind each sentence, in the same order."""
    return tuple(row for subject in worst_first(comparison.subjects) for row in _numbers(subject, labels))


def _sentence(subject: SubjectComparison, labels: PairLabels) -> TextLine:
    margin = GateRule().margin
    pieces = result_sentence(subject.pair, subject.decision, subject.named_cases, labels, margin)
    return line(*pieces, ".", tone=tone_of(subject.decision))


def _numbers(subject: SubjectComparison, labels: PairLabels) -> Iterator[TextLine]:
    odds = "" if subject.odds_ratio is None else f", odds ratio {subject.odds_ratio:.2g}"
    test = f"all cases together {p_value(subject.p_drop)}{odds}"
    pair = labels.pair(subject.pair)
    yield line(*pair, f": {_rates(subject)}{_sharper(subject)}; {test}{_detection(subject)}.")
    if subject.p_score is not None:
        yield line(*pair, f": mean score {_score_change(subject)} ({p_value(subject.p_score)}).")


def _sharper(subject: SubjectComparison) -> str:
    """Return why a drop is reported although the interval includes zero."""
    interval = interval_for(Target.RERUN, subject.pass_rate_change)
    is_drop = Ground.OVERALL_DROP in subject.decision.grounds
    includes_zero = interval is not None and interval.high is not None and interval.high >= 0
    return f"; {SHARPER}" if is_drop and includes_zero else ""


def changes_section(comparison: Comparison, labels: PairLabels) -> Section:
    """Return a row of numbers for each subject."""
    rows = worst_first(comparison.subjects)
    if not rows:
        return Section()
    rates, scores = [row.pass_rate_change for row in rows], [row.score_change for row in rows]
    columns = (
        *labels.pair_columns([row.pair for row in rows]),
        numbers("cases", rows, lambda row: count(row.cases)),
        numbers("worse", rows, lambda row: count(row.worse)),
        numbers("better", rows, lambda row: count(row.better)),
        *change_columns("pass rate", rates),
        *(change_columns("score", scores) if scores != rates else ()),
        numbers("odds ratio", rows, lambda row: or_undefined(row.odds_ratio, "{:.2g}".format)),
        numbers("p of a drop", rows, lambda row: bare_p_value(row.p_drop)),
    )
    return Section(
        title="Change in points", columns=columns, lines=(line(TARGETS_IN_WORDS, tone=Tone.QUIET),)
    )


def _score_change(subject: SubjectComparison) -> str:
    change = _in_points(subject.score_change)
    fell, rose = count(subject.score_worse), count(subject.score_better)
    return f"{change}, it fell in {fell} and rose in {rose} of {counted(subject.cases, 'case')}"


def _rates(subject: SubjectComparison) -> str:
    before, after = share(subject.baseline_pass_rate), share(subject.current_pass_rate)
    change = _in_points(subject.pass_rate_change)
    return f"pass rate {before} → {after} over {counted(subject.cases, 'case')}, {change}"


def _in_points(change: Estimate) -> str:
    interval = interval_for(Target.RERUN, change)
    range_ = "" if interval is None else f" ({level(interval.level)} on a re-run {bounds(interval, points)})"
    return f"{estimated(change, points)} points{range_}"


def _detection(subject: SubjectComparison) -> str:
    """Return the power of the test, if it was inconclusive."""
    chances = subject.decision.evidence.detection
    return "" if chances is None else f"; power: {chances_in_words(chances)}"
