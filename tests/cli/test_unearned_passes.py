"""Outcome files that once got a pass or a number that they had not earned, up to the exit code."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from steelyard.cli.main import main

Captured = pytest.CaptureFixture[str]
Score = Callable[..., str]


@pytest.fixture
def score(tmp_path: Path, capsys: Captured) -> Score:
    """Return a function that scores the rows of a file into a report, and says where it is."""

    def scored(name: str, rows: Iterable[str], *options: str, header: str = "passed") -> str:
        file, report = tmp_path / f"{name}.csv", tmp_path / f"{name}.json"
        file.write_text("\n".join([f"model,case,attempt,{header}", *rows]) + "\n", encoding="utf-8")
        assert main(["score", str(file), "-o", str(report), *options]) == 0
        capsys.readouterr()
        return str(report)

    return scored


def passing(counts: Iterable[tuple[int, int]], *, model: str = "m") -> list[str]:
    """Return the rows of cases with so many samples and passes each."""
    return [
        f"{model},c{place:03d},{attempt},{int(attempt < c)}"
        for place, (n, c) in enumerate(counts)
        for attempt in range(n)
    ]


def of_tests(tests_passed: int, *, samples: int = 5) -> list[str]:
    """Return the rows of 60 cases of which every sample passes so many of twenty tests."""
    return [
        f"m,c{case:03d},{attempt},true,{tests_passed},{20 - tests_passed},0"
        for case in range(60)
        for attempt in range(samples)
    ]


TESTS = "built,tests_passed,tests_failed,lint_warnings"


def gate(before: str, after: str, *options: str) -> int:
    return main(["gate", "--baseline", before, "--current", after, *options])


def gate_json(before: str, after: str, *options: str, capsys: Captured) -> dict[str, Any]:
    gate(before, after, *options, "--format", "json")
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize("way", [(), ("--sequence", "rounds.json")])
def test_scores_that_fall_fail_every_form_of_the_gate(
    score: Score, way: tuple[str, ...], capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    samples = 1 if "--sequence" in way else 5
    good = score("good", of_tests(19, samples=samples), header=TESTS)
    bad = score("bad", of_tests(1, samples=samples), header=TESTS)

    assert gate(good, bad, *way) == 1
    shown = capsys.readouterr().out
    assert "its mean score fell" in shown.splitlines()[0]
    assert "over 60 cases the mean score fell by 45 points" in shown
    Path("rounds.json").unlink(missing_ok=True)
    found = gate_json(good, bad, *way, capsys=capsys)
    assert found["verdict"] == "fail"
    assert found["subjects"][0]["decision"]["grounds"] == ["score_drop"]


def test_a_comparison_says_that_scores_fell(score: Score, capsys: Captured) -> None:
    good, bad = (score(str(tests), of_tests(tests), header=TESTS) for tests in (19, 1))

    main(["compare", "--baseline", good, "--current", bad])
    shown = capsys.readouterr().out
    assert "no change in any" not in shown
    assert "its mean score fell" in shown
    assert "m: mean score -45.0 points" in shown
    main(["compare", "--baseline", good, "--current", bad, "--format", "json"])
    [subject] = json.loads(capsys.readouterr().out)["subjects"]
    assert subject["p_score"] < 0.0001
    assert subject["score_worse"] == 60


def test_cases_that_broke_do_not_pass_because_others_rose(score: Score, capsys: Captured) -> None:
    rest = [(5, 5)] * 90
    before = score("before", passing([(5, 5)] * 8 + [(5, 3)] * 40 + rest))
    after = score("after", passing([(5, 0)] * 8 + [(5, 4)] * 40 + rest))

    assert gate(before, after) == 1
    shown = capsys.readouterr().out
    assert "8 of 138 cases dropped: c000, c001" in shown
    found = gate_json(before, after, capsys=capsys)
    assert [case["case"] for case in found["subjects"][0]["broken_cases"]] == [f"c{n:03d}" for n in range(8)]


def until_a_pass(cases: int, *, rate: float, maximum: int, seed: int) -> list[str]:
    """Return the rows of cases that were generated until one sample passed."""
    random, rows = Random(seed), []
    for case in range(cases):
        for attempt in range(maximum):
            has_passed = random.random() < rate
            rows.append(f"m,c{case},{attempt},{int(has_passed)}")
            if has_passed:
                break
    return rows


@pytest.mark.check_all
def test_samples_generated_until_a_pass_bias_no_number_and_are_not_gated(
    score: Score, capsys: Captured
) -> None:
    rule = ("--stop-rule", "maximum=10,passes=1")
    report = score("stopped", until_a_pass(1000, rate=0.1, maximum=10, seed=1), *rule)
    again = score("again", until_a_pass(1000, rate=0.1, maximum=10, seed=2), *rule)

    [subject] = json.loads(Path(report).read_text(encoding="utf-8"))["subjects"]
    rate = subject["pass_rate"]["value"]
    # Passes by samples of a case have a mean of 0.23; an unbiased rate is within 4 standard errors of 0.1.
    assert rate is None or 0.06 < rate < 0.14
    assert gate(report, again) == 2
    assert "maximum=10,passes=1" in capsys.readouterr().err


def test_a_second_stage_needs_all_its_samples_and_none_of_the_first(score: Score, capsys: Captured) -> None:
    before, after = score("before", passing([(1, 1)] * 50)), score("after", passing([(1, 0)] + [(1, 1)] * 49))
    few = score("few", passing([(3, 3)]))

    assert gate(before, after, "--margin", "0.5", "--fresh-baseline", few, "--fresh-current", few) == 4
    assert capsys.readouterr().out.startswith("INCONCLUSIVE")
    reused = ("--margin", "0.5", "--fresh-baseline", before, "--fresh-current", after)
    assert gate(before, after, *reused) == 2
    assert "must be generated again" in capsys.readouterr().err


def test_every_model_of_a_sequence_has_a_history_of_its_own(
    score: Score, tmp_path: Path, capsys: Captured
) -> None:
    good, bad = [(1, 1)] * 40, [(1, 0)] * 2 + [(1, 1)] * 38
    before = score("before", passing(good, model="x") + passing(good, model="y"))
    after = score("after", passing(good, model="x") + passing(bad, model="y"))
    rounds = ("--sequence", str(tmp_path / "rounds.json"))

    assert gate(before, after, *rounds) == 4
    shown = capsys.readouterr().out
    assert "x: 1 round: 0 losses, 0 wins, 40 ties; e-value 1 for a drop" in shown
    assert "y: 1 round: 2 losses, 0 wins, 38 ties; e-value 1.44 for a drop" in shown
    assert gate(before, after, *rounds) == 2  # the same samples, as after a retry
    assert "samples count once" in capsys.readouterr().err


def with_worse(cells: tuple[str, str], *, worse: int) -> list[str]:
    """Return the rows of 60 cases whose cells are the first of two, but the second in the first so many."""
    return [f"m,c{case:03d},{attempt},{cells[case < worse]}" for case in range(60) for attempt in range(5)]


@pytest.mark.check_all
@pytest.mark.parametrize(
    ("columns", "cells", "code"),
    [("classification,passed", ("pass,1", ",0"), 1), ("passed,impl_rate", ("1,0.9", "0,"), 4)],
    ids=["no classification", "no score"],
)
def test_failures_without_a_classification_or_a_score_are_not_excused_as_missing(
    score: Score, columns: str, cells: tuple[str, str], code: int
) -> None:
    before = score("before", with_worse(cells, worse=0), header=columns)
    after = score("after", with_worse(cells, worse=30), header=columns)

    assert gate(before, after, "--allow-missing") == code
