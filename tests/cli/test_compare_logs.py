"""`compare` and `gate` take logs of other tools as they are."""

import json
from pathlib import Path

import pytest

from tests.commands import typed


def forgetest_report(path: Path) -> Path:
    """Write a report in the form of forgetest, of one case that passed."""
    result = {
        "case_id": "add",
        "model": "mock",
        "provider": "mock",
        "generated_code": "pub fn add() {}",
        "compilation": {"success": True, "errors": [], "warnings": [], "duration_ms": 1},
        "test_execution": {"passed": 3, "failed": 0, "ignored": 0, "duration_ms": 1, "failures": []},
        "clippy": None,
        "timing": {"llm_request_ms": 1, "compilation_ms": 1, "test_execution_ms": 1, "total_ms": 3},
        "token_usage": {
            "prompt_tokens": 1,
            "completion_tokens": 1,
            "total_tokens": 2,
            "estimated_cost_usd": 0.0,
        },
        "attempt": 1,
        "run_id": "1",
    }
    summary = {"total_cases": 1, "total_evals": 1, "pass_at_k": {}, "models": []}
    whole = {
        "id": "a",
        "created_at": "2026-07-27T15:50:19Z",
        "eval_set": {"id": "demo", "name": "demo", "case_count": 1},
        "models_evaluated": ["mock"],
        "results": [result],
        "aggregate": summary,
    }
    path.write_text(json.dumps(whole), encoding="utf-8")
    return path


@pytest.mark.parametrize("command", ["compare", "gate"])
def test_a_report_of_forgetest_is_read_without_an_import(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = forgetest_report(tmp_path / "report.json")

    shown = typed(capsys, command, report, report)

    assert shown.out.splitlines()[0].endswith("mock passes 100 %, before 100 %: too close to call.")
