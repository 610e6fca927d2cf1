"""Answer for each subject whether it became worse, and put the numbers behind that side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from steelyard.model.comparison import Comparison, ScoreChange, SubjectComparison
from steelyard.model.estimate import Estimate, Target
from steelyard.render.document.answer import distinct
from steelyard.render.document.blocks import (
    Name,
    Piece,
    Section,
    TextLine,
    Tone,
    line,
    listed,
    numbers,
)
from steelyard.render.document.detection import chances_in_words
from steelyard.render.document.intervals import TARGETS_IN_WORDS, change_columns
from steelyard.render.document.pair_labels import PairLabels
from steelyard.render.numbers import (
    bare_p_value,
    bounds,
    count,
    estimated,
    in_percent,
    interval_for,
    level,
    or_undefined,
    p_value,
    points,
    share,
)
from steelyard.render.words import counted

CASES_NAMED = 5
SURE = 0.025  # a one-sided p of this size goes with a two-sided interval of 95 % that leaves out no change
SUSPICIOUS = 0.1
UNCLEAR = f"not clear above p = {SURE}"  # a gate, which looks for drops alone, takes 0.05


class ChangeAnswer(IntEnum):
    """What a comparison shows of one subject, worst first."""

    DROP = 0  # of all cases taken together
    BROKEN_CASES = 1  # of single cases only
    SUSPICION = 2  # of a drop, and no more than that
    NO_EVIDENCE = 3
    SAME = 4  # every single case passes as often as it did
    BETTER = 5


TONES = {
    ChangeAnswer.DROP: Tone.BAD,
    ChangeAnswer.BROKEN_CASES: Tone.BAD,
    ChangeAnswer.SUSPICION: Tone.OPEN,
    ChangeAnswer.BETTER: Tone.GOOD,
}


def answers(comparison: Comparison, labels: PairLabels) -> tuple[TextLine, ...]:
    """Return a short sentence on the passes of each subject, and one on its scores; the worst first."""
    if not comparison.subjects:
        return (line("Nothing was compared: the two reports share no case.", tone=Tone.WARNING),)
    return tuple(said for one in _judged(comparison) for said in _short(one, labels))


def evidence(comparison: Comparison, labels: PairLabels) -> tuple[TextLine, ...]:
    """Return the numbers behind each answer: p-values, odds ratios, intervals; in the same order."""
    return tuple(said for one in _judged(comparison) for said in _full(one, labels))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    """A subject, the answers on its passes and on its scores, and the cases that stand out."""

    subject: SubjectComparison
    passes: ChangeAnswer
    scores: "_ScoreAnswer | None"
    broken: Sequence[ScoreChange]

    @property
    def worst(self) -> ChangeAnswer:
        return self.passes if self.scores is None else min(self.passes, self.scores.answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ScoreAnswer:
    """What the scores show, in words, with the chance behind it."""

    answer: ChangeAnswer
    words: str
    p: float


def _judged(comparison: Comparison) -> list[_Judged]:
    found = []
    for subject in comparison.subjects:
        broken = _standing_out(subject, comparison)
        passes = _answer(subject, broken)
        scores = _score_answer(subject, passes)
        found.append(_Judged(subject=subject, passes=passes, scores=scores, broken=broken))
    return sorted(found, key=lambda one: one.worst)


def _short(one: _Judged, labels: PairLabels) -> Iterator[TextLine]:
    """Give the answers as a person would say them: two numbers at the most."""
    yield line(*_rates_in_words(one, labels), ".", tone=TONES.get(one.passes, Tone.ANSWER))
    if one.scores is not None:
        tone = TONES.get(one.scores.answer, Tone.ANSWER)
        yield line(*labels.pair(one.subject.pair), f": {one.scores.words}.", tone=tone)


def _rates_in_words(one: _Judged, labels: PairLabels) -> tuple[Piece, ...]:
    now, before = one.subject.current_pass_rate, one.subject.baseline_pass_rate
    old, new = labels.names(one.subject.pair)
    if one.passes is ChangeAnswer.SAME and old == new:
        what = "the passes of no case" if _has_other_scores(one.subject) else "no case"
        return (*new, f" passes {in_percent(now)}, as before: {what} changed")
    first, second = (in_percent(now),) * 2 if now == before else distinct(now, before, in_percent)
    other = ("before",) if old == new else old
    return (*new, f" passes {first}, ", *other, f" {second}: ", *_in_short(one, old, new))


def _in_short(one: _Judged, old: Sequence[Piece], new: Sequence[Piece]) -> tuple[Piece, ...]:
    match one.passes:
        case ChangeAnswer.DROP:
            return ("it became worse",) if old == new else (*old, " is better")
        case ChangeAnswer.BETTER:
            return ("it became better",) if old == new else (*new, " is better")
        case ChangeAnswer.BROKEN_CASES:
            return ("too close to call overall", *_standing(one.passes, one.broken))
        case ChangeAnswer.SUSPICION:
            return ("perhaps worse, perhaps noise",)
        case ChangeAnswer.SAME:
            return ("no case differs",)
    return ("too close to call",)


def _full(one: _Judged, labels: PairLabels) -> Iterator[TextLine]:
    subject = one.subject
    yield line(
        *labels.pair(subject.pair),
        f": {_in_words(one.passes, subject)}",
        *_standing(one.passes, one.broken),
        f"; {_rates(subject)}{_detection(one.passes, subject)}.",
    )
    if one.scores is not None:
        said = f": {one.scores.words} ({p_value(one.scores.p)}); {_score_change(subject)}."
        yield line(*labels.pair(subject.pair), said)


def changes_section(comparison: Comparison, labels: PairLabels) -> Section:
    """Return the numbers of each subject, side by side."""
    rows = comparison.subjects
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


def _standing_out(subject: SubjectComparison, comparison: Comparison) -> list[ScoreChange]:
    whose = (subject.pair.current_model, subject.pair.current_tier)
    return [
        change
        for change in comparison.regressions
        if change.stands_out and (change.model, change.tier) == whose
    ]


def _answer(subject: SubjectComparison, broken: Sequence[ScoreChange]) -> ChangeAnswer:
    if subject.p_drop <= SURE:
        return ChangeAnswer.DROP
    if broken:
        return ChangeAnswer.BROKEN_CASES
    if subject.p_drop <= SUSPICIOUS:
        return ChangeAnswer.SUSPICION
    if _is_better(subject):
        return ChangeAnswer.BETTER
    return ChangeAnswer.NO_EVIDENCE if subject.worse or subject.better else ChangeAnswer.SAME


def _is_better(subject: SubjectComparison) -> bool:
    """Whether the passes rose beyond noise; a comparison of an earlier version has no test of that."""
    if subject.p_rise is not None:
        return subject.p_rise <= SURE
    again = interval_for(Target.RERUN, subject.pass_rate_change)
    return again is not None and again.low is not None and again.low > 0


def _score_answer(subject: SubjectComparison, passes: ChangeAnswer) -> _ScoreAnswer | None:
    """Return what the scores show if that adds to what the passes show."""
    p, rise = subject.p_score, subject.p_score_rise
    if p is None:
        return None
    if p <= SURE:
        return _ScoreAnswer(answer=ChangeAnswer.DROP, words="the mean score dropped", p=p)
    if p <= SUSPICIOUS:
        words = f"perhaps the mean score dropped, {UNCLEAR}"
        return _ScoreAnswer(answer=ChangeAnswer.SUSPICION, words=words, p=p)
    if rise is not None and rise <= SURE:
        return _ScoreAnswer(answer=ChangeAnswer.BETTER, words="the mean score rose", p=rise)
    if passes is ChangeAnswer.SAME and _has_other_scores(subject):
        words = "no evidence of a drop of the mean score"
        return _ScoreAnswer(answer=ChangeAnswer.NO_EVIDENCE, words=words, p=p)
    return None


def _score_change(subject: SubjectComparison) -> str:
    change = _in_points(subject.score_change)
    fell, rose = count(subject.score_worse), count(subject.score_better)
    return f"{change}, it fell in {fell} and rose in {rose} of {counted(subject.cases, 'case')}"


def _has_other_scores(subject: SubjectComparison) -> bool:
    return bool(subject.score_worse or subject.score_better)


def _in_words(answer: ChangeAnswer, subject: SubjectComparison) -> str:
    p = p_value(subject.p_drop)
    match answer:
        case ChangeAnswer.DROP:
            odds = "" if subject.odds_ratio is None else f", odds ratio {subject.odds_ratio:.2g}"
            return f"a drop ({p}{odds})"
        case ChangeAnswer.BROKEN_CASES:
            return f"no evidence of a drop overall ({p})"
        case ChangeAnswer.SUSPICION:
            return f"perhaps a drop, {UNCLEAR} ({p})"
        case ChangeAnswer.NO_EVIDENCE:
            return f"no evidence of a drop ({p})"
        case ChangeAnswer.SAME:
            what = "no change in the passes of any" if _has_other_scores(subject) else "no change in any"
            return f"{what} of {counted(subject.cases, 'case')}"
    return "better" if subject.p_rise is None else f"better ({p_value(subject.p_rise)})"


def _standing(answer: ChangeAnswer, broken: Sequence[ScoreChange]) -> tuple[Piece, ...]:
    """Return which cases dropped by themselves."""
    if not broken:
        return ()
    names = listed([(Name(change.case),) for change in broken], limit=CASES_NAMED)
    joint = ", but " if answer is ChangeAnswer.BROKEN_CASES else "; "
    return (joint, *names, f" {'stands' if len(broken) == 1 else 'stand'} out from noise")


def _rates(subject: SubjectComparison) -> str:
    before, after = share(subject.baseline_pass_rate), share(subject.current_pass_rate)
    change = _in_points(subject.pass_rate_change)
    return f"pass rate {before} → {after} over {counted(subject.cases, 'case')}, {change}"


def _in_points(change: Estimate) -> str:
    again = interval_for(Target.RERUN, change)
    reach = "" if again is None else f" ({level(again.level)} on a re-run {bounds(again, points)})"
    return f"{estimated(change, points)} points{reach}"


def _detection(answer: ChangeAnswer, subject: SubjectComparison) -> str:
    """Return what a gate would have seen; a reader who was shown a change need not know."""
    if subject.detection is None or answer in {ChangeAnswer.DROP, ChangeAnswer.BETTER}:
        return ""
    return f"; in such runs a gate sees {chances_in_words(subject.detection)}"
