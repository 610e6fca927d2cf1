"""`steelyard gate` and `steelyard ci` with a policy in `steelyard.toml`: text, JSON, JUnit and exit code."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from steelyard.cli.main import main
from tests.commands import written

HEAD = "model,suite,case_id,attempt,passed,classification,cost_usd,latency_s\n"
POLICY = """
[gate]
critical = ["deploy/case-00"]

[[gate.require]]
metric = "pass"
suites = ["deploy"]

[[gate.require]]
metric = "cost"
margin = 0.10

[[gate.require]]
metric = "latency"
margin = 0.20

[[gate.require]]
metric = "refusals"
margin = 0.04
"""


def outcomes(*, cost: float = 0.01, failed: str = "", refused: int = 0) -> str:
    """Return five samples of each of forty cases; so many cases are always refused."""
    rows = []
    for case in range(40):
        name = f"case-{case:02d}"
        suite = "deploy" if case < 20 else "docs"
        for attempt in range(5):
            kind = "fail" if name == failed and attempt == 0 else "pass"
            kind = "refusal" if suite == "docs" and case < 20 + refused else kind
            price = cost * (1 + case % 5)
            passed = str(kind == "pass").lower()
            rows.append(f"m,{suite},{name},{attempt},{passed},{kind},{price:.4f},{1 + case % 3}\n")
    return HEAD + "".join(rows)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a folder with a policy and a baseline."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path, POLICY, "steelyard.toml")
    score(tmp_path, "before", outcomes())
    return tmp_path


def score(folder: Path, name: str, rows: str) -> None:
    written(folder, rows, f"{name}.csv")
    assert main(["score", f"{name}.csv", "-o", f"{name}.json"]) == 0


def gate(*words: str) -> int:
    return main(["gate", "--baseline", "before.json", "--current", "after.json", *words])


def test_all_requirements_are_met(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    score(project, "after", outcomes())
    capsys.readouterr()

    code = gate()

    said = capsys.readouterr().out
    assert code == 0
    assert "PASS: all 5 requirements are met." in said
    assert "pass rate of m in deploy (pass): over 20 cases the pass rate did not change" in said
    assert "cost of m (pass): over 40 cases the cost did not change" in said
    assert "latency of m (pass):" in said
    assert "refusals of m (pass):" in said
    assert "1 critical case without a failed sample" in said
    assert "false alarms at most 5 % (alpha), shared by 4 tests" in said


def test_each_sentence_names_the_metric_that_failed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    score(project, "after", outcomes(cost=0.013, refused=10))
    capsys.readouterr()

    code = gate("--format", "json", "-o", "gate.txt", "-o", "gate.xml")

    found, said = json.loads(capsys.readouterr().out), (project / "gate.txt").read_text()
    verdicts = {one["requirement"]["metric"]: one["decision"]["verdict"] for one in found["subjects"]}
    assert code == 1
    assert verdicts == {"pass": "pass", "cost": "fail", "latency": "pass", "refusals": "fail"}
    assert "FAIL: 2 of 5 requirements are not met." in said
    assert "cost of m (fail): over 40 cases the cost rose by 30.0 %" in said
    assert "refusals of m (fail): over 40 cases the refusals rose by 25 points" in said
    assert 'name="cost of m"' in (project / "gate.xml").read_text()


def test_a_critical_case_may_not_fail_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    score(project, "after", outcomes(failed="case-00"))
    capsys.readouterr()

    code = gate("-o", "gate.xml")

    assert code == 1
    assert (
        "critical case case-00 of m (fail): 1 of 5 samples failed; none may fail" in capsys.readouterr().out
    )
    assert "critical: deploy: case-00 of m" in (project / "gate.xml").read_text()


def test_another_case_may_fail_once(project: Path) -> None:
    score(project, "after", outcomes(failed="case-33"))

    assert gate() == 0


def test_a_job_judges_by_the_policy(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    score(project, "after", outcomes(cost=0.013))
    assert main(["baseline", "set", "main", "before.json"]) == 0

    assert main(["ci", "--current", "after.json"]) == 1
    assert "cost of m (fail)" in capsys.readouterr().out


@pytest.mark.parametrize("way", [["--sequence", "rounds.json"], ["--confirm"]])
def test_a_policy_is_not_decided_in_stages_or_rounds(
    project: Path, way: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    score(project, "after", outcomes())

    assert gate(*way) == 2
    assert "a single decision" in capsys.readouterr().err


def test_another_configuration_sets_the_policy_aside(project: Path) -> None:
    score(project, "after", outcomes(cost=0.013))
    written(project, "", "plain.toml")

    assert gate() == 1
    assert gate("--config", "plain.toml") == 0


def test_a_job_reads_the_configuration_that_it_is_given(project: Path) -> None:
    score(project, "after", outcomes(failed="case-00"))
    written(project, "", "plain.toml")
    assert main(["baseline", "set", "main", "before.json"]) == 0

    assert main(["ci", "--current", "after.json"]) == 1
    # Another policy than that of the baseline decides nothing, but in the job that keeps baselines.
    assert main(["ci", "--current", "after.json", "--config", "plain.toml"]) == 4
    assert main(["ci", "--current", "after.json", "--config", "plain.toml", "--keep"]) == 0


def judged(project: Path, policy: str, before: str, after: str, *words: str) -> int:
    written(project, policy, "steelyard.toml")
    score(project, "before", before)
    score(project, "after", after)
    return gate(*words)


def test_latencies_of_some_samples_decide_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = outcomes().splitlines()
    sparse = [
        line if ",0," in line or number == 0 else line.rpartition(",")[0] + ","
        for number, line in enumerate(lines)
    ]

    code = judged(
        project, '[[gate.require]]\nmetric = "latency"\nmargin = 0.1\n', outcomes(), "\n".join(sparse)
    )

    assert code == 4
    assert "the latency is unknown for some samples" in capsys.readouterr().out


def test_a_suite_that_is_not_there_is_not_passed_over(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = '[[gate.require]]\nmetric = "pass"\nsuites = ["deploy", "depoy"]\n'

    code = judged(project, policy, outcomes(), outcomes(), "--allow-missing")

    assert code == 4
    assert "no case of one of these suites has evidence in both reports" in capsys.readouterr().out


def test_a_requirement_without_a_margin_takes_that_of_the_command(project: Path) -> None:
    policy = '[[gate.require]]\nmetric = "pass"\n'

    assert judged(project, policy, outcomes(), outcomes()) == 0
    assert gate("--margin", "0.001") == 4


def test_a_rise_from_nothing_fails_whatever_an_open_verdict_counts_as(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = '[[gate.require]]\nmetric = "cost"\nmargin = 0.1\n'

    code = judged(project, policy, outcomes(cost=0.0), outcomes(cost=0.01), "--inconclusive", "pass")

    assert code == 1
    assert "any rise is above the margin of 10 %" in capsys.readouterr().out


def test_what_no_requirement_is_about_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = judged(project, '[[gate.require]]\nmetric = "cost"\n', outcomes(), outcomes())

    assert code == 0
    assert "not compared: no requirement covers pass rate" in capsys.readouterr().out


def test_scores_that_no_requirement_is_about_are_named(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        f"m,case-{case},{attempt},true,{0.9 - 0.1 * (attempt % 2)}"
        for case in range(30)
        for attempt in range(5)
    ]
    scored = "\n".join(["model,case_id,attempt,passed,score", *rows])

    judged(project, '[[gate.require]]\nmetric = "pass"\n', scored, scored)

    assert "not compared: no requirement covers score" in capsys.readouterr().out


def test_outcomes_without_a_classification_do_not_pass_for_want_of_refusals(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = "\n".join(",".join(line.split(",")[:5]) for line in outcomes(refused=10).splitlines())

    code = judged(project, '[[gate.require]]\nmetric = "refusals"\n', plain, plain)

    assert code == 4
    assert "refusals are unknown: some outcomes have no classification" in capsys.readouterr().out


def test_a_broken_case_is_named_first_where_the_rest_became_better(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def rows(is_right: Callable[[int, int], bool]) -> str:
        kinds = {True: "true,pass", False: "false,fail"}
        return HEAD + "".join(
            f"m,deploy,case-{case:02d},{attempt},{kinds[is_right(case, attempt)]},0.01,1\n"
            for case in range(20)
            for attempt in range(5)
        )

    score(project, "before", rows(lambda case, attempt: case == 0 or attempt < 2))
    score(project, "after", rows(lambda case, _: case > 0))
    capsys.readouterr()

    assert gate() == 1

    said = capsys.readouterr().out
    assert "noise does not explain the drop of case-00 (p" in said
    assert ", though over 20 cases the pass rate rose by" in said
