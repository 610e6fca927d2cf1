"""Trajectories are written as ATIF 1.7, and read from 1.0 to 1.8."""

import json
from pathlib import Path
from typing import Any

import pytest

from steelyard.errors import InputError
from steelyard.logs.atif import READABLE, atif_text, read_atif
from steelyard.model.request import Usage
from steelyard.model.step import AGENT, SYSTEM, USER, Observation, Step, ToolCall, Trajectory

LOOK = Step(
    source=AGENT,
    message="Look.",
    at="2026-11-20T00:00:00.000+00:00",
    model="lab/m",
    reasoning="Which file?",
    tool_calls=(ToolCall(id="call_1", name="bash", arguments={"command": "ls"}),),
    observations=(Observation(content="core.py", call="call_1"),),
    usage=Usage(tokens_in=1000, tokens_out=50, tokens_cached=800),
    cost_nano_usd=1_500_001,
)
DONE = Step(source=AGENT, message="Done.", model="lab/m")
STEPS = (Step(source=SYSTEM, message="Be brief."), Step(source=USER, message="Fix add."), LOOK, DONE)
TRAJECTORY = Trajectory(agent="coder", version="1.2", steps=STEPS, session="s")


def written(tmp_path: Path, document: dict[str, Any]) -> Path:
    path = tmp_path / "trajectory.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_what_is_written_reads_back_the_same(tmp_path: Path) -> None:
    assert read_atif(written(tmp_path, json.loads(atif_text(TRAJECTORY)))) == TRAJECTORY


def test_steps_are_numbered_and_unknown_numbers_are_left_out() -> None:
    document = json.loads(atif_text(TRAJECTORY))

    assert document["schema_version"] == "ATIF-v1.7"
    assert [step["step_id"] for step in document["steps"]] == [1, 2, 3, 4]
    assert "metrics" not in document["steps"][3]
    # One step's tokens and cost are unknown, so are the totals.
    assert document["final_metrics"] == {"total_steps": 4}


def test_totals_are_the_sums_of_known_steps() -> None:
    document = json.loads(atif_text(Trajectory(agent="coder", version="1", steps=(LOOK, LOOK))))

    assert document["final_metrics"] == {
        "total_prompt_tokens": 2000,
        "total_completion_tokens": 100,
        "total_cached_tokens": 1600,
        "total_cost_usd": 0.003000002,
        "total_steps": 2,
    }


@pytest.mark.parametrize("version", READABLE)
def test_every_version_is_readable(tmp_path: Path, version: str) -> None:
    step = {"step_id": 1, "source": "user", "message": [{"type": "text", "text": "a"}, {"type": "image"}]}
    document = {"schema_version": version, "agent": {"name": "a", "version": "1"}, "steps": [step]}

    assert read_atif(written(tmp_path, document)).steps == (Step(source=USER, message="a\n[image]"),)


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("schema_version", "ATIF-v2.0", "ATIF-v2.0 is not readable"),
        ("agent", [], "agent: found a list"),
        ("steps", [{"source": "tool"}], "source"),
    ],
)
def test_what_is_not_readable_is_an_input_error(
    tmp_path: Path, field: str, value: object, reason: str
) -> None:
    document = {"schema_version": "ATIF-v1.7", "agent": {"name": "a", "version": "1"}, field: value}

    with pytest.raises(InputError, match=reason):
        read_atif(written(tmp_path, document))
