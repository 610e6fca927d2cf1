"""Finding what is left to do."""

from dataclasses import replace
from pathlib import Path

from steelyard.store.run.run_store import create_run, open_run
from tests.store.run.small_run import MANIFEST, fill, generated, seen, small_manifest


def test_everything_is_left_at_first_in_the_order_of_the_plan(tmp_path: Path) -> None:
    store = create_run(tmp_path / "run", MANIFEST)

    assert list(store.pending()) == list(MANIFEST.wanted())
    assert list(store.unchecked()) == []


def test_what_was_generated_is_not_left_whichever_it_was(tmp_path: Path) -> None:
    store = create_run(tmp_path / "run", MANIFEST)
    keys = list(MANIFEST.wanted())
    fill(store, keys[::3], chunk="0")

    assert list(open_run(tmp_path / "run").pending()) == [key for key in keys if key not in keys[::3]]


def test_answers_that_were_not_checked_come_back_as_they_were(tmp_path: Path) -> None:
    store = create_run(tmp_path / "run", MANIFEST)
    samples = [
        generated(key, text='é "quoted"\n\0', finish_reason="stop", tokens_cached=3, generated_at_us=1)
        for key in MANIFEST.wanted()
    ]
    store.add_samples(samples, chunk="0")
    store.add_outcomes([(sample, seen(sample)) for sample in samples[:20]], chunk="0")

    assert list(open_run(tmp_path / "run").unchecked()) == samples[20:]


def test_an_answer_that_never_came_is_not_to_be_checked(tmp_path: Path) -> None:
    store = create_run(tmp_path / "run", MANIFEST)
    store.add_samples([generated(key, error="down") for key in MANIFEST.wanted()], chunk="0")

    assert list(store.unchecked()) == []


def test_a_changed_case_is_generated_again_and_its_old_form_is_not_missed(tmp_path: Path) -> None:
    store = create_run(tmp_path / "run", small_manifest(models=1, cases=1, planned=2))
    fill(store, store.pending(), chunk="0")

    store.extend(cases=[replace(store.manifest.cases[0], digest="d2")])

    assert [(key.digest, key.attempt) for key in store.pending()] == [("d2", 0), ("d2", 1)]


def test_a_run_without_a_plan_has_nothing_left(tmp_path: Path) -> None:
    store = create_run(tmp_path / "run", replace(MANIFEST, planned_samples=None))

    assert list(store.pending()) == []
