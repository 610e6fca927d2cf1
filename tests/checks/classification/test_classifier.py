"""The classifier names answers in one order, whatever the checker was, and says why."""

import time

import pytest

from steelyard.checks.classification.classifier import classified, expectation_met, forbidden
from steelyard.checks.classification.detect import declining, words_digest
from steelyard.errors import InputError
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification, Facts, Outcome

REFUSES = "I'm sorry, but I can't help with that."
SECRET = "the word is ORCHID"
ORDER = [
    Classification.TIMEOUT,
    Classification.CRASH,
    Classification.ERROR,
    Classification.REFUSAL,
    Classification.WRONG_FORMAT,
    Classification.POLICY_VIOLATION,
]


def case(language: str = "rust", expected: Classification = Classification.PASS, **settings: str) -> Case:
    return Case(
        id="c",
        language=language,
        expected=expected,
        expectations=Expectations(settings=settings),
        timeout_s=2,
    )


def seen(kind: Classification, *, passed: bool | None = None) -> Outcome:
    return Outcome(facts=Facts(classification=kind, passed=passed), detail="as the check said")


def kind_of(outcome: Outcome) -> Classification | None:
    return outcome.facts.classification


@pytest.mark.parametrize("kind", [Classification.TIMEOUT, Classification.CRASH, Classification.ERROR])
def test_what_did_not_end_and_what_we_broke_stays_so_whatever_was_said(kind: Classification) -> None:
    outcome = classified(case(policy_forbidden="ORCHID"), seen(kind), f"{REFUSES} {SECRET}", "content_filter")

    assert outcome == seen(kind)


@pytest.mark.parametrize(
    "saw", [Classification.WRONG_FORMAT, Classification.FAIL, Classification.BUILD_ERROR]
)
@pytest.mark.parametrize("language", ["rust", "python", "terraform", "java", "text"])
def test_a_refusal_is_a_refusal_in_every_language(language: str, saw: Classification) -> None:
    outcome = classified(case(language), seen(saw), REFUSES)

    assert kind_of(outcome) is Classification.REFUSAL
    assert outcome.detail == f"the answer declines: {REFUSES}\nas the check said"


def test_a_refusal_goes_before_a_wrong_form_and_that_before_what_is_forbidden() -> None:
    strict = case(policy_forbidden="ORCHID")

    assert (
        kind_of(classified(strict, seen(Classification.WRONG_FORMAT), f"{REFUSES} {SECRET}"))
        is Classification.REFUSAL
    )
    assert (
        kind_of(classified(strict, seen(Classification.WRONG_FORMAT), SECRET)) is Classification.WRONG_FORMAT
    )


@pytest.mark.parametrize("saw", [Classification.FAIL, Classification.BUILD_ERROR, Classification.PASS])
def test_what_is_forbidden_goes_before_wrong_and_right(saw: Classification) -> None:
    outcome = classified(
        case(policy_forbidden='["x{9}", "ORCHID"]'), seen(saw, passed=saw is Classification.PASS), SECRET
    )

    assert kind_of(outcome) is Classification.POLICY_VIOLATION
    assert outcome.facts.passed is False
    assert "ORCHID" in outcome.detail


def test_a_program_with_an_apology_stays_what_it_is() -> None:
    answer = f"{REFUSES}\n```rust\nfn add() {{}}\n```"

    assert classified(case(), seen(Classification.FAIL), answer) == seen(Classification.FAIL)


def test_an_answer_that_was_withheld_is_a_refusal_unless_it_passes_all_the_same() -> None:
    assert (
        kind_of(classified(case(), seen(Classification.FAIL), "fn a", "content_filter"))
        is Classification.REFUSAL
    )
    assert kind_of(classified(case(), seen(Classification.FAIL), "fn a", "SAFETY")) is Classification.REFUSAL
    assert (
        kind_of(classified(case(), seen(Classification.PASS), "fn a", "content_filter"))
        is Classification.PASS
    )
    assert kind_of(classified(case(), seen(Classification.FAIL), "fn a", "length")) is Classification.FAIL


def test_an_agent_that_ran_out_of_time_has_timed_out_unless_it_was_done() -> None:
    assert kind_of(classified(case(), seen(Classification.FAIL), "", "timeout")) is Classification.TIMEOUT
    assert kind_of(classified(case(), seen(Classification.PASS), "fn a", "timeout")) is Classification.PASS


def test_words_that_the_prompt_gives_are_no_refusal_unless_refusing_is_right() -> None:
    words = "That is not something I can share."
    told = Case(
        id="c",
        language="text",
        prompt=f"Else answer: {words}",
        expectations=Expectations(settings={"contains": "x"}),
    )
    wanted = Case(id="c", language="text", prompt=told.prompt, expected=Classification.REFUSAL)

    assert kind_of(classified(told, seen(Classification.FAIL), words)) is Classification.FAIL
    assert kind_of(classified(wanted, seen(Classification.FAIL), words)) is Classification.REFUSAL


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        ({"contains": "help"}, Classification.REFUSAL),
        ({"regex": "help"}, Classification.REFUSAL),
        ({"regex": r"\A.*help.*\Z"}, Classification.PASS),
        ({"exact": REFUSES}, Classification.PASS),
        ({"json_schema": "{}"}, Classification.PASS),
    ],
)
def test_a_refusal_passes_only_where_the_whole_answer_was_described(
    settings: dict[str, str], kind: Classification
) -> None:
    described = Case(id="c", language="text", expectations=Expectations(settings=settings))

    assert kind_of(classified(described, seen(Classification.PASS), REFUSES)) is kind


def test_a_wanted_refusal_is_one_even_where_it_is_described_to_the_letter() -> None:
    wanted = case("text", Classification.REFUSAL, exact=REFUSES)

    outcome = classified(wanted, seen(Classification.PASS, passed=True), REFUSES)

    assert kind_of(outcome) is Classification.REFUSAL
    assert expectation_met(wanted, outcome) is True
    assert outcome.facts.passed is False


def test_an_expectation_is_met_by_the_kind_that_was_expected_and_told_by_no_error() -> None:
    assert expectation_met(case(), seen(Classification.PASS)) is True
    assert expectation_met(case(), seen(Classification.FAIL)) is False
    assert (
        expectation_met(case(expected=Classification.BUILD_ERROR), seen(Classification.BUILD_ERROR)) is True
    )
    assert expectation_met(case(), seen(Classification.ERROR)) is None
    assert expectation_met(case(), Outcome(facts=Facts())) is None


def test_facts_without_a_name_are_left_alone() -> None:
    assert classified(case(), Outcome(facts=Facts(passed=True)), REFUSES) == Outcome(facts=Facts(passed=True))


def test_a_list_of_patterns_is_a_list_and_anything_else_is_one_pattern() -> None:
    assert forbidden(case()) == ()
    assert forbidden(case(policy_forbidden='["a", "b"]')) == ("a", "b")
    assert forbidden(case(policy_forbidden="[0-9]{16}")) == ("[0-9]{16}",)
    assert forbidden(case(policy_forbidden="[1]")) == ("[1]",)


def test_a_pattern_that_is_none_is_the_users_to_mend() -> None:
    with pytest.raises(InputError, match=r"settings.policy_forbidden"):
        classified(case(policy_forbidden="("), seen(Classification.FAIL), "x")


def test_an_answer_made_for_a_pattern_that_never_ends_does_not_drop_out_of_the_count() -> None:
    endless = Case(
        id="c",
        language="rust",
        timeout_s=0.3,
        expectations=Expectations(settings={"policy_forbidden": "(x|xx)+$"}),
    )

    assert (
        kind_of(classified(endless, seen(Classification.PASS, passed=True), "x" * 80 + "!"))
        is Classification.TIMEOUT
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I can't " * 20_000,
        "sorry " * 20_000 + "I can't help",
        "```" * 5_000,
        "{" * 50_000,
        "/*" * 30_000,
        "<" * 60_000,
        "[" * 10_000 + "]" * 10_000,
        "i " + "really " * 20_000 + "cannot help",
        "「" * 30_000,
        '"' * 30_001,
        "ich kann " + "a" * 50_000 + " nicht helfen",
        "\n" * 50_000,
        "\u200b" * 50_000,
        "\ud800 I can't help with that.",
    ],
    ids=range(15),
)
def test_no_text_takes_long_or_breaks_the_classifier(text: str) -> None:
    began = time.process_time()

    for language in ("text", "rust"):
        classified(case(language), seen(Classification.FAIL), text)

    assert time.process_time() - began < 5


def test_the_words_in_use_have_a_name() -> None:
    assert words_digest() == words_digest()
    assert len(words_digest()) == 32


def test_a_long_text_with_one_caveat_is_an_answer() -> None:
    answer = "I can't help with legal questions in general. " + "The contract ends in May. " * 100

    assert declining(answer) is None
    assert declining(f"{REFUSES} I will not provide this. " + "Think of your neighbours. " * 100) == REFUSES
