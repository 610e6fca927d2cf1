import pytest

from steelyard.model.estimate import Reason
from steelyard.model.options import Duplicates, Errors, Missing, Scoring, StatisticsLimit
from steelyard.model.outcome import FAILURES
from steelyard.render import words


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_words_without_its_code_name(reason: Reason) -> None:
    said = words.why(reason)

    assert " " in said
    assert reason.value not in said


def test_a_detail_says_it_better_than_the_reason() -> None:
    assert words.why(Reason.K_EXCEEDS_N, "3 of 10 cases have fewer than 10 samples").startswith("3 of 10")


def test_a_missing_reason_is_admitted() -> None:
    assert words.why(None) == "no reason was recorded"


def test_every_policy_and_kind_of_failure_has_words() -> None:
    assert set(words.DONE_WITH_MISSING) == set(words.MISSING_RULE) == set(Missing)
    assert set(words.DONE_WITH_ERRORED) == set(words.ERRORS_RULE) == set(Errors)
    assert set(words.DONE_WITH_DUPLICATES) == set(words.DUPLICATES_RULE) == set(Duplicates)
    assert set(words.SPREAD_RULE) == set(StatisticsLimit)
    assert set(words.KIND_OF_FAILURE) == set(FAILURES)


def test_one_thing_is_no_plural() -> None:
    assert [words.counted(number, "case") for number in (0, 1, 2)] == ["0 cases", "1 case", "2 cases"]


def test_a_scoring_rule_without_parameters_is_name_and_version() -> None:
    assert words.described(Scoring(name="plausible", version=1)) == "plausible/1"
