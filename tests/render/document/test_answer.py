"""The first sentence of a report: who passes most, and whether that is sure, in at most two numbers."""

from dataclasses import replace

import pytest

from steelyard.model.estimate import Estimate, Reason
from steelyard.model.report import Report, SubjectSummary, UncheckedSamples
from steelyard.render.document.answer import answer, opening, ranked
from tests.analysis.reports import (
    NOT_MEASURED,
    bare_subject,
    report,
    standing,
    subject,
    undefined_subject,
)
from tests.render.document.reading import sentence


def said(whole: Report) -> str:
    return sentence(answer(whole))


def passing(model: str, rate: float, *, tier: str = "T0", rank: int = 0, top: bool = True) -> SubjectSummary:
    """Return a subject with a pass rate and, if it is ranked, whether it may well be the best."""
    place = standing(rank, top=top) if rank else None
    return replace(subject(model, tier), pass_rate=Estimate.of(rate), standing=place)


def test_two_that_are_not_shown_to_differ_are_too_close_to_call() -> None:
    whole = report(passing("m", 0.76, tier="T0", rank=2), passing("m", 0.8, tier="T1", rank=1))

    assert said(whole) == "T1 passes 80 %, T0 76 %: too close to call."


def test_one_that_is_shown_to_be_better_is_called_better() -> None:
    whole = report(passing("a", 0.9, rank=1), passing("b", 0.5, rank=2, top=False))

    assert said(whole) == "a passes 90 %, b 50 %: a is better on these cases."


def test_with_too_few_cases_to_test_the_sentence_says_so() -> None:
    assert said(report(passing("a", 0.9), passing("b", 0.5))) == (
        "a passes 90 %, b 50 %: too few cases to tell."
    )


def test_where_a_stop_rule_chose_the_samples_nothing_is_said_about_a_test() -> None:
    stopped = report(passing("a", 0.9), passing("b", 0.5))
    stopped = replace(stopped, settings=replace(stopped.settings, stop_rule="passes=1"))

    assert said(stopped) == "a passes 90 %, b 50 %."


def refusing(whole: Report, *met: float) -> Report:
    """Return a report in which refusing is right in some case, and so many samples end as they should."""
    subjects = [
        replace(one, expectation_met=Estimate.of(share))
        for one, share in zip(whole.subjects, met, strict=True)
    ]
    return replace(whole, subjects=tuple(subjects), expects_refusal=(("s", "bomb"),))


def test_where_refusing_is_right_the_answer_goes_by_what_ends_as_it_should() -> None:
    two = report(passing("complies", 0.9, rank=2, top=False), passing("refuses", 0.5, rank=1))

    assert said(refusing(two, 0.6, 0.9)) == (
        "refuses does what it should in 90 %, complies 60 %: refuses is better on these cases."
    )
    assert [one.model for one in ranked(refusing(two, 0.6, 0.9))] == ["refuses", "complies"]
    assert said(refusing(two, 0.8, 0.8)) == "complies and refuses do what they should in 80 % each."


def test_a_lone_subject_does_what_it_should_in_a_share_of_its_cases() -> None:
    assert said(refusing(report(passing("m", 0.25)), 0.75)) == "m does what it should in 75 % of 12 cases."


def test_of_many_the_two_best_are_named() -> None:
    whole = report(passing("a", 0.5, rank=3, top=False), passing("b", 0.9, rank=1), passing("c", 0.7, rank=2))

    assert said(whole) == "Best of 3 models: b passes 90 %, c 70 %: too close to call."


def test_models_in_several_tiers_are_named_with_their_tier() -> None:
    whole = report(passing("a", 0.9, tier="T0"), passing("b", 0.8, tier="T1"))

    assert said(whole) == "a in T0 passes 90 %, b in T1 80 %: too few cases to tell."


def test_numbers_that_round_alike_get_more_digits() -> None:
    assert said(report(passing("a", 0.8012), passing("b", 0.7991))).startswith("a passes 80.12 %, b 79.91 %")


def test_equals_share_the_first_place() -> None:
    assert said(report(passing("a", 0.8), passing("b", 0.8))) == "a and b pass 80 % each."
    five = report(*(passing(name, 0.8) for name in "abcde"))
    assert said(five) == "Best of 5 models: a, b, c and 2 more pass 80 % each."


def test_a_single_subject_has_no_rival() -> None:
    assert said(report(bare_subject("a"))) == "a passes 77 % of 12 cases."


def test_the_score_does_not_decide_where_pass_rates_are_known() -> None:
    low_score = replace(passing("a", 0.9), score=Estimate.of(0.1))

    assert said(report(low_score, passing("b", 0.5))).startswith("a passes 90 %")
    assert [one.model for one in ranked(report(passing("b", 0.5), low_score))] == ["a", "b"]


def test_without_pass_rates_the_score_decides() -> None:
    rated = replace(subject("a"), pass_rate=NOT_MEASURED)

    assert said(report(rated, replace(rated, model="b", score=Estimate.of(0.9)))) == (
        "b scores 0.9000, a 0.8550."
    )


def test_a_subject_without_a_value_takes_no_part() -> None:
    assert said(report(undefined_subject("a"), subject("b"))) == "b passes 77 %; no other has a value."


def test_no_outcome_and_no_value_are_said() -> None:
    assert said(report()) == "Nothing to report: there are no outcomes."
    missing = Estimate.undefined(Reason.NO_SAMPLES)
    nothing = replace(undefined_subject("a"), pass_rate=missing, score=missing)
    assert said(report(nothing)) == "No subject has a pass rate: samples are missing."


def test_a_run_whose_every_call_failed_is_not_said_to_lack_samples() -> None:
    missing = Estimate.undefined(Reason.NO_SAMPLES)
    empty = replace(undefined_subject("a"), pass_rate=missing, score=missing, samples=0)
    errored = replace(empty, coverage=replace(empty.coverage, errored=3))

    assert (
        said(report(errored)) == "No subject has a pass rate: every sample ended in an infrastructure error."
    )
    assert said(report(errored, replace(empty, model="b"))) == (
        "No subject has a pass rate: samples are missing."
    )


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_it_holds_no_more_than_two_measured_numbers_and_no_brackets(count: int) -> None:
    text = said(report(*(passing(f"m{place}", 0.9 - place / 10, rank=place + 1) for place in range(count))))

    assert text.count("%") <= 2
    assert not set("()[]") & set(text)


def test_one_is_called_better_only_if_the_other_was_tested_against_it() -> None:
    """The first of the cases that all have is another model, which lacks cases."""
    whole = report(
        passing("leader", 0.5, rank=1), passing("b", 0.98, rank=2), passing("s", 0.96, rank=3, top=False)
    )

    assert said(whole) == "Best of 3 models: b passes 98 %, s 96 %: too close to call."


def test_a_report_with_too_many_unchecked_samples_opens_with_no_result() -> None:
    unchecked = UncheckedSamples(unchecked=24, samples=26, reason="pytest is not installed")
    whole = replace(report(passing("a", 0.9)), unchecked=unchecked)

    headline, estimate = map(sentence, opening(whole))

    assert headline == "No result: 24 of 26 samples could not be checked (pytest is not installed)."
    assert estimate.startswith("a passes 90 %")
