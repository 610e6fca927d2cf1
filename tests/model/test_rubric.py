"""A rubric's name for itself changes with all that can change a judgement."""

from dataclasses import replace
from fractions import Fraction

from steelyard.model.rubric import ConsensusPlan, RatingScale
from tests.checks.rubrics import RUBRIC, WORKS


def test_the_digest_tells_rubrics_apart_that_judge_differently() -> None:
    item = WORKS.items[0]
    items = [
        replace(item, weight=Fraction(1)),
        replace(item, scale=RatingScale.BINARY),
        replace(item, description="It adds well."),
        replace(item, not_applicable="never"),
    ]
    others = [
        replace(RUBRIC, pass_threshold=Fraction(1, 2)),
        replace(RUBRIC, description="Be strict."),
        replace(RUBRIC, consensus=ConsensusPlan()),
        replace(RUBRIC, categories=RUBRIC.categories[:1]),
        *(replace(RUBRIC, categories=(replace(WORKS, items=(one,)),)) for one in items),
    ]

    assert len({rubric.digest for rubric in (RUBRIC, *others)}) == 1 + len(others)
    assert replace(RUBRIC, id="other", name="Other").digest == RUBRIC.digest
