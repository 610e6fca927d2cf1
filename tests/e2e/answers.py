"""Recorded answers to the shipped eval sets: their own references and wrong answers, mixed as models do.

What a model says depends on its name, the case and the attempt, and on nothing else.
"""

from collections.abc import Mapping
from random import Random

from steelyard.model.case import Case
from steelyard.model.evalset import EvalSet
from tests.fake_providers.asked import Answering, Asked

# How often a model is right.
SKILLS = {"strong": 0.85, "fair": 0.6, "weak": 0.3}


def chosen(case: Case, model: str, attempt: int) -> str:
    """Return what a model says to a case at some attempt."""
    chance = Random(f"{model} {case.suite} {case.id} {attempt}")
    if chance.random() < SKILLS[model]:
        assert case.reference is not None
        return case.reference
    return chance.choice(case.wrong)


def answering(eval_set: EvalSet) -> Answering:
    """Return what a server answers by."""
    cases: Mapping[str, Case] = {case.prompt: case for case in eval_set.cases}
    assert len(cases) == len(eval_set.cases), "two cases ask the same"

    def answer(asked: Asked) -> str:
        return chosen(cases[asked.prompt], asked.model, asked.turn)

    return answer
