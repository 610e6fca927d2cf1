"""What judges said is found again beside the sample that it is about."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from steelyard.metrics.judge_agreement import judge_agreement
from steelyard.model.judgement import Judgement, Reading
from steelyard.store.run.judgements import judgements_of_run
from steelyard.store.run.run_store import create_run, open_run
from tests.store.run.small_run import MANIFEST, drawn, seen, small_run


def judgement(score: Fraction) -> Judgement:
    """Return the judgement of two judges who say the same."""
    readings = (Reading(judge=name, number=0, ratings=(score,), score=score) for name in ("a/one", "b/two"))
    return Judgement(rubric="r", rubric_digest="d", score=score, readings=tuple(readings))


def test_judgements_of_a_run_are_told_with_one_of_equal_answers_as_the_first(tmp_path: Path) -> None:
    store = create_run(tmp_path / "run", MANIFEST)
    samples = [drawn(key) for key in store.undrawn()]
    samples[1] = replace(samples[1], text=samples[0].text)
    store.add_samples(samples, chunk="all")
    judged = [
        (sample, replace(seen(sample), judgement=judgement(Fraction(place % 2)), is_repeat=place == 0))
        for place, sample in enumerate(samples)
    ]
    unjudged = replace(judged[5][1], judgement=None)
    store.add_outcomes([*judged[:5], (samples[5], unjudged), *judged[6:]], chunk="all")

    found = list(judgements_of_run(open_run(tmp_path / "run")))

    assert {one.key: one.judgement for one in found} == {
        sample.key: outcome.judgement for sample, outcome in judged if sample is not samples[5]
    }
    assert [one.key for one in found if not one.is_first] == [samples[1].key]
    agreement = judge_agreement(
        {"/".join(map(str, one.key)): one.judgement for one in found}, threshold=Fraction(1, 2)
    )
    assert (agreement.alpha, agreement.answers) == (1, len(samples) - 1)


def test_a_run_without_a_judge_has_none(tmp_path: Path) -> None:
    assert not list(judgements_of_run(small_run(tmp_path / "run")))
