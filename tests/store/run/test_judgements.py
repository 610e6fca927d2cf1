"""What judges said is counted over all answers of a run, and found again word for word for some of them."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from steelyard.metrics.judge_agreement import judge_agreement
from steelyard.model.judgement import Judgement, Reading
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.model.report_runs import JudgedSubject
from steelyard.model.sample import Sample
from steelyard.store.run.judgements import judging_of_run
from steelyard.store.run.run_store import RunStore, create_run, open_run
from tests.store.run.small_run import MANIFEST, generated, small_manifest, small_run

ALL = 1_000


def reading(judge: str, score: Fraction = Fraction(1), **changes: object) -> Reading:
    one = Reading(judge=judge, number=0, ratings=(score,), score=score, cost_nano_usd=1_000)
    return replace(one, **changes)  # type: ignore[arg-type]  # named as the fields are


def out_of_form(judge: str) -> Reading:
    return reading(judge, problem="no JSON", ratings=())


def judgement(*readings: Reading, **changes: object) -> Judgement:
    score = next((one.score for one in readings if one.is_usable), None)
    whole = Judgement(rubric="r", rubric_digest="d", score=score, readings=readings)
    return replace(whole, **changes)  # type: ignore[arg-type]  # named as the fields are


def judged_run(
    path: Path, samples: list[Sample], store: RunStore, said: Callable[[int], Judgement | None]
) -> RunStore:
    """Return a run whose samples, by their place, are judged as said; nothing means not judged."""
    store.add_samples(samples, chunk="all")
    outcomes = []
    for place, sample in enumerate(samples):
        given = said(place)
        facts = Facts(
            classification=Classification.PASS, passed=True, impl_rate=None if given is None else given.score
        )
        outcomes.append((sample, Outcome(facts=facts, judgement=given)))
    store.add_outcomes(outcomes, chunk="all")
    return open_run(path)


def both(place: int) -> Judgement:
    """Return the judgement of two judges who say the same."""
    score = Fraction(place % 2)
    return judgement(reading("a/one", score), reading("b/two", score))


def test_the_judgement_of_equal_answers_is_given_once_and_counts_for_each_subject(tmp_path: Path) -> None:
    store = create_run(tmp_path / "run", MANIFEST)
    samples = [generated(key) for key in store.pending()]
    samples[1] = replace(samples[1], text=samples[0].text)

    run = judged_run(tmp_path / "run", samples, store, lambda place: None if place == 5 else both(place // 2))
    found = judging_of_run(run, most=ALL)

    assert found.sample == {
        sample.key: both(place // 2) for place, sample in enumerate(samples) if place not in {1, 5}
    }
    assert found.answers == len(samples) - 2
    assert (found.replies, found.cost_nano_usd) == (found.answers * 2, found.answers * 2_000)
    assert sum(one.answers for one in found.subjects) == len(samples) - 1
    agreement = judge_agreement(
        {"/".join(map(str, key)): one for key, one in found.sample.items()}, threshold=Fraction(1, 2)
    )
    assert (agreement.alpha, agreement.answers) == (1, found.answers)


def test_what_is_wrong_with_replies_is_counted_by_judge_and_by_subject(tmp_path: Path) -> None:
    store = create_run(tmp_path / "run", small_manifest(models=1, cases=1, planned=6))
    samples = [generated(key) for key in store.pending()]
    given = [
        judgement(reading("a/one", is_total_off=True, saw_tampering=True), reading("b/two")),
        judgement(reading("a/one"), reading("b/two"), disagreements=("range",)),
        judgement(out_of_form("a/one"), reading("a/one"), reading("b/two")),
        judgement(reading("a/one"), out_of_form("b/two"), out_of_form("b/two")),
        judgement(out_of_form("a/one"), out_of_form("b/two")),
        judgement(note="the answer is empty", score=Fraction(0)),
    ]

    found = judging_of_run(judged_run(tmp_path / "run", samples, store, given.__getitem__), most=ALL)

    assert (found.answers, found.replies, found.unusable, found.totals_off) == (6, 12, 5, 1)
    assert found.unusable_by_judge == {"a/one": 2, "b/two": 3}
    assert found.missing_by_judge == {"a/one": 1, "b/two": 2}
    assert found.disagreeing == 2  # in the range, and where one judge is missing, named so or not
    assert found.subjects == (
        JudgedSubject(
            model="acme/0", tier="T0", answers=6, unrated=1, disagreeing=2, saw_tampering=1, unusable=5
        ),
    )


def test_one_reply_of_unknown_cost_makes_the_whole_unknown(tmp_path: Path) -> None:
    store = create_run(tmp_path / "run", MANIFEST)
    samples = [generated(key) for key in store.pending()]

    def said(place: int) -> Judgement:
        return judgement(reading("a/one", cost_nano_usd=None if place == 3 else 5))

    assert judging_of_run(judged_run(tmp_path / "run", samples, store, said), most=1).cost_nano_usd is None


def test_of_many_judgements_some_of_every_model_are_given_and_all_are_counted(tmp_path: Path) -> None:
    store = create_run(tmp_path / "run", small_manifest(models=2, cases=6, planned=10))
    samples = [generated(key) for key in store.pending()]
    run = judged_run(tmp_path / "run", samples, store, both)

    found = judging_of_run(run, most=40)

    assert found.answers == sum(one.answers for one in found.subjects) == len(samples) == 120
    assert {key.model for key in found.sample} == {"acme/0", "acme/1"}
    assert len(found.sample) == 40
    assert judging_of_run(run, most=40) == found
    fewer = judging_of_run(run, most=20).sample
    assert fewer.keys() < found.sample.keys()


def test_a_run_without_a_judge_has_none(tmp_path: Path) -> None:
    found = judging_of_run(small_run(tmp_path / "run"), most=ALL)

    assert (found.answers, found.replies, found.cost_nano_usd) == (0, 0, 0)
    assert (found.subjects, found.sample) == ((), {})
