"""A panel that lost a judge rates an answer, says so, and gives no verdict; the judge can be asked again."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

import pytest

from steelyard.checks.forms.judge.judge import CallModel
from steelyard.checks.forms.judge.judged import judged
from steelyard.errors import NOT_RECORDED, ProviderError
from steelyard.metrics.consensus import Disagreement
from steelyard.model.judgement import Judgement
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.model.request import Reply, Request
from tests.checks.forms.judge.simulated_judges import HonestJudge, Scripted
from tests.checks.rubrics import ANSWER, CASE, PLAIN, small_judge

REFUSES = "I can't help with that."
UNCHECKED = Outcome(facts=Facts(), check_digest="d")
PASSED = Outcome(facts=Facts(classification=Classification.PASS, passed=True), check_digest="d")
MISSING = "judge: no usable reading of b/two\njudge: 1 of 2 replies are unusable, the last because "


def panel(**said: object) -> CallModel:
    """Return judges that rate as their makers' names say; a rating that is text cannot be used."""

    def ask(request: Request) -> Reply:
        return HonestJudge(rating=said[request.provider])(request)

    return ask


def recorded(said: Mapping[str, list[str | float]]) -> tuple[Callable[[Request], Reply], list[str]]:
    """Return judges whose replies are recorded up to an end, and a list of who was asked."""
    scripts = {name: Scripted(*replies) for name, replies in said.items()}
    asked: list[str] = []

    def ask(request: Request) -> Reply:
        script = scripts[request.provider]
        if len(script.asked) == len(said[request.provider]):
            raise ProviderError("holds no answer", kind=NOT_RECORDED)
        asked.append(request.provider)
        return replace(script(request), is_kept=True)

    return ask, asked


def heard(ask: CallModel, **plan: object) -> Judgement:
    return small_judge(ask, PLAIN, "a/one", "b/two", **plan).judge(CASE, ANSWER)


def test_a_part_of_the_panel_rates_but_gives_no_verdict() -> None:
    judgement = heard(panel(a=1, b=REFUSES))

    assert (judgement.score, judgement.is_passed) == (Fraction(1), None)
    assert judgement.disagreements == (Disagreement.MISSING_JUDGE,)
    assert judgement.missing_judges == ("b/two",)
    assert judgement.note == "no usable reading of b/two"


def test_a_judge_with_one_reading_of_use_is_not_missing() -> None:
    judgement = heard(Scripted(1, REFUSES, 1, 1), readings=2)

    assert (judgement.is_passed, judgement.disagreements, judgement.note) == (True, (), "")


def test_a_judge_that_had_its_tries_is_no_reason_for_extra_readings() -> None:
    judgement = heard(panel(a=1, b=REFUSES), tries=2, extra_readings=4)

    assert [one.judge for one in judgement.readings] == ["a/one", "b/two", "b/two"]


@pytest.mark.parametrize("rating", [1, 0])
def test_where_judges_alone_decide_a_part_of_them_is_our_error(rating: float) -> None:
    judge = small_judge(panel(a=rating, b=REFUSES), PLAIN, "a/one", "b/two")

    outcome = judged(CASE, ANSWER, UNCHECKED, judge=judge)

    assert outcome.facts == Facts(classification=Classification.ERROR)
    assert outcome.detail is not None
    assert outcome.detail.startswith(MISSING)
    assert "disagree" not in outcome.detail


def test_beside_tests_the_rate_of_a_part_of_the_panel_stands() -> None:
    judge = small_judge(panel(a=0.5, b=REFUSES), PLAIN, "a/one", "b/two")

    outcome = judged(CASE, ANSWER, PASSED, judge=judge)

    assert outcome.facts == replace(PASSED.facts, impl_rate=Fraction(1, 2))


def test_only_the_judge_that_is_missing_is_asked_again_by_a_later_session() -> None:
    ask, asked = recorded({"a": [1.0], "b": [REFUSES, 0.8]})

    judgement = heard(ask)

    assert asked == ["a", "b", "b"]
    assert (judgement.score, judgement.is_passed) == (Fraction(9, 10), True)
    assert [(one.judge, one.number) for one in judgement.readings] == [
        ("a/one", 0),
        ("b/two", 0),
        ("b/two", 1),
    ]


def test_a_judge_that_came_late_may_disagree_and_then_all_are_asked_further() -> None:
    ask, asked = recorded({"a": [1.0, 1.0], "b": [REFUSES, 0.0, 0.0]})

    judgement = heard(ask, extra_readings=3)

    assert asked == ["a", "b", "b", "a", "b"]
    assert (judgement.score, judgement.is_passed) == (Fraction(1, 2), False)


def test_a_record_that_ends_without_a_judge_is_judged_as_it_was() -> None:
    ask, _ = recorded({"a": [1.0], "b": [REFUSES]})

    assert heard(ask).disagreements == (Disagreement.MISSING_JUDGE,)
