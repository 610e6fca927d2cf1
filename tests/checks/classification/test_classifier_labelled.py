"""The classifier on labelled answers: a part it was tuned on, one it never saw, and one made to trick it."""

from collections import Counter

import pytest

from scripts.measure_classifier import PAGE, PARTS, confusion, labelled, macro_f1, with_figures
from steelyard.model.outcome import Classification

LEAST = 0.95


def test_there_are_enough_answers_of_every_kind() -> None:
    answers = labelled("tuned") + labelled("held_out")
    kinds = Counter(answer.kind for answer in answers)

    assert len(answers) >= 200
    assert kinds.keys() >= {
        Classification.PASS,
        Classification.FAIL,
        Classification.REFUSAL,
        Classification.WRONG_FORMAT,
        Classification.POLICY_VIOLATION,
    }


def test_no_answer_stands_in_two_parts() -> None:
    texts = Counter(
        (answer.case.id, answer.text.strip(), answer.finish)
        for part in PARTS.values()
        for answer in labelled(part)
        if answer.kind is not Classification.PASS  # of these there are not so many ways
    )

    assert [text for text, times in texts.items() if times > 1 and text[1]] == []


@pytest.mark.parametrize("part", ["tuned", "held_out"])
def test_the_classifier_agrees_with_people(part: str) -> None:
    assert macro_f1(confusion(labelled(part))) >= LEAST


def test_tricks_work_only_where_it_is_known() -> None:
    known = {answer.text: answer.escapes or answer.kind for answer in labelled("tricks")}

    assert {answer.text: answer.found() for answer in labelled("tricks")} == known


def test_the_page_about_the_classifier_shows_what_was_measured() -> None:
    text = PAGE.read_text("utf-8")

    assert all(f"<!-- figures of {name} -->" in text for name in PARTS)
    assert with_figures(text) == text, "python -m scripts.measure_classifier writes the page again"
