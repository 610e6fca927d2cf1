"""Hold the steps of an agent's trial: messages, tool calls and observations."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from steelyard.model.request import Usage

SYSTEM, USER, AGENT = "system", "user", "agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool call that the model requested."""

    id: str
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What a tool returned; `call` is the id of its call."""

    content: str
    call: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One message of a trial. Only the agent's have tool calls, tokens and a cost; None is unknown."""

    source: str
    message: str
    at: str | None = None  # ISO 8601
    model: str | None = None
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    observations: tuple[Observation, ...] = ()
    usage: Usage = field(default_factory=Usage)
    cost_nano_usd: int | None = None
    latency_us: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    """The steps of a trial, in order."""

    agent: str
    version: str
    steps: tuple[Step, ...]
    session: str | None = None
