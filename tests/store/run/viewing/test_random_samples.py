"""Samples to rate are generated from those with an answer and a verdict, each with the same chance."""

from pathlib import Path

from steelyard.store.run.files import RunReader
from steelyard.store.run.run_store import open_run
from steelyard.store.run.viewing.random_samples import SamplePlace, Verdicts, random_samples, verdicts_of
from tests.store.run.viewing.conftest import Opened
from tests.web.runs import add_rows, make_run, plain_texts


def test_a_generate_is_the_same_again_and_a_larger_one_begins_with_it(opened: Opened) -> None:
    few, again, all_of_them = (random_samples(opened.engine, opened.store, n) for n in (5, 5, 100))

    assert few == again == all_of_them[:5]
    assert len(set(all_of_them)) == 24


def test_an_answer_that_waits_for_its_check_is_not_generated(tmp_path: Path) -> None:
    store = make_run(tmp_path / "run", cases=1, samples=2, finish=False)
    add_rows(store, plain_texts(), range(2, 4), checked=False)

    generated = random_samples(RunReader(str(tmp_path / "run")), open_run(tmp_path / "run"), 100)

    assert sorted(place.attempt for place in generated) == [0, 0, 1, 1]


def test_the_verdicts_are_those_of_the_samples_asked_for(opened: Opened) -> None:
    generated = random_samples(opened.engine, opened.store, 100)

    found = verdicts_of(opened.engine, opened.store, [*generated, SamplePlace(1, 1)])

    assert set(found) == set(generated)
    assert sorted(found.values()) == [Verdicts(False, None)] * 6 + [Verdicts(True, None)] * 18  # noqa: FBT003
