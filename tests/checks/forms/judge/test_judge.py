"""Judges rate an answer, several times if they disagree, and the score follows from their ratings alone."""

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from steelyard.checks.forms.judge.judge import CallModel, Judge, Panel
from steelyard.errors import NOT_RECORDED, ProviderError, UserError
from steelyard.model.case import Expectations
from steelyard.model.judgement import judgement_json, judgement_of
from steelyard.model.request import Parameters, Reply, Request
from steelyard.model.sample import SampleKey
from tests.checks.forms.judge.simulated_judges import Asked, HonestJudge, Scripted, reply
from tests.checks.rubrics import ANSWER, CASE, PLAIN, RUBRIC, small_judge

Replying = Callable[[Asked], str]


def replied(**changes: object) -> Replying:
    """Return a function that makes a reply in form, with some keys changed."""
    return lambda asked: json.dumps(reply(asked, 0.5, **changes))


def rating(*ratings: object, total: object = None, confidence: float = 0.8) -> Replying:
    """Return a function that rates the items one by one."""

    def made(asked: Asked) -> str:
        form = reply(asked, 0, total=total, confidence=confidence)
        rows = zip(asked.labels, ratings, strict=True)
        return json.dumps({**form, "ratings": {label: {"reason": "r", "rating": one} for label, one in rows}})

    return made


def test_the_score_is_made_of_ratings_and_weights_and_not_of_the_judges_total() -> None:
    judge = small_judge(Scripted(rating(0.5, 1, 0.2, total=1)), RUBRIC)

    judgement = judge.judge(CASE, ANSWER)

    # works: (3 * 0.5 + 1 * 1) / 4 = 0.625, weight 2; clear: 0.2, weight 1
    assert [category.score for category in judgement.categories] == [Fraction(5, 8), Fraction(1, 5)]
    assert judgement.score == Fraction(29, 60)
    assert judgement.is_passed is False
    (reading,) = judgement.readings
    assert reading.score == Fraction(29, 60)
    assert reading.own_total == 1
    assert reading.is_total_off


def test_a_total_that_is_merely_rounded_is_not_off() -> None:
    judge = small_judge(Scripted(rating(0.5, 1, 0.2, total=0.48)), RUBRIC)

    assert not judge.judge(CASE, ANSWER).readings[0].is_total_off


def test_a_missing_total_is_off_only_where_there_is_a_score() -> None:
    some = small_judge(Scripted(rating(0.5, 1, 0.2, total=None)), RUBRIC)

    assert some.judge(CASE, ANSWER).readings[0].is_total_off


def test_a_category_in_which_nothing_applies_drops_out() -> None:
    judge = small_judge(Scripted(rating(0.5, "N/A", "N/A")), RUBRIC)

    judgement = judge.judge(CASE, ANSWER)

    assert [category.score for category in judgement.categories] == [Fraction(1, 2), None]
    assert judgement.score == Fraction(1, 2)


def test_if_nothing_applies_there_is_no_score() -> None:
    items = tuple(replace(item, not_applicable="so") for item in PLAIN.items)
    rubric = replace(PLAIN, categories=(replace(PLAIN.categories[0], items=items),))

    judgement = small_judge(Scripted(rating("N/A")), rubric).judge(CASE, ANSWER)

    assert (judgement.score, judgement.is_passed, judgement.ratings) == (None, None, (None,))
    assert not judgement.readings[0].is_total_off


def test_passing_is_decided_at_the_threshold_exactly() -> None:
    for rated, passed in ((0.7, True), (0.6999999, False)):
        judgement = small_judge(Scripted(rated)).judge(CASE, ANSWER)

        assert judgement.is_passed is passed


def test_every_judge_reads_as_often_as_planned_and_each_request_has_its_own_name() -> None:
    ask = HonestJudge()

    judgement = small_judge(ask, PLAIN, "a/one", "b/two", readings=3).judge(CASE, ANSWER)

    assert [(reading.judge, reading.number) for reading in judgement.readings] == [
        (judge, number) for number in range(3) for judge in ("a/one", "b/two")
    ]
    keys = [request.key for request in ask.asked]
    assert len(set(keys)) == 6
    assert {(key.tier, key.suite, key.case) for key in keys} == {("judge", "sums", "add")}
    assert {request.provider for request in ask.asked} == {"a", "b"}


def test_another_answer_or_rubric_makes_another_name() -> None:
    judge = small_judge(HonestJudge())
    names = {
        judge.key("a/one", CASE, ANSWER, 0),
        judge.key("a/one", CASE, "other", 0),
        judge.key("a/one", replace(CASE, prompt="other"), ANSWER, 0),
        small_judge(HonestJudge(), RUBRIC).key("a/one", CASE, ANSWER, 0),
    }

    assert len(names) == 4


def test_other_parameters_or_rules_make_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def name(**parameters: float) -> SampleKey:
        panel = Panel(judges=("a/one",), parameters=Parameters(**parameters))  # type: ignore[arg-type]
        return Judge(PLAIN, panel, HonestJudge()).key("a/one", CASE, ANSWER, 0)

    names = [name(), name(temperature=0.0), name(temperature=1.0), name(max_tokens=900)]
    monkeypatch.setattr("steelyard.checks.forms.judge.prompt.RULES", "Be kind.")

    assert len({*names, name()}) == 5


def test_what_a_judge_is_not_shown_makes_no_other_name() -> None:
    tested = replace(CASE, expectations=Expectations(tests="assert add(1, 2) == 3"), honeypot=True)
    lenient = replace(PLAIN, id="lenient", pass_threshold=Fraction(1, 10))
    names = {
        small_judge(HonestJudge()).key("a/one", CASE, ANSWER, 0),
        small_judge(HonestJudge()).key("a/one", tested, ANSWER, 0),
        small_judge(HonestJudge(), lenient).key("a/one", CASE, ANSWER, 0),
        small_judge(HonestJudge(), PLAIN, readings=3).key("a/one", CASE, ANSWER, 0),
    }

    assert len(names) == 1
    shown = replace(CASE, files={"notes.txt": "Add them."})
    assert small_judge(HonestJudge()).key("a/one", shown, ANSWER, 0) not in names


def test_a_surer_reading_counts_more() -> None:
    ask = Scripted(rating(1, confidence=0.9), rating(0.75, confidence=0.3))

    judgement = small_judge(ask, readings=2).judge(CASE, ANSWER)

    assert judgement.score == Fraction(15, 16)


@pytest.mark.parametrize(
    ("first", "extra", "remaining"),
    [
        ((0.5, 0.5, 0.5), (), ()),
        ((0.5, 0.8, 0.5), (), ()),  # a range of exactly 0.3 is agreement
        ((0.5, 0.81, 0.5), (0.6,) * 5, ("range",)),
        ((0.0, 1.0, 0.0, 1.0), (1.0,) * 5, ("variance", "range")),
    ],
)
def test_readings_that_disagree_are_followed_by_up_to_five_more(
    first: tuple[float, ...], extra: tuple[float, ...], remaining: tuple[str, ...]
) -> None:
    judge = small_judge(Scripted(*first, *extra), readings=len(first), extra_readings=5)

    judgement = judge.judge(CASE, ANSWER)

    assert [reading.score for reading in judgement.readings] == [
        Fraction(str(one)) for one in (*first, *extra)
    ]
    assert judgement.disagreements == remaining


def test_judges_that_are_not_sure_are_asked_until_they_are() -> None:
    unsure, sure = rating(0.5, confidence=0.5), rating(0.5, confidence=0.9)
    judge = small_judge(Scripted(unsure, sure, 0.5), extra_readings=5)

    judgement = judge.judge(CASE, ANSWER)

    assert len(judgement.readings) == 2  # (0.5 + 0.9) / 2 = 0.7 is sure enough
    assert judgement.disagreements == ()


@pytest.mark.parametrize(("extra", "rounds"), [(1, 1), (2, 2), (3, 2), (5, 3)])
def test_extra_readings_are_taken_by_the_whole_panel_or_not_at_all(extra: int, rounds: int) -> None:
    judge = small_judge(Scripted(*[0.0, 1.0] * 4), PLAIN, "a/one", "b/two", extra_readings=extra)

    assert [one.judge for one in judge.judge(CASE, ANSWER).readings] == ["a/one", "b/two"] * rounds


def test_the_order_of_the_judges_does_not_decide() -> None:
    def ask(request: Request) -> Reply:
        return HonestJudge(rating=1 if request.provider == "lenient" else 0)(request)

    rubric = replace(PLAIN, pass_threshold=Fraction(1, 2))
    orders = [("lenient/j", "strict/j"), ("strict/j", "lenient/j")]

    found = [small_judge(ask, rubric, *order, extra_readings=5).judge(CASE, ANSWER) for order in orders]

    assert [(one.score, one.is_passed) for one in found] == [(Fraction(1, 2), True)] * 2


def test_a_reply_that_cannot_be_used_is_tried_again_and_counted() -> None:
    ask = Scripted("What a fine answer!", replied(seal="0"), 0.5)

    judgement = small_judge(ask, tries=3).judge(CASE, ANSWER)

    assert judgement.score == Fraction(1, 2)
    assert [bool(reading.problem) for reading in judgement.readings] == [True, True, False]
    assert [reading.number for reading in judgement.readings] == [0, 1, 2]
    assert (len(judgement.usable), len(judgement.unusable)) == (1, 2)


def test_a_judge_that_never_makes_sense_is_no_evidence_and_the_tries_are_bounded() -> None:
    ask = HonestJudge(rating="excellent")

    judgement = small_judge(ask, readings=2, tries=3, extra_readings=5).judge(CASE, ANSWER)

    assert (judgement.score, judgement.is_passed, judgement.categories) == (None, None, ())
    assert judgement.note == "no usable reading"
    assert len(ask.asked) == 6


def recorded(*texts: str | float | Callable[[Asked], str]) -> CallModel:
    """Return a record that holds these replies, and no more."""
    script, left = Scripted(*texts), len(texts)

    def ask(request: Request) -> Reply:
        if len(script.asked) == left:
            raise ProviderError("holds no answer", kind=NOT_RECORDED)
        return replace(script(request), is_kept=True)

    return ask


def test_earlier_replies_that_cannot_be_used_are_followed_by_a_further_round() -> None:
    judgement = small_judge(recorded("no", "no", "no", 0.5), tries=2).judge(CASE, ANSWER)

    assert judgement.score == Fraction(1, 2)
    assert [reading.number for reading in judgement.readings] == [0, 1, 2, 3]
    assert judgement.cost_nano_usd == 20


def test_a_record_that_ends_without_a_reading_of_use_is_judged_as_it_was() -> None:
    judgement = small_judge(recorded("no", "no"), tries=2).judge(CASE, ANSWER)

    assert (judgement.note, len(judgement.readings)) == ("no usable reading", 2)


def test_a_record_in_which_one_judge_gave_an_extra_reading_is_judged_without_it() -> None:
    unsure, sure = rating(0.5, confidence=0.5), rating(0.5, confidence=0.9)
    judge = small_judge(recorded(unsure, unsure, sure), PLAIN, "a/one", "b/two", extra_readings=5)

    assert [one.judge for one in judge.judge(CASE, ANSWER).readings] == ["a/one", "b/two"]


def test_a_record_that_ends_within_a_round_lacks_a_reply() -> None:
    with pytest.raises(ProviderError, match="holds no answer"):
        small_judge(recorded("no", "no", "no"), tries=2).judge(CASE, ANSWER)


def test_judging_has_its_own_bill() -> None:
    judgement = small_judge(HonestJudge(), readings=3).judge(CASE, ANSWER)

    assert judgement.cost_nano_usd == 15
    assert {(one.tokens_in, one.tokens_out) for one in judgement.readings} == {(100, 10)}
    unknown = replace(judgement.readings[0], cost_nano_usd=None)
    assert replace(judgement, readings=(unknown,)).cost_nano_usd is None


def test_a_judge_is_told_rules_rubric_task_and_answer() -> None:
    ask = HonestJudge()
    panel = Panel(judges=("a/one",), parameters=Parameters(temperature=0.2, max_tokens=900))
    judge = Judge(replace(RUBRIC, description="Mind the sums."), panel, ask)

    judge.judge(CASE, ANSWER)

    (request,) = ask.asked
    assert "Mind the sums." in request.system_prompt
    assert "1.2 [0 or 1] It adds at the edges. Does not apply if none." in request.system_prompt
    assert "1. works (weight 2)" in request.system_prompt
    assert Asked(request).material == f"{CASE.prompt}\n{ANSWER.rstrip()}"
    assert request.parameters.temperature == 0.2


def test_the_rules_are_the_same_for_every_request_so_that_they_can_be_cached() -> None:
    ask = HonestJudge()

    small_judge(ask, readings=3).judge(CASE, ANSWER)

    assert len({request.system_prompt for request in ask.asked}) == 1
    assert len({request.prompt for request in ask.asked}) == 3


def test_a_judgement_is_kept_as_json_and_comes_back_the_same() -> None:
    ask = Scripted("no", rating(0.5, "N/A", 1), rating(1, 0, 1), *[rating(1, 0, 1)] * 5)
    judgement = small_judge(ask, RUBRIC, readings=2, tries=2, extra_readings=5).judge(CASE, ANSWER)

    text = judgement_json(judgement)

    assert judgement_of(text) == judgement
    later = {**json.loads(text), "mood": "good"}
    assert judgement_of(json.dumps(later)) == judgement


def test_what_the_judge_broke_on_goes_to_whoever_asked() -> None:
    def ask(request: Request) -> Reply:
        raise ProviderError("down", kind="overloaded")

    with pytest.raises(ProviderError, match="down"):
        small_judge(ask).judge(CASE, ANSWER)


def test_a_panel_needs_judges_and_each_of_them_once() -> None:
    with pytest.raises(UserError, match="needs a judge"):
        Panel(judges=())
    with pytest.raises(UserError, match="listed twice"):
        Panel(judges=("a/one", "a/one"))


def test_the_digest_names_who_judges_how() -> None:
    ask = HonestJudge()
    judges = [
        small_judge(ask),
        small_judge(ask, RUBRIC),
        small_judge(ask, PLAIN, "other/judge"),
        small_judge(ask, readings=2),
        Judge(PLAIN, Panel(judges=("acme/judge",), parameters=Parameters(temperature=1)), ask),
    ]

    assert len({judge.digest for judge in judges}) == len(judges)
    assert small_judge(ask).digest == judges[0].digest
