"""Read and write trajectories in ATIF, Harbor's format for agents' steps (1.0 to 1.8)."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

from steelyard.errors import InputError
from steelyard.logs.files import document
from steelyard.logs.record import Record, clean
from steelyard.model.request import Usage
from steelyard.model.step import AGENT, SYSTEM, USER, Observation, Step, ToolCall, Trajectory
from steelyard.model.units import NANO_USD

WRITTEN = "ATIF-v1.7"
READABLE = tuple(f"ATIF-v1.{minor}" for minor in range(9))
SOURCES = {SYSTEM, USER, AGENT}


def read_atif(path: Path) -> Trajectory:
    """Read a trajectory; raises InputError."""
    root = Record(document(path), str(path))
    version = root.name("schema_version")
    if version not in READABLE:
        raise InputError(f"{path}: {version} is not readable; {READABLE[0]} to {READABLE[-1]} are")
    agent = root.record("agent")
    return Trajectory(
        agent=agent.name("name"),
        version=agent.name("version"),
        steps=tuple(_parse_step(step, agent.text("model_name")) for step in root.records("steps")),
        session=root.text("session_id"),
    )


def atif_text(trajectory: Trajectory) -> str:
    """Return a trajectory as ATIF 1.7; unknown tokens and costs are left out."""
    steps = [_step_fields(number, step) for number, step in enumerate(trajectory.steps, start=1)]
    agent = {"name": trajectory.agent, "version": trajectory.version}
    models = {step.model for step in trajectory.steps if step.model}
    if len(models) == 1:
        agent["model_name"] = models.pop()
    fields = _given(
        schema_version=WRITTEN,
        session_id=trajectory.session,
        agent=agent,
        steps=steps,
        final_metrics=_total_metrics(trajectory),
    )
    return json.dumps(fields, indent=1) + "\n"


def _parse_step(step: Record, default_model: str | None) -> Step:
    source = step.name("source")
    if source not in SOURCES:
        step.refuse("source", " or ".join(sorted(SOURCES)))
    metrics = step.record("metrics")
    cost = metrics.amount("cost_usd")
    return Step(
        source=source,
        message=_parse_content(step, "message"),
        at=step.text("timestamp"),
        model=(step.text("model_name") or default_model) if source == AGENT else None,
        reasoning=step.text("reasoning_content") or "",
        tool_calls=tuple(
            ToolCall(
                id=call.name("tool_call_id"),
                name=call.name("function_name"),
                arguments=_parse_arguments(call),
            )
            for call in step.records("tool_calls")
        ),
        observations=tuple(
            Observation(content=_parse_content(result, "content"), call=result.text("source_call_id"))
            for result in step.record("observation").records("results")
        ),
        usage=Usage(
            tokens_in=metrics.count("prompt_tokens"),
            tokens_out=metrics.count("completion_tokens"),
            tokens_cached=metrics.count("cached_tokens"),
        ),
        cost_nano_usd=None if cost is None else round(Decimal(str(cost)) * NANO_USD),
    )


def _parse_arguments(call: Record) -> dict[str, Any]:
    arguments = call.record("arguments")
    return {name: arguments.get(name) for name in arguments}


def _parse_content(record: Record, key: str) -> str:
    """Return a text, or the texts of parts; images and audio are named only."""
    value = record.get(key)
    if not isinstance(value, list):
        return record.text(key) or ""
    parts = record.records(key)
    return "\n".join(part.text("text") or f"[{part.text('type') or 'part'}]" for part in parts)


def _step_fields(number: int, step: Step) -> dict[str, Any]:
    fields = _given(step_id=number, timestamp=step.at, source=step.source, message=clean(step.message))
    if step.source != AGENT:
        return fields
    calls = [
        {"tool_call_id": call.id, "function_name": call.name, "arguments": dict(call.arguments)}
        for call in step.tool_calls
    ]
    results = [_given(source_call_id=result.call, content=result.content) for result in step.observations]
    return fields | _given(
        model_name=step.model,
        reasoning_content=step.reasoning or None,
        tool_calls=calls or None,
        observation={"results": results} if results else None,
        metrics=_given(**_metrics(step)) or None,
        llm_call_count=1,
    )


def _metrics(step: Step) -> dict[str, Any]:
    return {
        "prompt_tokens": step.usage.tokens_in,
        "completion_tokens": step.usage.tokens_out,
        "cached_tokens": step.usage.tokens_cached,
        "cost_usd": _usd(step.cost_nano_usd),
        "extra": _given(latency_us=step.latency_us, tokens_reasoning=step.usage.tokens_reasoning) or None,
    }


def _total_metrics(trajectory: Trajectory) -> dict[str, Any]:
    """Return the totals; one with an unknown part is unknown."""
    steps = [step for step in trajectory.steps if step.source == AGENT]
    return _given(
        total_prompt_tokens=_total([step.usage.tokens_in for step in steps]),
        total_completion_tokens=_total([step.usage.tokens_out for step in steps]),
        total_cached_tokens=_total([step.usage.tokens_cached for step in steps]),
        total_cost_usd=_usd(_total([step.cost_nano_usd for step in steps])),
        total_steps=len(trajectory.steps),
    )


def _total(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _usd(nano: int | None) -> float | None:
    return None if nano is None else float(Decimal(nano) / NANO_USD)


def _given(**fields: Any) -> dict[str, Any]:  # noqa: ANN401  # JSON
    return {name: value for name, value in fields.items() if value is not None}
