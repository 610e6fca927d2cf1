"""A gate where infrastructure errors count as failures: those of the baseline are missing all the same."""

from pathlib import Path

import pytest

import steelyard
from steelyard.model.options import Errors, ReportOptions
from steelyard.model.report import Report
from steelyard.model.verdict import Ground, Verdict


def report(path: Path, ends: dict[str, str], *, samples: int = 5) -> Report:
    """Score a file in which all samples of a case end alike, errors counted as failures."""
    rows = [f"m,{case},{attempt},{end}" for case, end in ends.items() for attempt in range(samples)]
    path.write_text("\n".join(["model,case_id,attempt,classification", *rows]) + "\n", encoding="utf-8")
    return steelyard.score_files(path, options=ReportOptions(errors=Errors.FAIL))


GOOD = {f"c{number:02}": "pass" for number in range(60)}


@pytest.mark.parametrize("end", ["fail", "pass"])
def test_an_outage_in_the_baseline_hides_no_drop(tmp_path: Path, end: str) -> None:
    hard = [f"h{number}" for number in range(15)]
    before = report(tmp_path / "before.csv", GOOD | dict.fromkeys(hard, "error"))
    after = report(tmp_path / "after.csv", GOOD | dict.fromkeys(hard, end))

    found = steelyard.gate(before, after)

    assert found.verdict is Verdict.INCONCLUSIVE
    assert {ground for one in found.subjects for ground in one.decision.grounds} & {
        Ground.TOO_MANY_ERRORS,
        Ground.MISSING_CASES,
    }


def test_an_outage_in_the_current_run_fails_as_was_asked_for(tmp_path: Path) -> None:
    before = report(tmp_path / "before.csv", GOOD)
    after = report(tmp_path / "after.csv", GOOD | {f"c{number:02}": "error" for number in range(15)})

    assert steelyard.gate(before, after).verdict is Verdict.FAIL


def test_without_errors_the_policy_changes_nothing(tmp_path: Path) -> None:
    before, after = report(tmp_path / "before.csv", GOOD), report(tmp_path / "after.csv", GOOD)

    assert steelyard.gate(before, after).verdict is Verdict.PASS
