"""The column `cluster` goes from files and eval sets to intervals and verdicts."""

from collections.abc import Sequence
from pathlib import Path

import pytest

import steelyard
from steelyard.errors import InputError, UserError
from steelyard.model.estimate import Estimate
from steelyard.model.report import Report

EVAL_SET = """
[eval_set]
id = "sums"
[[cases]]
id = "add"
language = "text"
prompt = "What is {{a}} + 1?"
variables = [{ a = ["1", "2"] }]
[cases.expectations.settings]
exact = "{{a}}"
[[cases]]
id = "third"
language = "text"
cluster = "add"
prompt = "Say 3."
[cases.expectations.settings]
exact = "3"
[[cases]]
id = "fourth"
language = "text"
prompt = "Say 4."
[cases.expectations.settings]
exact = "4"
"""


def scored(folder: Path, name: str, rates: Sequence[int], *, of_each: int) -> Report:
    """Score cases in clusters of so many copies; without `of_each`, the same cases alone."""
    rows = [
        f"m,c{task}-{copy},{sample},{sample < passes}" + (f",t{task}" if of_each > 1 else "")
        for task, passes in enumerate(rates)
        for copy in range(5)
        for sample in range(5)
    ]
    path = folder / f"{name}.csv"
    path.write_text("\n".join(["model,case,attempt,passed" + ",cluster" * (of_each > 1), *rows]))
    return steelyard.score_files([path])


def widths(estimate: Estimate) -> list[float]:
    bounds = ((interval.low, interval.high) for interval in estimate.intervals)
    return [high - low for low, high in bounds if low is not None and high is not None]


def test_clusters_of_files_widen_intervals_and_keep_rates(tmp_path: Path) -> None:
    rates = [5, 4, 2, 0, 5, 3, 1, 5, 5, 4]
    clustered = scored(tmp_path, "clustered", rates, of_each=5)
    alone = scored(tmp_path, "alone", rates, of_each=1)

    assert clustered.cases[0].cluster == "t0"
    assert alone.cases[0].cluster == ""
    for mine, theirs in zip(clustered.subjects, alone.subjects, strict=True):
        estimates = zip(
            (mine.pass_at_k[0].estimate, mine.score, mine.overall.macro),
            (theirs.pass_at_k[0].estimate, theirs.score, theirs.overall.macro),
            strict=True,
        )
        for wide, narrow in estimates:
            assert wide.value == narrow.value
            assert all(one > 1.5 * other for one, other in zip(widths(wide), widths(narrow), strict=True))


def test_a_gate_over_clusters_needs_more_to_fail(tmp_path: Path) -> None:
    old, new = [5, 5, 5, 5, 5, 5, 5, 5], [5, 5, 5, 5, 5, 5, 5, 2]
    reports = {
        of_each: [
            scored(tmp_path, f"{of_each}{len(set(rates))}", rates, of_each=of_each) for rates in (old, new)
        ]
        for of_each in (1, 5)
    }

    assert steelyard.gate(*reports[1]).verdict.value == "fail"
    assert steelyard.gate(*reports[5]).verdict.value == "inconclusive"


def test_rounds_refuse_clusters(tmp_path: Path) -> None:
    report = scored(tmp_path, "one", [5, 5], of_each=5)
    path = tmp_path / "first.csv"
    path.write_text(
        "\n".join(
            line
            for line in (tmp_path / "one.csv").read_text().split("\n")
            if ",0," in line or "model" in line
        )
    )
    single = steelyard.score_files([path])

    with pytest.raises(UserError, match="clusters"):
        steelyard.gate(single, single, sequence=tmp_path / "sequence.json")
    assert report.cases[0].n == 5


def test_a_case_in_two_clusters_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "two.csv"
    path.write_text("case,attempt,passed,cluster\na,0,true,x\na,1,true,y\n")

    with pytest.raises(InputError, match="two clusters"):
        steelyard.score_files([path])


def test_variants_of_a_case_are_a_cluster_in_the_report_of_a_run(tmp_path: Path) -> None:
    eval_set, answers = tmp_path / "sums.toml", tmp_path / "answers.jsonl"
    eval_set.write_text(EVAL_SET)
    names = ("add[a=1]", "add[a=2]", "third", "fourth")
    answers.write_text("".join(f'{{"model": "m/x", "case": "{name}", "text": "3"}}\n' for name in names))

    run = steelyard.run(eval_set, models=["m/x"], samples=1, replay=answers, address=tmp_path / "run")

    clusters = {case.case: case.cluster for case in run.report().cases}
    assert clusters == {"add[a=1]": "add", "add[a=2]": "add", "third": "add", "fourth": ""}
