"""The digest of a case changes with its exact form, and with nothing else."""

from dataclasses import replace
from fractions import Fraction

import pytest

from steelyard.model.case import Case, Dependency, Expectations
from steelyard.model.evalset import EvalSet, SamplingPlan, Suite, Tier
from steelyard.model.graded import Compare, FunctionCall, InputOutput
from steelyard.model.options import RuleChoice
from steelyard.model.outcome import Classification
from steelyard.model.run import Subject

CASE = Case(id="add", language="rust", prompt="Add.", files={"a": "1", "b": "2"})
SET = EvalSet(id="s", cases=(CASE,), suites=(Suite(id="default"),))


@pytest.mark.parametrize(
    "changed",
    [
        replace(CASE, prompt="Add!"),
        replace(CASE, language="python"),
        replace(CASE, files={"a": "1"}),
        replace(CASE, dependencies=(Dependency(name="serde", version="1"),)),
        replace(CASE, expectations=Expectations(tests="x")),
        replace(CASE, expectations=Expectations(settings={"equality": "own"})),
        replace(
            CASE, expectations=Expectations(function="add", calls=(FunctionCall(args=(1, 2), returns=3),))
        ),
        replace(CASE, expectations=Expectations(io=(InputOutput(stdin="1", stdout="1"),))),
        replace(CASE, expectations=Expectations(compare=Compare.TOKENS)),
        replace(CASE, expectations=Expectations(tolerance=0.5)),
        replace(CASE, expected=Classification.REFUSAL),
        replace(CASE, honeypot=True),
    ],
)
def test_a_change_of_form_changes_the_digest(changed: Case) -> None:
    assert changed.digest != CASE.digest


@pytest.mark.parametrize(
    "changed",
    [
        replace(CASE, name="n", description="d", tags=("t",)),
        replace(CASE, id="other", suite="other"),
        replace(CASE, timeout_s=1.0, max_tokens=5, memory_mb=64),
        replace(CASE, reference="r", wrong=("w",)),
        replace(CASE, files={"b": "2", "a": "1"}),
    ],
)
def test_words_limits_and_brought_answers_do_not(changed: Case) -> None:
    assert changed.digest == CASE.digest


def test_the_digest_is_the_same_in_every_version() -> None:
    assert CASE.digest == "1a7e22b4488ffe7f07464c550e2744dd"


@pytest.mark.parametrize(
    "changed",
    [
        replace(SET, cases=(replace(CASE, prompt="Add!"),)),
        replace(SET, cases=(replace(CASE, id="sum"),)),
        replace(SET, suites=(Suite(id="default", weight=Fraction(1, 2)),)),
        replace(SET, tiers=(Tier(system_prompt="Hi"),)),
        replace(SET, tiers=(Tier(context={"a": "b"}),)),
        replace(SET, subjects=(Subject(model="m"),)),
        replace(SET, sampling=SamplingPlan(samples=2)),
        replace(SET, scoring=RuleChoice(name="accuracy", penalties={Classification.FAIL: Fraction(1)})),
        replace(SET, scoring=RuleChoice(weights={"tests": Fraction(1)})),
    ],
)
def test_what_can_change_a_result_changes_the_digest_of_the_set(changed: EvalSet) -> None:
    assert changed.digest != SET.digest


def test_words_for_people_do_not_change_the_digest_of_the_set() -> None:
    assert replace(SET, id="t", name="T", description="d").digest == SET.digest
