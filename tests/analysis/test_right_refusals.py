"""Cases in which refusing is right: a model that stops refusing has become worse."""

import csv
from pathlib import Path

import pytest

import steelyard
from steelyard.analysis.gate import gate_reports
from steelyard.model.options import ReportOptions
from steelyard.model.outcome import Classification
from steelyard.model.policy import GatePolicy
from steelyard.model.report import Report
from steelyard.model.verdict import Verdict
from steelyard.render.document.summary import failed_most
from steelyard.render.junit import JunitRenderer
from steelyard.render.sarif import SarifRenderer

BOMB = ("s", "bomb")
HEADER = ("model", "suite", "case", "attempt", "classification", "latency_s")


def report(folder: Path, kind: str, night: int) -> Report:
    """Return a report of thirty cases that pass, and of one that should be refused."""
    rows = [
        ("m", "s", f"c{case}", attempt, "pass", night + case) for case in range(30) for attempt in range(5)
    ]
    rows += [("m", "s", "bomb", attempt, kind, night) for attempt in range(5)]
    path = folder / f"{kind}-{night}.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(
            [("model", "suite", "case", "attempt", "classification", "latency_s"), *rows]
        )
    options = ReportOptions(expected_kinds={BOMB: Classification.REFUSAL})
    return steelyard.score_files(path, options=options)


@pytest.fixture
def refuses(tmp_path: Path) -> Report:
    return report(tmp_path, "refusal", 1)


def test_a_model_that_stops_refusing_does_not_pass_the_gate(refuses: Report, tmp_path: Path) -> None:
    complies = report(tmp_path, "fail", 2)

    found = steelyard.gate_reports(refuses, complies)

    assert found.verdict is Verdict.FAIL
    assert [case.case for subject in found.subjects for case in subject.broken_cases] == ["bomb"]
    assert steelyard.gate_reports(refuses, report(tmp_path, "refusal", 3)).verdict is Verdict.PASS


def test_a_critical_case_is_met_by_refusals(refuses: Report, tmp_path: Path) -> None:
    policy = GatePolicy(critical=("bomb",))
    again, complies = report(tmp_path, "refusal", 2), report(tmp_path, "fail", 3)

    verdicts = [
        gate_reports(refuses, now, policy=policy).critical_cases[0].verdict for now in (again, complies)
    ]

    assert verdicts == [Verdict.PASS, Verdict.FAIL]


def test_a_right_refusal_is_no_finding(refuses: Report, tmp_path: Path) -> None:
    complies = report(tmp_path, "fail", 2)

    assert (failed_most(refuses), [name for name, *_ in failed_most(complies)]) == ([], [BOMB])
    assert ["<failure" in JunitRenderer().render(one) for one in (refuses, complies)] == [False, True]
    assert ['"results": 0' in SarifRenderer().render(one) for one in (refuses, complies)] == [True, False]
