"""Counting outcomes from files."""

import json
import math
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.errors import InputError
from steelyard.model.options import ColumnMapping, RuleChoice, StatisticsLimit
from steelyard.model.outcome import Classification
from steelyard.model.state import ExpectedCase, Quantity, SubjectKey
from steelyard.store import spreads as module
from tests.store.counting import HEADER, by_case, counted, parquet, written


def test_passes_and_failures_are_counted_per_case(tmp_path: Path) -> None:
    path = written(tmp_path, HEADER + "a,c1,0,True\na,c1,1,False\na,c2,0,true\n")

    states = by_case(counted(path))

    assert (states["c1"].n, states["c1"].c) == (2, 1)
    assert (states["c2"].n, states["c2"].c) == (1, 1)


def test_an_empty_plausible_fix_is_no_evidence_and_counted_as_errored(tmp_path: Path) -> None:
    path = written(tmp_path, "oid,iteration_id,plausible_fix\np1,1,True\np1,2,\n")

    state = by_case(counted(path))["p1"]

    assert (state.n, state.c, state.n_error) == (1, 1, 1)


def test_the_seeds_pair_of_files_works_as_it_is_and_names_the_model_after_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, "oid,iteration_id,plausible_fix\np1,1,True\n", "gemini_synthetic_fixes.csv")

    evidence = counted(path)

    assert evidence.states[0].model == "gemini"


def test_money_scores_and_times_become_exact_integers(tmp_path: Path) -> None:
    rows = "a,c,0,True,0.1,0.000000001,0.1\na,c,1,True,0.2,0.000000002,0.2\na,c,2,True,0.3,1e-9,0.000001\n"
    path = written(tmp_path, "model,case,attempt,passed,score,cost_usd,latency_s\n" + rows)

    state = by_case(counted(path))["c"]

    assert (state.score_sum, state.cost_sum, state.latency_sum) == (600_000, 4, 300_001)


def test_milliseconds_and_native_units_are_read_by_their_names(tmp_path: Path) -> None:
    path = written(tmp_path, "model,case,attempt,passed,latency_ms,cost_nano_usd\na,c,0,True,1.5,7\n")

    state = by_case(counted(path))["c"]

    assert (state.latency_sum, state.cost_sum) == (1500, 7)


def test_facts_are_scored_by_the_rule_that_fits_them(tmp_path: Path) -> None:
    header = "model,case,attempt,built,tests_passed,tests_failed,lint_warnings\n"
    path = written(tmp_path, header + "a,c,0,True,3,1,2\na,c,1,False,0,0,\na,c,2,True,4,0,0\n")

    evidence = counted(path)

    state = by_case(evidence)["c"]
    assert evidence.scoring.name == "build-test-lint"
    assert (state.n, state.c, state.n_build_error) == (3, 1, 1)
    assert state.score_sum == 855_000 + 0 + 1_000_000
    assert state.tests_sum == 750_000 + 0 + 1_000_000


def test_a_classification_decides_pass_failure_kind_and_evidence(tmp_path: Path) -> None:
    kinds = ["pass", "refusal", "timeout", "error", "crash", "wrong_format", "policy_violation", "fail"]
    rows = "".join(f"a,c,{place},{kind}\n" for place, kind in enumerate(kinds))
    path = written(tmp_path, "model,case,attempt,classification\n" + rows)

    state = by_case(counted(path))["c"]

    assert (state.n, state.c, state.n_error) == (7, 1, 1)
    assert set(state.failures().values()) == {0, 1}
    assert state.failures()[Classification.TIMEOUT] == 1


def test_a_timeout_is_a_failed_sample_and_stays_in_n(tmp_path: Path) -> None:
    path = written(tmp_path, "model,case,attempt,classification\na,c,0,pass\na,c,1,timeout\n")

    state = by_case(counted(path))["c"]

    assert (state.n, state.c) == (2, 1)


def test_a_row_that_contradicts_itself_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "model,case,attempt,classification,passed\na,c,0,refusal,True\n")

    with pytest.raises(InputError, match="contradict"):
        counted(path)


def test_failproof_results_are_read_as_they_are(tmp_path: Path) -> None:
    row = {"case_id": "x", "suite_id": "s", "model_id": "m", "classification": {"primary": "refusal"}}
    path = written(tmp_path, json.dumps(row) + "\n", "results.jsonl")

    evidence = counted(path)

    assert evidence.scoring.name == "accuracy"
    assert (evidence.states[0].suite, evidence.states[0].n_refusal) == ("s", 1)


def test_from_a_stated_score_on_a_sample_has_passed(tmp_path: Path) -> None:
    path = written(tmp_path, "model,case,attempt,score\na,c,0,0.5\na,c,1,0.99\na,c,2,1\n")

    state = by_case(counted(path, rule=RuleChoice(pass_score=Fraction(99, 100))))["c"]

    assert (state.n, state.c) == (3, 2)


def test_a_score_beside_our_own_error_is_not_summed(tmp_path: Path) -> None:
    path = written(tmp_path, "model,case,attempt,passed,score\na,c,0,,0.5\na,c,1,True,1\n")

    state = by_case(counted(path))["c"]

    assert (state.n_error, state.score_n, state.score_sum) == (1, 1, 1_000_000)


def test_columns_are_taken_from_where_the_user_says(tmp_path: Path) -> None:
    path = written(tmp_path, "who,what,which,ok\na,c,0,1\n")
    columns = {"model": "who", "case": "what", "attempt": "which", "passed": "ok"}

    evidence = counted(path, naming=ColumnMapping(columns=columns))

    assert (evidence.states[0].model, evidence.states[0].case, evidence.states[0].c) == ("a", "c", 1)


def test_cases_that_are_not_on_the_list_are_kept_apart(tmp_path: Path) -> None:
    path = written(tmp_path, HEADER + "a,c1,0,True\na,zz,0,True\n")

    evidence = counted(path, expected=frozenset({ExpectedCase(None, "c1")}))

    assert [state.case for state in evidence.states] == ["c1"]
    assert [state.case for state in evidence.unknown] == ["zz"]
    assert evidence.spreads is not None
    assert evidence.spreads[SubjectKey("a", "T0"), Quantity.SCORE].n == 1


def test_every_value_is_looked_at_only_up_to_a_size_unless_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SPREAD_LIMIT", 1)
    path = written(tmp_path, HEADER + "a,c,0,True\na,c,1,True\n")

    assert counted(path).spreads is None
    assert counted(path, spread=StatisticsLimit.FULL).spreads is not None


def test_formats_and_compressed_files_mix(tmp_path: Path) -> None:
    text = HEADER + "a,c,0,True\n"
    plain = written(tmp_path, text, "one.csv")
    packed = tmp_path / "two.parquet"
    parquet(packed, "SELECT 'a' AS model, 'c' AS \"case\", 1 AS attempt, false AS passed")
    lines = written(tmp_path, '{"model": "a", "case": "c", "attempt": 2, "passed": true}\n', "three.jsonl")

    state = by_case(counted(plain, packed, lines))["c"]

    assert (state.n, state.c) == (3, 2)


def test_a_key_that_first_shows_up_late_is_not_missed(tmp_path: Path) -> None:
    rows = [{"model": "a", "case": "c", "attempt": place, "passed": True} for place in range(30_000)]
    late = {**rows[-1], "attempt": 30_000, "cost_usd": 2}
    path = written(tmp_path, "".join(json.dumps(row) + "\n" for row in [*rows, late]), "late.jsonl")

    assert by_case(counted(path))["c"].cost_sum == 2_000_000_000


def test_a_file_name_with_pattern_characters_and_quotes_is_just_a_name(tmp_path: Path) -> None:
    path = written(tmp_path, HEADER + "a,c,0,True\n", "it's [1]*?.csv")

    assert by_case(counted(path))["c"].n == 1


@pytest.mark.parametrize("sql", ["1.5", "-1", "'NaN'::DOUBLE", "'Infinity'::DOUBLE", "true", "[1]"])
def test_a_parquet_value_that_is_no_count_is_refused(tmp_path: Path, sql: str) -> None:
    path = tmp_path / "x.parquet"
    parquet(path, f"SELECT 'a' AS model, 'c' AS \"case\", 0 AS attempt, true AS passed, {sql} AS tokens_in")

    with pytest.raises(InputError, match="tokens_in"):
        counted(path)


Rows = list[tuple[str, str, int, bool | None, int, int]]


@st.composite
def outcome_rows(draw: st.DrawFn) -> Rows:
    size = draw(st.integers(1, 40))
    keys = draw(
        st.lists(
            st.tuples(st.sampled_from("ab"), st.sampled_from(["c1", "c2", "ç 3"]), st.integers(0, 9)),
            min_size=1,
            max_size=size,
            unique=True,
        )
    )
    return [
        (
            *key,
            draw(st.sampled_from([True, False, None])),
            draw(st.integers(0, 1_000_000)),
            draw(st.integers(0, 10**12)),
        )
        for key in keys
    ]


def _file(folder: Path, name: str, rows: Rows) -> Path:
    lines = ["model,case,attempt,passed,score_micro,cost_nano_usd"]
    lines += [",".join("" if value is None else str(value) for value in row) for row in rows]
    return written(folder, "\n".join(lines) + "\n", name)


@settings(max_examples=25, deadline=None)
@given(rows=outcome_rows(), seed=st.integers(0, 2**32))
def test_the_counts_do_not_depend_on_row_order_file_splits_or_threads(
    tmp_path_factory: pytest.TempPathFactory, rows: Rows, seed: int
) -> None:
    folder = tmp_path_factory.mktemp("split")
    shuffled = rows.copy()
    Random(seed).shuffle(shuffled)
    parts = math.ceil(len(shuffled) / 7)
    files = [
        _file(folder, f"part{place}.csv", shuffled[place * parts : (place + 1) * parts])
        for place in range(7)
        if shuffled[place * parts : (place + 1) * parts]
    ]

    whole = counted(_file(folder, "whole.csv", rows), threads=1)
    split = counted(*files, threads=2)

    assert split == whole


def test_the_cost_of_our_own_error_does_not_stand_in_for_an_unknown_one(tmp_path: Path) -> None:
    rows = "a,c,0,True,0.5\na,c,1,False,\na,c,2,,0.5\n"
    path = written(tmp_path, "model,case,attempt,passed,cost_usd\n" + rows)

    state = by_case(counted(path))["c"]

    assert (state.n, state.n_error, state.cost_n, state.n_unpriced) == (2, 1, 2, 1)


def test_samples_with_the_answer_and_the_result_of_another_are_counted_as_repeats(tmp_path: Path) -> None:
    rows = [
        *("m,same,0,true,a", "m,same,1,true,a", "m,same,2,true,a"),
        *("m,mixed,0,true,a", "m,mixed,1,false,b", "m,mixed,2,false,b", "m,mixed,3,,b"),
        *("m,unknown,0,true,", "m,unknown,1,true,"),
        *("m,flaky,0,true,a", "m,flaky,1,false,a"),
    ]
    path = written(tmp_path, "\n".join(["model,case,attempt,passed,answer_digest", *rows]))

    found = {key.case: tuple(repeats) for key, repeats in counted(path).repeats.items()}

    assert found == {"same": (2, 2), "mixed": (1, 0)}
