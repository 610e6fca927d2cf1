from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.model.options import Errors, RuleChoice, StatisticsLimit
from steelyard.model.state import Quantity, SubjectKey
from steelyard.store import spreads
from steelyard.store.run.evidence import RunCounting, run_evidence
from steelyard.store.run.run_store import create_run
from tests.store.run.small_run import MANIFEST, small_run

ONE = SubjectKey("acme/one", "T0")


def test_the_rule_applied_again_gives_what_was_kept(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run")

    kept = run_evidence(store, RunCounting())
    again = run_evidence(store, RunCounting(rule=RuleChoice(name="build-test-lint")))

    assert kept == again


def test_another_rule_scores_the_same_facts_otherwise(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run")

    kept = run_evidence(store, RunCounting())
    other = run_evidence(store, RunCounting(rule=RuleChoice(name="accuracy")))

    assert other.scoring.name == "accuracy"
    assert [state.c for state in other.states] == [state.c for state in kept.states]
    assert all(state.score_sum == state.c * 1_000_000 for state in other.states)
    assert [state.score_sum for state in kept.states] != [state.score_sum for state in other.states]


def test_weights_of_the_same_rule_change_the_score(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run")
    heavy = RuleChoice(name="build-test-lint", weights={"tests": 1, "build": 0, "lint": 0})

    found = run_evidence(store, RunCounting(rule=heavy))

    assert found.scoring.parameters["weights.build"] == "0"
    assert all(state.score_sum == state.tests_sum for state in found.states)


def test_our_own_errors_can_count_as_failures(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run")

    left_out = run_evidence(store, RunCounting()).spreads
    failed = run_evidence(store, RunCounting(errors=Errors.FAIL)).spreads

    assert left_out is not None
    assert failed is not None
    errors = sum(
        state.n_error for state in run_evidence(store, RunCounting()).states if state.model == "acme/one"
    )
    assert failed[ONE, Quantity.SCORE].n == left_out[ONE, Quantity.SCORE].n + errors
    assert failed[ONE, Quantity.SCORE].sum == left_out[ONE, Quantity.SCORE].sum


def test_single_values_are_left_out_above_a_size_unless_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spreads, "SPREAD_LIMIT", 1)
    store = small_run(tmp_path / "run")

    assert run_evidence(store, RunCounting()).spreads is None
    assert run_evidence(store, RunCounting(spread=StatisticsLimit.FULL)).spreads is not None


def test_a_run_without_outcomes_says_so(tmp_path: Path) -> None:
    store = create_run(tmp_path / "run", replace(MANIFEST, planned_samples=None))

    with pytest.raises(InputError, match=r"holds no outcomes yet; next: steelyard run --resume /.*/run$"):
        run_evidence(store, RunCounting())


@pytest.mark.parametrize("rule", [None, RuleChoice(name="build-test-lint")], ids=["kept", "again"])
def test_scores_are_counted_case_by_case_if_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rule: RuleChoice | None
) -> None:
    store = small_run(tmp_path / "run")
    monkeypatch.setattr(spreads, "SPREAD_LIMIT", 3)  # also where there are too many samples for spreads

    unasked = run_evidence(store, RunCounting(rule=rule))
    found = run_evidence(store, RunCounting(rule=rule, count_scores=True))

    assert (unasked.scores, found.spreads, found.runs) == ({}, None, {})
    assert replace(found, scores={}) == unasked
    for state in found.states:
        counts = found.scores.get(state.key, ())
        assert sum(times for _, times in counts) == state.score_n
        assert sum(score * times for score, times in counts) == state.score_sum
        assert sum(score**2 * times for score, times in counts) == state.score_sq
