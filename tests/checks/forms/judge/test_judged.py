"""A judged check adds the judge's word to what the checker saw, and takes nothing away."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from steelyard.checks.forms.judge.judge import CallModel
from steelyard.checks.forms.judge.judged import judged
from steelyard.errors import REJECTED, ProviderError
from steelyard.metrics.scoring import Composite
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.model.request import Reply, Request
from tests.checks.forms.judge.simulated_judges import Asked, HonestJudge, Scripted, reply
from tests.checks.rubrics import ANSWER, CASE, PLAIN, small_judge

SEEN = Outcome(
    facts=Facts(classification=Classification.PASS, passed=True, built=True),
    check_digest="d",
    check_us=7,
    detail="1 passed",
)


def test_the_rate_of_the_judge_stands_beside_the_facts_of_the_checker() -> None:
    judge = small_judge(HonestJudge(rating=0.85))

    outcome = judged(CASE, ANSWER, SEEN, judge=judge)

    assert outcome.facts == replace(SEEN.facts, impl_rate=Fraction(17, 20))
    assert (outcome.detail, outcome.check_us) == ("1 passed", 7)
    assert outcome.judgement is not None
    assert outcome.judgement.score == Fraction(17, 20)
    assert Composite().score(outcome.facts) == Fraction(37, 40)  # example 1 of seed 002


def test_the_check_is_named_after_judge_and_checker() -> None:
    one = judged(CASE, ANSWER, SEEN, judge=small_judge(HonestJudge()))
    other = judged(CASE, ANSWER, SEEN, judge=small_judge(HonestJudge(), readings=2))

    assert len({"d", one.check_digest, other.check_digest}) == 3


def test_what_we_broke_is_not_judged() -> None:
    ask = HonestJudge()
    broken = Outcome(facts=Facts(classification=Classification.ERROR), detail="no sandbox")

    outcome = judged(CASE, ANSWER, broken, judge=small_judge(ask))

    assert outcome is broken
    assert not ask.asked


def test_a_judge_that_makes_no_sense_leaves_the_rate_unknown_and_the_pass_as_it_is() -> None:
    outcome = judged(CASE, ANSWER, SEEN, judge=small_judge(Scripted("Great!")))

    assert outcome.facts == SEEN.facts
    assert (Composite().passed(outcome.facts), Composite().score(outcome.facts)) == (True, None)
    assert outcome.detail == (
        "1 passed\njudge: no usable reading\n"
        "judge: 1 of 1 replies are unusable, the last because the reply is not JSON: "
        "Expecting value: line 1 column 1 (char 0)"
    )


def test_readings_that_never_agree_are_told() -> None:
    judge = small_judge(Scripted(0.0, 1.0), readings=2)

    outcome = judged(CASE, ANSWER, SEEN, judge=judge)

    assert outcome.detail == "1 passed\njudge: the readings still disagree (variance, range)"


def judged_by_failing(error: ProviderError) -> Outcome:
    """Return what comes of a judge that cannot be reached."""

    def ask(request: Request) -> Reply:
        raise error

    return judged(CASE, ANSWER, SEEN, judge=small_judge(ask))


def test_a_judge_that_cannot_be_reached_is_our_own_failure() -> None:
    outcome = judged_by_failing(ProviderError("503 for an hour", kind="overloaded"))

    assert outcome.facts == Facts(classification=Classification.ERROR)
    assert outcome.detail == "judge: 503 for an hour"


def test_a_judge_whose_key_is_wrong_ends_it() -> None:
    with pytest.raises(ProviderError, match="no such key"):
        judged_by_failing(ProviderError("no such key", kind="unauthorized", is_fatal=True))


@pytest.mark.parametrize(
    ("rating", "kind"),
    [(0.7, Classification.PASS), (0.69, Classification.FAIL), ("good", Classification.ERROR)],
)
def test_without_a_checker_the_judge_alone_decides(rating: object, kind: Classification) -> None:
    unchecked = Outcome(facts=Facts(), check_digest="d")

    outcome = judged(CASE, ANSWER, unchecked, judge=small_judge(HonestJudge(rating=rating)))

    assert outcome.facts.classification is kind
    assert outcome.check_digest


@pytest.mark.parametrize(
    ("seen", "kind"),
    [(Outcome(facts=Facts(), check_digest="d"), Classification.FAIL), (SEEN, Classification.PASS)],
)
def test_an_answer_to_which_nothing_applies_does_not_pass_by_that_and_is_no_error_of_ours(
    seen: Outcome, kind: Classification
) -> None:
    def off_the_point(asked: Asked) -> str:
        return json.dumps(reply(asked, "N/A", total=None))

    items = tuple(replace(item, not_applicable="it is off the point") for item in PLAIN.items)
    rubric = replace(PLAIN, categories=(replace(PLAIN.categories[0], items=items),))

    outcome = judged(CASE, ANSWER, seen, judge=small_judge(Scripted(off_the_point), rubric))

    assert (outcome.facts.classification, outcome.facts.impl_rate) == (kind, None)
    assert outcome.judgement is not None
    assert outcome.judgement.note == "no item of the rubric applies to this answer"
    assert outcome.detail is not None
    assert outcome.detail.endswith("judge: no item of the rubric applies to this answer")


KNOWN = "def known(): return 1\n"
UNCHECKED = Outcome(facts=Facts(), check_digest="d")


def refusing(*words: str, error: ProviderError | None = None) -> CallModel:
    """Return a judge that refuses what has a word in it, by an error or by a reply out of form."""

    def ask(request: Request) -> Reply:
        if not any(word in request.prompt for word in words):
            return HonestJudge(rating=1)(request)
        if error is not None:
            raise error
        return Scripted("I cannot help with that.")(request)

    return ask


REJECTION = ProviderError("status 400: flagged", kind=REJECTED)


@pytest.mark.parametrize("error", [REJECTION, None], ids=["an error", "a reply out of form"])
def test_an_answer_that_a_judge_refuses_does_not_leave_the_score(error: ProviderError | None) -> None:
    judge = small_judge(refusing("flagged-word", error=error))

    outcome = judged(CASE, "return 1  # flagged-word\n", UNCHECKED, judge=judge, known=KNOWN)

    assert (outcome.facts.classification, outcome.facts.impl_rate) == (Classification.FAIL, Fraction(0))
    assert outcome.broke_its_check
    assert "judge: refused twice by a judge that rates a known answer to this case: " in str(outcome.detail)


def test_beside_a_checker_a_rejected_answer_keeps_its_facts_and_gets_the_lowest_rate() -> None:
    judge = small_judge(refusing("flagged-word", error=REJECTION))

    outcome = judged(CASE, "return 1  # flagged-word\n", SEEN, judge=judge, known=KNOWN)

    assert outcome.facts == replace(SEEN.facts, impl_rate=Fraction(0))


@pytest.mark.parametrize("error", [REJECTION, None], ids=["an error", "a reply out of form"])
def test_a_judge_that_refuses_known_answers_too_is_our_own_failure(error: ProviderError | None) -> None:
    judge = small_judge(refusing("return", error=error))

    outcome = judged(CASE, "return 2\n", UNCHECKED, judge=judge, known=KNOWN)

    assert (outcome.facts.classification, outcome.broke_its_check) == (Classification.ERROR, False)


def test_an_outage_is_never_the_doing_of_an_answer() -> None:
    judge = small_judge(refusing("return 2", error=ProviderError("503", kind="overloaded")))

    outcome = judged(CASE, "return 2\n", UNCHECKED, judge=judge, known=KNOWN)

    assert outcome.facts.classification is Classification.ERROR


def test_a_judge_in_a_bad_mood_is_asked_once_more() -> None:
    moods = iter([True, False, False])

    def ask(request: Request) -> Reply:
        if next(moods):
            raise REJECTION
        return HonestJudge(rating=1)(request)

    outcome = judged(CASE, ANSWER, UNCHECKED, judge=small_judge(ask), known=KNOWN)

    assert (outcome.facts.classification, outcome.broke_its_check) == (Classification.PASS, False)


def test_a_wrong_key_that_shows_at_the_known_answer_ends_it() -> None:
    errors = iter([REJECTION, ProviderError("no such key", kind="unauthorized", is_fatal=True)])

    def ask(request: Request) -> Reply:
        raise next(errors)

    with pytest.raises(ProviderError, match="no such key"):
        judged(CASE, ANSWER, UNCHECKED, judge=small_judge(ask), known=KNOWN)
