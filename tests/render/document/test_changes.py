import re
from dataclasses import replace

import pytest

from steelyard.model.comparison import Comparison, SubjectComparison
from steelyard.model.estimate import Estimate
from steelyard.model.verdict import DetectionChances
from steelyard.render.document.blocks import TextLine, Tone
from steelyard.render.document.changes import answers, changes_section, evidence
from steelyard.render.document.pair_labels import PairLabels
from steelyard.render.numbers import UNDEFINED
from tests.analysis.comparisons import change, compared, comparison, pair
from tests.analysis.reports import interval, rerun
from tests.render.document.reading import columns, said, sentence

RATES = "pass rate 0.8333 → 0.8000 over 15 cases, -3.3 points (95 % on a re-run -9.1 to +2.4)"
REACH = (
    "in such runs a gate sees a drop of 5 points over all cases in about 89 % of comparisons, "
    "and one broken case in about 66 %"
)
BETTER = replace(
    compared(p_drop=0.999),
    current_pass_rate=0.9,
    pass_rate_change=Estimate.of(0.0667, interval(-0.01, 0.14), rerun(0.02, 0.11)),
)
SAME = replace(
    compared(p_drop=1), pass_rate_change=Estimate.of(0.0), current_pass_rate=0.8333, worse=0, better=0
)


def broken_in(*subjects: SubjectComparison, broken: tuple[str, ...] = ()) -> tuple[Comparison, PairLabels]:
    """Return a comparison whose broken cases are of acme/large, and its names."""
    regressions = [change(name, 1.0, 0.0, p=0.001) for name in broken]
    whole = comparison(subjects=subjects, regressions=regressions)
    return whole, PairLabels.of(subject.pair for subject in subjects)


def answered(*subjects: SubjectComparison, broken: tuple[str, ...] = ()) -> list[TextLine]:
    return list(answers(*broken_in(*subjects, broken=broken)))


def behind(*subjects: SubjectComparison, broken: tuple[str, ...] = ()) -> list[TextLine]:
    return list(evidence(*broken_in(*subjects, broken=broken)))


@pytest.mark.parametrize(
    ("subject", "tone", "words"),
    [
        (compared(), Tone.ANSWER, "acme/large passes 80 %, before 83 %: too close to call."),
        (
            compared(p_drop=0.04),
            Tone.OPEN,
            "acme/large passes 80 %, before 83 %: perhaps worse, perhaps noise.",
        ),
        (compared(p_drop=0.0004), Tone.BAD, "acme/large passes 80 %, before 83 %: it became worse."),
        (BETTER, Tone.GOOD, "acme/large passes 90 %, before 83 %: it became better."),
        (SAME, Tone.ANSWER, "acme/large passes 83 %, as before: no case changed."),
        (
            replace(compared(), current_pass_rate=0.8301),
            Tone.ANSWER,
            "acme/large passes 83.01 %, before 83.33 %: too close to call.",
        ),
        (
            compared(pair("old", "new"), p_drop=0.0004),
            Tone.BAD,
            "new passes 80 %, old 83 %: old is better.",
        ),
        (replace(BETTER, pair=pair("old", "new")), Tone.GOOD, "new passes 90 %, old 83 %: new is better."),
        (replace(SAME, pair=pair("old", "new")), Tone.ANSWER, "new passes 83 %, old 83 %: no case differs."),
    ],
)
def test_the_answer_is_what_a_person_would_say(subject: SubjectComparison, tone: Tone, words: str) -> None:
    [line] = answered(subject)

    assert sentence(line) == words
    assert line.tone is tone


@pytest.mark.parametrize("p", [0.0004, 0.04, 0.41, 0.999])
def test_the_answer_has_two_numbers_at_the_most_and_no_brackets(p: float) -> None:
    scored = replace(compared(p_drop=p), p_score=0.001, score_worse=3)

    for line in answered(scored, broken=("lru_cache",)):
        assert len(re.findall(r"\d[\d.,]*", sentence(line))) <= 2
        assert "(" not in sentence(line)


@pytest.mark.parametrize(
    ("subject", "words"),
    [
        (compared(), f"no evidence of a drop (p = 0.41); {RATES}; {REACH}"),
        (
            compared(p_drop=0.04),
            f"perhaps a drop, not clear above p = 0.025 (p = 0.04); {RATES}; {REACH}",
        ),
        (compared(p_drop=0.0004), f"a drop (p = 0.0004, odds ratio 0.71); {RATES}"),
        (replace(compared(p_drop=0.0004), odds_ratio=None), f"a drop (p = 0.0004); {RATES}"),
        (
            BETTER,
            "better; pass rate 0.8333 → 0.9000 over 15 cases, +6.7 points (95 % on a re-run +2.0 to +11.0)",
        ),
        (
            SAME,
            f"no change in any of 15 cases; pass rate 0.8333 → 0.8333 over 15 cases, 0.0 points; {REACH}",
        ),
        (
            replace(compared(), detection=None),
            f"no evidence of a drop (p = 0.41); {RATES}",
        ),
    ],
)
def test_the_numbers_behind_it_are_a_sentence(subject: SubjectComparison, words: str) -> None:
    [line] = behind(subject)

    assert sentence(line) == f"acme/large: {words}."


SCORE = "(95 % on a re-run -8.0 to +3.8), it fell in 9 and rose in 2 of 15 cases"


@pytest.mark.parametrize(
    ("p", "tone", "words"),
    [
        (0.001, Tone.BAD, "the mean score dropped (p = 0.001)"),
        (0.05, Tone.OPEN, "perhaps the mean score dropped, not clear above p = 0.025 (p = 0.05)"),
        (0.43, Tone.ANSWER, "no evidence of a drop of the mean score (p = 0.43)"),
    ],
)
def test_scores_have_a_sentence_of_their_own(p: float, tone: Tone, words: str) -> None:
    subject = replace(SAME, p_score=p, score_worse=9, score_better=2)
    passes, scores = behind(subject)
    short, short_scores = answered(subject)

    assert "no change in the passes of any of 15 cases" in sentence(passes)
    assert sentence(scores) == f"acme/large: {words}; -2.1 points {SCORE}."
    assert sentence(short) == "acme/large passes 83 %, as before: the passes of no case changed."
    assert sentence(short_scores) == f"acme/large: {words.partition(' (')[0]}."
    assert short_scores.tone is tone


def test_scores_that_say_nothing_new_have_none() -> None:
    assert len(answered(replace(compared(), p_score=0.4, score_worse=1))) == 1
    [line] = behind(replace(SAME, p_score=1.0))
    assert "no change in any of 15 cases" in sentence(line)


def test_a_model_whose_scores_dropped_comes_before_one_that_did_not_change() -> None:
    dropped = replace(SAME, pair=pair("b", "b"), p_score=0.001, score_worse=15)

    shown = [sentence(line)[:2] for line in answered(replace(SAME, pair=pair("a", "a")), dropped)]
    assert shown == ["b ", "b:", "a "]


def test_a_broken_case_is_named_even_when_the_whole_shows_no_drop() -> None:
    [short] = answered(compared(), broken=("lru_cache",))
    [line] = behind(compared(), broken=("lru_cache",))

    assert short.tone is Tone.BAD
    assert sentence(line) == (
        f"acme/large: no evidence of a drop overall (p = 0.41), but lru_cache stands out from noise;"
        f" {RATES}; {REACH}."
    )


def test_broken_cases_are_named_beside_a_drop_of_the_whole() -> None:
    [line] = behind(compared(p_drop=0.001), broken=("a", "b"))

    assert sentence(line).startswith(
        "acme/large: a drop (p = 0.001, odds ratio 0.71); a and b stand out from noise; pass rate"
    )


def test_the_worst_comes_first_and_a_broken_case_blames_nobody_else() -> None:
    fine, better = compared(pair("fine", "fine")), replace(BETTER, pair=pair("better", "better"))

    lines = [sentence(line) for line in behind(better, fine, compared(), broken=("x",))]

    assert [line.partition(";")[0] for line in lines] == [
        "acme/large: no evidence of a drop overall (p = 0.41), but x stands out from noise",
        "fine: no evidence of a drop (p = 0.41)",
        "better: better",
    ]


def test_a_blunt_comparison_does_not_sound_like_an_all_clear() -> None:
    [line] = behind(replace(compared(), detection=DetectionChances(drop=0.05, spread=0.08, one_case=0)))

    assert sentence(line).endswith(
        "; in such runs a gate sees a drop of 5 points over all cases in about 8 % of comparisons, "
        "and one broken case in 2 % or less."
    )


def test_two_names_stand_side_by_side_when_they_differ() -> None:
    [line] = behind(compared(pair("old", "new")))

    assert sentence(line).startswith("old → new: no evidence of a drop")


def test_the_numbers_of_each_subject_stand_in_a_table() -> None:
    whole = comparison(subjects=[compared()])

    section = changes_section(whole, PairLabels.of([pair()]))

    assert columns(section) == {
        "model": ["acme/large"],
        "cases": ["15"],
        "worse": ["3"],
        "better": ["2"],
        "pass rate": ["-3.3"],
        "pass rate, 95 % new cases": ["-12.0 to +5.4"],
        "pass rate, re-run": ["-9.1 to +2.4"],
        "score": ["-2.1"],
        "score, 95 % new cases": ["-10.0 to +6.0"],
        "score, re-run": ["-8.0 to +3.8"],
        "odds ratio": ["0.71"],
        "p of a drop": ["0.41"],
    }
    assert said(section) == [
        "new cases: what to expect on other cases like these; re-run: on these same cases drawn again"
    ]


def test_a_score_that_is_the_pass_rate_is_not_shown_twice() -> None:
    one = compared(p_drop=1e-9)
    same = replace(one, score_change=one.pass_rate_change, odds_ratio=None)

    table = columns(changes_section(comparison(subjects=[same]), PairLabels.of([pair()])))

    assert "score" not in table
    assert (table["odds ratio"], table["p of a drop"]) == ([UNDEFINED], ["< 0.0001"])


def test_without_intervals_there_are_no_columns_for_them() -> None:
    bare = replace(compared(), pass_rate_change=Estimate.of(-0.01), score_change=Estimate.of(-0.01))

    table = columns(changes_section(comparison(subjects=[bare]), PairLabels.of([pair()])))

    assert "pass rate, re-run" not in table


def test_better_has_a_p_value_of_its_own() -> None:
    [line] = behind(replace(BETTER, p_rise=0.004))

    assert sentence(line).startswith("acme/large: better (p = 0.004); pass rate")


def test_a_rise_that_noise_explains_is_not_better_whatever_its_interval() -> None:
    [line] = answered(replace(BETTER, p_rise=0.04))

    assert "better" not in sentence(line)


def test_a_rise_of_the_score_is_said() -> None:
    scored = replace(SAME, p_score=0.99, p_score_rise=0.001, score_worse=2, score_better=9)

    assert "the mean score rose (p = 0.001)" in sentence(behind(scored)[-1])
