from dataclasses import replace

from steelyard.model.estimate import Estimate, Reason
from steelyard.model.options import Missing
from steelyard.model.report import Report
from steelyard.render.document.answer import answer
from tests.analysis.reports import (
    NOT_MEASURED,
    SETTINGS,
    at_ks,
    bare_subject,
    report,
    standing,
    subject,
    undefined_subject,
)
from tests.render.document.reading import sentence


def said(whole: Report) -> str:
    return sentence(answer(whole))


def test_the_best_of_several_is_named_with_the_next() -> None:
    whole = report(subject("a", score=0.5), subject("b", score=0.9), subject("c", score=0.7))

    assert said(whole) == (
        "b has the highest score of 3 models: 0.9000 (pass@1 0.7700; 12 cases, 60 samples);"
        " next is c (0.7000)."
    )


def test_a_single_subject_has_a_score_and_no_rank() -> None:
    assert said(report(bare_subject("a"))) == "a has a score of 0.7700 (pass@1 0.7700; 12 cases, 60 samples)."


def test_a_single_score_says_what_to_expect_elsewhere() -> None:
    assert said(report(subject("a"))) == (
        "a has a score of 0.8550 (pass@1 0.7700; 12 cases, 60 samples);"
        " on other cases like these expect 0.70–0.96 (95 %)."  # noqa: RUF001  # as shown
    )


def test_a_leader_who_may_not_be_the_best_does_not_get_to_boast() -> None:
    whole = report(
        replace(subject("a", score=0.96), standing=standing(1, 1, 2, top=True)),
        replace(subject("b", score=0.92), standing=standing(2, 1, 2, top=True)),
        replace(subject("c", score=0.5), standing=standing(3)),
    )

    assert said(whole) == (
        "a has the highest score of 3 models: 0.9600 (pass@1 0.7700; 12 cases, 60 samples),"
        " but b (0.9200) is not shown to be worse."
    )


def test_many_rivals_are_counted() -> None:
    rivals = [
        replace(subject(name, score=0.9), standing=standing(place, top=True))
        for place, name in enumerate("bcde", start=2)
    ]

    text = said(report(replace(subject("a", score=0.96), standing=standing(1, top=True)), *rivals))

    assert text.endswith(", but b (0.9000), c (0.9000), d (0.9000) and 1 more are not shown to be worse.")


def test_a_leader_by_evidence_may_boast() -> None:
    whole = report(
        replace(subject("a", score=0.96), standing=standing(1, top=True)),
        replace(subject("b", score=0.5), standing=standing(2)),
    )

    assert said(whole).endswith("; next is b (0.5000), shown to be worse.")


def test_a_leader_by_score_who_passes_less_often_is_told_so() -> None:
    whole = report(
        replace(subject("a", score=0.96), standing=standing(2)),
        replace(subject("b", score=0.92), standing=standing(1, top=True)),
    )

    assert said(whole).endswith("; next is b (0.9200); by pass rate b is ahead.")


def test_equals_by_score_may_differ_by_pass_rate() -> None:
    whole = report(
        replace(subject("a"), standing=standing(2)), replace(subject("b"), standing=standing(1, top=True))
    )

    assert said(whole) == ("a and b share the highest score of 2 models: 0.8550; by pass rate b is ahead.")


def test_equals_share_the_first_place() -> None:
    assert said(report(subject("a"), subject("b"))) == "a and b share the highest score of 2 models: 0.8550."


def test_many_equals_are_counted() -> None:
    whole = report(*(subject(name) for name in "abcde"))

    assert said(whole).startswith("a, b, c and 2 more share the highest score of 5 models")


def test_tiers_make_subjects_of_models() -> None:
    whole = report(subject("a", "T0"), subject("a", "T1", score=0.9))

    assert said(whole).startswith("a in T1 has the highest score of 2 subjects: 0.9000")


def test_without_scores_the_pass_rate_decides() -> None:
    unscored = replace(subject("a"), score=NOT_MEASURED)
    better = replace(unscored, model="b", pass_rate=Estimate.of(0.9))

    assert said(report(unscored, better)).startswith("b has the highest pass rate of 2 models: 0.9000")


def test_whoever_has_no_score_takes_no_part() -> None:
    whole = report(undefined_subject("a"), subject("b"))

    assert said(whole) == "b has the highest score of 2 models: 0.8550 (pass@1 0.7700; 12 cases, 60 samples)."


def test_the_first_defined_pass_at_k_is_the_one_shown() -> None:
    whole = report(replace(bare_subject("a"), pass_at_k=at_ks(None, 0.9)))

    assert "(pass@5 0.9000; 12 cases" in said(whole)


def test_without_any_pass_at_k_there_are_cases_and_samples() -> None:
    whole = report(replace(bare_subject("a"), pass_at_k=at_ks(None, None)))

    assert said(whole) == "a has a score of 0.7700 (12 cases, 60 samples)."


def test_cases_left_out_of_the_means_are_not_boasted_of() -> None:
    one = replace(subject("a"), coverage=replace(subject().coverage, seen=9, missing=3))

    assert "9 cases" in said(report(one, settings=replace(SETTINGS, missing=Missing.SKIP)))


def test_no_subject_is_said_plainly() -> None:
    assert said(report()) == "There is nothing to report: no outcome was found."


def test_no_score_at_all_is_said_with_the_reason() -> None:
    reason = Estimate.undefined(Reason.NO_SAMPLES, "2 of 12 cases have no evidence")

    assert said(report(replace(undefined_subject(), score=reason))) == (
        "No subject has a score: 2 of 12 cases have no evidence."
    )
