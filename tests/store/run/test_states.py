from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.errors import StoreError
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.model.run import RunCase
from steelyard.model.sample import SampleKey
from steelyard.store.run.evidence import RunCounting, run_evidence
from steelyard.store.run.run_store import create_run, open_run
from steelyard.store.run.states import count_here, shares, states_sql
from tests.store.run.small_run import MANIFEST, fill, generated, seen, small_manifest, small_run


def test_states_are_those_of_the_rows(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run")

    evidence = run_evidence(open_run(tmp_path / "run"), RunCounting())

    for state in evidence.states:
        keys = [key for key in store.manifest.wanted() if (key.model, key.case) == (state.model, state.case)]
        outcomes = [seen(generated(key)) for key in keys]
        errors = [one for one in outcomes if one.facts.classification is Classification.ERROR]
        assert state.n == len(keys) - len(errors)
        assert state.n_error == len(errors)
        assert state.n_build_error == sum(one.facts.built is False for one in outcomes)
        assert state.n_timeout == sum(one.facts.classification is Classification.TIMEOUT for one in outcomes)
        assert state.cost_sum == sum(1_000 + key.attempt for key in keys)
        error_costs = [1_000 + key.attempt for key, one in zip(keys, outcomes, strict=True) if one in errors]
        assert state.cost_pass_sum + state.cost_fail_sum == state.cost_sum - sum(error_costs)
        assert state.tokens_out_sum == 20 * len(keys)
        assert state.digest == "d1"
    assert sum(state.c for state in evidence.states) > 0
    assert sum(state.n_error for state in evidence.states) > 0


@pytest.mark.parametrize("parts", [2, 3, 7, 50])
def test_any_partition_of_the_files_gives_the_same_evidence(tmp_path: Path, parts: int) -> None:
    small_run(tmp_path / "run", small_manifest(cases=6, planned=5), chunks=7)
    store = open_run(tmp_path / "run")

    whole, dealt = (run_evidence(store, RunCounting(parts=count)) for count in (1, parts))

    assert whole == dealt


def test_files_are_dealt_out_once_each_and_evenly(tmp_path: Path) -> None:
    small_run(tmp_path / "run", chunks=6)
    table = open_run(tmp_path / "run").outcomes

    dealt = shares(table, parts=3)

    assert sorted(uri for share in dealt for uri in share.uris) == [file.uri for file in table.files()]
    assert [len(share.uris) for share in dealt] == [2, 2, 2]


def test_an_unfinished_and_a_finished_run_say_the_same(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run", chunks=4)
    before = run_evidence(open_run(tmp_path / "run"), RunCounting())

    store.finish()

    assert run_evidence(open_run(tmp_path / "run"), RunCounting()) == before


def test_what_the_log_knows_is_not_asked_again(tmp_path: Path) -> None:
    store = create_run(tmp_path / "run", MANIFEST)
    keys = list(store.pending())
    passing = Outcome(facts=Facts(built=True, tests_passed=1, tests_failed=0, lint_warnings=0))
    broken = Outcome(facts=Facts(classification=Classification.ERROR, built=True))
    store.add_outcomes(
        [(generated(key), broken if key.attempt == 0 else passing) for key in keys], chunk="a chunk"
    )

    sql = states_sql(store.outcomes)

    assert "0 AS impl_sum" in sql  # null in every row
    assert "0 AS n_untested" in sql  # false in every row
    assert "0 AS n_unpriced" in sql  # not null in any row
    assert "count(*) AS cost_n" in sql
    assert "count(passed) AS score_n" in sql  # null exactly where there is no evidence
    assert "count(passed) AS built_n" in sql
    assert {state.built_n for state in run_evidence(store, RunCounting()).states} == {2}


def test_passes_and_failures_are_added_up_apart_only_for_a_stop_rule(tmp_path: Path) -> None:
    plain = small_run(tmp_path / "plain")
    stopped = small_run(tmp_path / "stopped", replace(MANIFEST, stop_rule="maximum=3,minimum=3"))
    nothing = {"score_pass_sum": 0, "cost_pass_sum": 0, "cost_fail_sum": 0}

    every, without, of_the_rule = (
        run_evidence(store, RunCounting(by_pass=by_pass)).states
        for store, by_pass in ((plain, True), (plain, False), (stopped, False))
    )

    assert every == of_the_rule
    assert without == tuple(state._replace(**nothing) for state in every)  # type: ignore[arg-type]  # sums
    assert sum(state.score_pass_sum for state in every) > 0


def test_states_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    backwards = replace(MANIFEST, subjects=MANIFEST.subjects[::-1], cases=MANIFEST.cases[::-1])

    states = run_evidence(small_run(tmp_path / "run", backwards), RunCounting()).states

    assert list(states) == sorted(states)
    assert len(states) == len(MANIFEST.subjects) * len(MANIFEST.cases)


def test_an_answer_without_a_price_is_counted(tmp_path: Path) -> None:
    store = create_run(tmp_path / "run", MANIFEST)
    samples = [generated(key, cost_nano_usd=None if key.attempt else 5) for key in store.pending()]
    outcome = Outcome(facts=Facts(built=True, tests_passed=1, tests_failed=0))
    store.add_outcomes([(sample, outcome) for sample in samples], chunk="a chunk")

    state = run_evidence(store, RunCounting()).states[0]

    assert (state.n_unpriced, state.cost_n, state.cost_sum) == (2, 1, 5)
    assert state.n_unlinted == 3


def test_a_changed_case_is_not_mixed_with_its_old_form(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run")
    store.extend(cases=[RunCase(suite="basics", case="case-0", digest="d2")])
    assert {(key.case, key.digest) for key in store.pending()} == {("case-0", "d2")}

    fill(store, list(store.pending())[:1], chunk="new form")

    evidence = run_evidence(open_run(tmp_path / "run"), RunCounting())
    changed = [state for state in evidence.states if state.case == "case-0"]
    assert [(state.digest, state.n + state.n_error) for state in changed] == [("d2", 1)]
    assert {spread.n for key, spread in (evidence.spreads or {}).items() if key[1] == "cost"} == {9, 10}


def test_a_row_that_stands_twice_is_refused(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run")
    again = [generated(SampleKey("acme/two", "T0", "basics", "case-3", "d1", 2))]
    store.add_outcomes([(sample, seen(sample)) for sample in again], chunk="by mistake")

    with pytest.raises(StoreError, match="acme/two"):
        run_evidence(open_run(tmp_path / "run"), RunCounting())


def test_a_gap_in_the_attempts_is_no_double(tmp_path: Path) -> None:
    store = create_run(tmp_path / "run", MANIFEST)
    fill(store, [key for key in store.pending() if key.attempt != 1], chunk="all but the second")

    assert run_evidence(store, RunCounting()).states[0].n_error in {0, 1}


def test_outcomes_of_a_case_that_nobody_planned_are_refused(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run")
    foreign = generated(SampleKey("acme/one", "T0", "basics", "case-9", "d1", 0))
    store.add_outcomes([(foreign, seen(foreign))], chunk="foreign")

    with pytest.raises(StoreError, match=r"run\.json"):
        run_evidence(open_run(tmp_path / "run"), RunCounting())


def test_counting_here_counts_one_share_after_the_other(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run", replace(MANIFEST, planned_samples=1))

    parts = list(count_here(shares(store.outcomes, parts=2)))

    assert sum(row[1] + row[3] for part in parts for row in part) == 8
