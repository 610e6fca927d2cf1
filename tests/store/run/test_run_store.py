"""Beginning, extending and finishing a run."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from steelyard.errors import InputError, StoreError
from steelyard.model.case import Case
from steelyard.model.evalset import EvalSet, Suite
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.model.run import RunCase, Subject
from steelyard.store.run.evidence import RunCounting, run_evidence
from steelyard.store.run.run_store import create_run, is_run, open_run, prepare_run
from tests.store.run.small_run import MANIFEST, fill, generated, seen, small_run


def test_a_place_holds_a_run_from_its_manifest_on(tmp_path: Path) -> None:
    before = is_run(tmp_path / "run")
    create_run(tmp_path / "run", MANIFEST)

    assert (before, is_run(tmp_path / "run")) == (False, True)
    assert open_run(tmp_path / "run").manifest == MANIFEST


def test_a_run_is_not_begun_on_top_of_another(tmp_path: Path) -> None:
    create_run(tmp_path / "run", MANIFEST)

    with pytest.raises(InputError, match=r"run.*`run --resume`"):
        create_run(tmp_path / "run", replace(MANIFEST, id="other"))

    assert open_run(tmp_path / "run").manifest.id == "small"


def test_a_run_whose_beginning_was_killed_can_be_begun_again(tmp_path: Path) -> None:
    prepare_run(tmp_path / "run", MANIFEST)
    killed = is_run(tmp_path / "run")

    create_run(tmp_path / "run", MANIFEST)

    assert not killed
    assert len(list(open_run(tmp_path / "run").pending())) == 24


def test_a_run_does_not_take_over_the_rows_of_an_import_that_was_killed(tmp_path: Path) -> None:
    fill(prepare_run(tmp_path / "run", MANIFEST), list(MANIFEST.wanted())[:3], chunk="0")

    with pytest.raises(InputError, match="manifest"):
        create_run(tmp_path / "run", MANIFEST)


def test_more_samples_of_each_case_can_be_planned(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run")

    store.extend(planned_samples=4)

    assert [key.attempt for key in open_run(tmp_path / "run").pending()] == [3] * 8


def test_further_subjects_and_cases_can_be_planned_and_known_ones_stand_once(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run")
    three = Subject(model="acme/three", parameters={"temperature": "1"})

    store.extend(subjects=[*MANIFEST.subjects, three], cases=MANIFEST.cases)
    store.extend(subjects=[three], cases=[RunCase(suite="basics", case="case-4", digest="d1")])

    manifest = open_run(tmp_path / "run").manifest
    assert manifest.subjects == (*MANIFEST.subjects, three)
    assert [case.case for case in manifest.cases] == ["case-0", "case-1", "case-2", "case-3", "case-4"]
    assert len(list(store.pending())) == 5 * 3 + 2 * 3


def test_a_case_that_is_changed_back_counts_in_its_first_form_again(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run")
    first, second = MANIFEST.cases[0], replace(MANIFEST.cases[0], digest="d2")

    store.extend(cases=[second])
    changed = [key.digest for key in store.pending()]
    store.extend(cases=[first])

    assert changed == ["d2"] * 6
    assert list(store.pending()) == []
    assert store.manifest.cases == (*MANIFEST.cases[1:], second, first)


def test_a_plan_that_somebody_else_has_changed_is_not_overwritten(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run")
    open_run(tmp_path / "run").hold().extend(planned_samples=9)

    with pytest.raises(StoreError, match="process"):
        store.extend(planned_samples=5)

    assert open_run(tmp_path / "run").manifest.planned_samples == 9


def test_what_ended_in_our_own_error_can_be_generated_and_checked_again(tmp_path: Path) -> None:
    store = create_run(tmp_path / "run", replace(MANIFEST, planned_samples=1))
    keys = list(store.pending())
    failed = [generated(key, error="the provider was down") for key in keys[:2]]
    samples = [*failed, *map(generated, keys[2:])]
    store.add_samples(samples, chunk="0")
    broken = Outcome(facts=Facts(classification=Classification.ERROR))
    good = Outcome(facts=Facts(built=True, tests_passed=1, tests_failed=0))
    store.add_outcomes([(samples[2], broken), *((sample, good) for sample in samples[3:])], chunk="0")

    forgotten = store.forget_errors()

    assert forgotten == 3
    assert list(store.pending()) == keys[:2]
    assert [sample.key for sample in store.unchecked()] == [keys[2]]
    assert store.add_samples([generated(key) for key in keys[:2]], chunk="1")
    assert store.forget_errors() == 0


def test_finishing_leaves_one_sorted_file_and_the_same_evidence(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run", chunks=5)
    before = run_evidence(open_run(tmp_path / "run"), RunCounting())

    store.finish()

    finished = open_run(tmp_path / "run")
    for table in (finished.samples, finished.outcomes):
        (file,) = table.files()
        assert [path.name for path in Path(table.location.address).glob("part-*")] == [Path(file.uri).name]
    assert run_evidence(finished, RunCounting()) == before


def test_a_finished_run_can_be_finished_again_and_extended(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run")
    store.finish()
    store.finish()

    store.extend(planned_samples=4)
    fill(store, store.pending(), chunk="more")
    store.finish()

    assert sum(file.rows for file in open_run(tmp_path / "run").outcomes.files()) == 32


def test_an_empty_run_can_be_finished(tmp_path: Path) -> None:
    create_run(tmp_path / "run", MANIFEST).finish()

    assert len(list(open_run(tmp_path / "run").pending())) == 24


def test_an_outcome_is_scored_by_the_rule_of_the_run(tmp_path: Path) -> None:
    store = create_run(tmp_path / "run", MANIFEST)
    sample = generated(next(store.pending()))
    store.add_outcomes([(sample, seen(sample))], chunk="0")

    (state,) = run_evidence(open_run(tmp_path / "run"), RunCounting()).states

    assert state.model == "acme/one"
    assert state.n + state.n_error == 1


def test_a_run_that_grows_takes_the_weights_and_languages_of_the_set_it_goes_by(tmp_path: Path) -> None:
    store = create_run(tmp_path / "run", MANIFEST)
    suites = (Suite(id="basics", weight=Fraction(3)), Suite(id="more"))
    case = Case(suite="more", id="new", prompt="Say yes.", language="text")

    store.extend(eval_set=EvalSet(id="s", cases=(case,), suites=suites))

    grown = open_run(tmp_path / "run").manifest
    assert grown.suite_weights == {"basics": "3", "more": "1"}
    assert grown.languages == ("text",)


def test_a_model_that_may_not_be_taken_out_leaves_the_run_as_it_is(tmp_path: Path) -> None:
    store = create_run(tmp_path / "run", MANIFEST)
    keys = list(store.pending())
    failed = generated(keys[1], text="", error="unreachable: no address")
    store.add_samples([generated(keys[0]), failed], chunk="0")
    fewer = replace(MANIFEST, subjects=MANIFEST.subjects[1:])

    with pytest.raises(InputError, match="acme/one"):
        store.change_models(fewer)

    assert store.forget_errors() == 1  # what failed is still there
