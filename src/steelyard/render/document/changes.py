"""Answer for each subject whether it became worse, and put the numbers behind that side by side."""

from collections.abc import Sequence
from enum import IntEnum

from steelyard.model.comparison import Comparison, ScoreChange, SubjectComparison
from steelyard.model.estimate import Estimate, Target
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
    interval_for,
    level,
    or_undefined,
    p_value,
    points,
    share,
)
from steelyard.render.words import counted

CASES_NAMED = 5
SUBJECTS_SHOWN = 60
SURE = 0.025  # a one-sided p of this size goes with a two-sided interval of 95 % that leaves out no change
SUSPICIOUS = 0.1


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
    """Return a sentence on the passes of each subject, and one on its scores if need be; the worst first."""
    if not comparison.subjects:
        return (line("Nothing was compared: the two reports share no case.", tone=Tone.WARNING),)
    found: list[tuple[ChangeAnswer, tuple[TextLine, ...]]] = []
    for subject in comparison.subjects:
        broken = _standing_out(subject, comparison)
        answer = _answer(subject, broken)
        pieces = (
            *labels.pair(subject.pair),
            f": {_in_words(answer, subject)}",
            *_standing(answer, broken),
            f"; {_rates(subject)}{_detection(answer, subject)}.",
        )
        passes = line(*pieces, tone=TONES.get(answer, Tone.ANSWER))
        worst, scores = _score_answer(subject, answer, labels)
        found.append((worst, (passes, *scores)))
    return tuple(said for _, lines in sorted(found, key=lambda one: one[0]) for said in lines)


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


def detections(comparison: Comparison, labels: PairLabels) -> Section:
    """Return what a gate would have seen of each subject; the answers say so in other formats."""
    known = [(row, row.detection) for row in comparison.subjects if row.detection is not None]
    lines = tuple(
        line(*labels.pair(row.pair), f": a gate sees {chances_in_words(chances)}.")
        for row, chances in known[:SUBJECTS_SHOWN]
    )
    return Section(lines=lines, only_in=frozenset({"html"}))


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


def _score_answer(
    subject: SubjectComparison, passes: ChangeAnswer, labels: PairLabels
) -> tuple[ChangeAnswer, tuple[TextLine, ...]]:
    """Return the worse answer of passes and scores, and a sentence on the scores if it adds to the passes."""
    p = subject.p_score
    if p is None:
        return passes, ()
    if p <= SURE:
        answer, words = ChangeAnswer.DROP, "the mean score dropped"
    elif p <= SUSPICIOUS:
        answer, words = ChangeAnswer.SUSPICION, "perhaps the mean score dropped, but noise may do the same"
    elif subject.p_score_rise is not None and subject.p_score_rise <= SURE:
        answer, words, p = ChangeAnswer.BETTER, "the mean score rose", subject.p_score_rise
    elif passes is ChangeAnswer.SAME and _has_other_scores(subject):
        answer, words = ChangeAnswer.NO_EVIDENCE, "no evidence of a drop of the mean score"
    else:
        return passes, ()
    said = f": {words} ({p_value(p)}); {_score_change(subject)}."
    tone = TONES.get(answer, Tone.ANSWER)
    return min(passes, answer), (line(*labels.pair(subject.pair), said, tone=tone),)


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
            return f"perhaps a drop, but noise may do the same ({p})"
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
