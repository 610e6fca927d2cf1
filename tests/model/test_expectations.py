"""What a run was meant to end in, and how many samples did."""

from fractions import Fraction

import pytest

from steelyard.model.evalset import EvalSet, Suite
from steelyard.model.options import Scoring
from steelyard.model.outcome import Classification
from steelyard.model.run import Manifest, RunCase
from steelyard.model.state import CaseState

REFUSAL = Classification.REFUSAL


@pytest.mark.parametrize(
    ("kind", "samples"),
    [
        (Classification.PASS, 3),
        (Classification.ERROR, 2),
        (REFUSAL, 4),
        (Classification.FAIL, 1),
        (Classification.TIMEOUT, 0),
    ],
)
def test_the_samples_that_ended_in_a_kind_are_counted(kind: Classification, samples: int) -> None:
    state = CaseState("m", "T0", "s", "c", None, n=8, c=3, n_error=2, n_refusal=4)

    assert state.ended_in(kind) == samples


def test_a_run_knows_how_its_cases_should_end_in_their_latest_form() -> None:
    cases = (
        RunCase(suite="s", case="a", digest="1", expected=REFUSAL),
        RunCase(suite="s", case="b", digest="1", expected=REFUSAL),
        RunCase(suite="s", case="b", digest="2"),
    )
    manifest = Manifest(
        id="r",
        created_at="",
        generator="",
        scoring=Scoring(name="accuracy", version=1, parameters={}),
        subjects=(),
        cases=cases,
    )

    assert manifest.expected_kinds() == {("s", "a"): REFUSAL}


def test_weights_that_are_all_the_same_are_none() -> None:
    even = EvalSet(
        id="s", cases=(), suites=(Suite(id="a", weight=Fraction(2)), Suite(id="b", weight=Fraction(2)))
    )

    assert even.suite_weights == {}
