"""Answers that hold a line of their case are found in the store, and all others are only counted."""

from pathlib import Path

from steelyard.model.state import SubjectKey
from steelyard.store.run.held_lines import HoldingAnswer, answers_holding, count_answers
from tests.store.run.small_run import small_run

LINES = {("basics", "case-1"): "of acme/two to case-1", ("basics", "case-3"): "100 %_\\'"}


def test_only_answers_that_hold_the_line_of_their_own_case_are_given(tmp_path: Path) -> None:
    found = sorted(answers_holding(small_run(tmp_path / "run"), LINES))

    assert found == [
        HoldingAnswer("acme/two", "T0", "basics", "case-1", f"answer {number} of acme/two to case-1")
        for number in range(3)
    ]


def test_the_answers_to_all_cases_that_have_a_line_are_counted(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run")

    assert count_answers(store, LINES) == {SubjectKey("acme/one", "T0"): 6, SubjectKey("acme/two", "T0"): 6}
    assert count_answers(store, {}) == {}
