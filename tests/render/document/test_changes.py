"""The sentence of each subject in a comparison, and the numbers behind it."""

from dataclasses import replace

import pytest

from steelyard.model.comparison import SubjectComparison
from steelyard.model.estimate import Estimate
from steelyard.model.verdict import Ground
from steelyard.render.document.blocks import Tone
from steelyard.render.document.changes import answers, changes_section, evidence
from steelyard.render.document.comparison import pair_labels
from tests.analysis.comparisons import SITUATIONS, compared, comparison, decision, pair, ref
from tests.analysis.reports import interval, rerun
from tests.render.document.reading import sentence as sentence_text


def sentence(subject: SubjectComparison) -> str:
    return sentences(subject)[0]


def sentences(*subjects: SubjectComparison) -> list[str]:
    found = comparison(subjects=subjects)
    return [sentence_text(one) for one in answers(found, pair_labels(found))]


def numbers_of(subject: SubjectComparison) -> str:
    found = comparison(subjects=[subject])
    return " ".join(sentence_text(one) for one in evidence(found, pair_labels(found)))


@pytest.mark.parametrize(
    ("ground", "meaning"),
    [
        (Ground.OVERALL_DROP, "it became worse"),
        (Ground.BROKEN_CASES, "1 of 15 cases dropped: lru_cache"),
        (Ground.SCORE_DROP, "its mean score fell"),
        (Ground.WITHIN_MARGIN, "no drop of 5 points or more"),
        (Ground.TOO_FEW_SAMPLES, "too close to call"),
        (Ground.CASES_STAND_OUT, "1 of 15 cases dropped: lru_cache"),
        (Ground.DEPENDENT_SAMPLES, "samples within a run are not independent"),
        (Ground.TOO_MANY_ERRORS, "0 % of the samples are infrastructure errors"),
        (Ground.MISSING_CASES, "cases of the baseline are missing"),
    ],
)
def test_each_ground_has_its_meaning_behind_both_rates(ground: Ground, meaning: str) -> None:
    subject = replace(compared(), decision=decision(ground), named_cases=(ref("lru_cache"),))

    assert sentence(subject).startswith("acme/large passes 80 %, before 83 %: ")
    assert sentence(subject).endswith(f"{meaning}.")


def test_between_two_models_the_words_are_neutral() -> None:
    two = pair("acme/large", "acme/small")

    worse = replace(compared(two), decision=decision(Ground.OVERALL_DROP))
    better = replace(compared(two), decision=decision(Ground.WITHIN_MARGIN, now=0.9, p_rise=0.001))

    assert sentence(worse) == "acme/small passes 80 %, acme/large 83 %: acme/large is better."
    assert sentence(better) == "acme/small passes 90 %, acme/large 83 %: acme/small is better."


def test_a_rise_beyond_noise_is_better_and_one_that_is_noise_is_not() -> None:
    risen = [decision(Ground.WITHIN_MARGIN, now=0.9, p_rise=p) for p in (0.02, 0.03)]

    endings = [sentence(replace(compared(), decision=one)).partition(": ")[2] for one in risen]

    assert endings == ["it became better.", "no drop of 5 points or more."]


def test_the_worst_subject_comes_first_and_stands_out_by_its_tone() -> None:
    fine, worse = compared(), replace(compared(pair("b", "b")), decision=decision(Ground.OVERALL_DROP))
    found = comparison(subjects=[fine, worse])

    tones = [one.tone for one in answers(found, pair_labels(found))]

    assert sentences(fine, worse)[0].startswith("b passes")
    assert tones == [Tone.BAD, Tone.ANSWER]


def test_a_drop_beside_an_interval_that_includes_none_has_its_reason() -> None:
    both = Estimate.of(-0.006, interval(-0.019, 0.007), rerun(-0.013, 0.001))
    drop = replace(compared(), decision=decision(Ground.OVERALL_DROP), pass_rate_change=both)
    clear = replace(drop, pass_rate_change=Estimate.of(-0.1, interval(-0.2, -0.01), rerun(-0.15, -0.05)))

    assert "more sensitive than this interval" in numbers_of(drop)
    assert "sharper" not in numbers_of(clear)


def test_the_numbers_are_p_rates_and_power() -> None:
    text = numbers_of(compared())

    assert "p = 0.41" in text
    assert "pass rate 0.8333 → 0.8000 over 15 cases" in text
    assert "power: a drop of 5 points" in text
    assert "power" not in numbers_of(replace(compared(), decision=decision(Ground.OVERALL_DROP)))


def test_a_score_has_a_line_of_its_own() -> None:
    scored = replace(compared(), p_score=0.001, score_worse=4, score_better=1)

    assert "mean score -2.1 points" in numbers_of(scored)
    assert "it fell in 4 and rose in 1 of 15 cases (p = 0.001)" in numbers_of(scored)


def test_without_a_shared_case_nothing_was_compared() -> None:
    assert "Nothing was compared" in sentences()[0]


def test_every_situation_has_a_row_of_numbers() -> None:
    for found in SITUATIONS.values():
        assert changes_section(found, pair_labels(found)).rows
