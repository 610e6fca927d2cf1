"""The record of a trial: each request of an agent and its reply, one JSON object per line."""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from steelyard.errors import InputError
from steelyard.model.request import Usage
from steelyard.providers.gateway.chat import CHAT
from steelyard.providers.gateway.dialogue import Protocol, parse_events, parse_object
from steelyard.providers.gateway.messages import MESSAGES
from steelyard.providers.gateway.responses import RESPONSES
from steelyard.providers.llm.dialect import Body
from steelyard.providers.llm.wire import EVENTS, SUCCESS

PROTOCOLS: Mapping[str, Protocol] = {protocol.name: protocol for protocol in (CHAT, RESPONSES, MESSAGES)}
# Raised by bodies that violate their protocol.
MALFORMED = (AttributeError, IndexError, KeyError, TypeError, ValueError)


class Ending(StrEnum):
    """How a reply ended."""

    COMPLETE = "complete"
    CUT = "cut"  # by the service
    ABANDONED = "abandoned"  # by the agent
    REFUSED = "refused"  # by the gateway: the service was not called


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A request and its reply. `protocol` is empty for requests without tokens, such as a list of models."""

    at: str
    method: str
    path: str
    protocol: str
    request: Body
    status: int | None
    headers: Mapping[str, str] = field(default_factory=dict)
    reply: str = ""
    ending: Ending = Ending.COMPLETE
    usage: Usage = field(default_factory=Usage)
    cost_nano_usd: int | None = None
    first_byte_us: int | None = None
    latency_us: int | None = None
    is_sent: bool = True  # False: the service never got the request

    @property
    def is_events(self) -> bool:
        """Whether the reply is a stream of events."""
        return self.headers.get("content-type", "").startswith(EVENTS)

    @property
    def is_answer(self) -> bool:
        """Whether the model answered, at least in part."""
        return bool(self.protocol) and self.status in SUCCESS and self.ending is not Ending.REFUSED


def read_body(exchange: Exchange) -> Body:
    """Return the body of a reply; a stream is assembled from its events. Empty for anything malformed."""
    protocol = PROTOCOLS[exchange.protocol]
    with suppress(*MALFORMED):
        if exchange.is_events:
            return protocol.join(parse_events(exchange.reply))
    return parse_object(exchange.reply) or {}


def read_usage(exchange: Exchange) -> Usage:
    """Return the tokens that a reply states."""
    if exchange.is_answer:
        with suppress(*MALFORMED):
            return PROTOCOLS[exchange.protocol].parse_usage(read_body(exchange))
    return Usage()


def write_line(exchange: Exchange) -> str:
    """Return an exchange as a line of a record."""
    return json.dumps(asdict(exchange)) + "\n"


def read_record(path: Path) -> list[Exchange]:
    """Return the exchanges of a record; raises InputError."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    return [_parse_line(line, f"{path}:{number}") for number, line in enumerate(lines, start=1)]


def total_cost(exchanges: Iterable[Exchange]) -> int | None:
    """Return the cost of all calls; None if one is unknown."""
    costs = [exchange.cost_nano_usd for exchange in exchanges]
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def _parse_line(line: str, where: str) -> Exchange:
    fields: dict[str, Any] | None = parse_object(line)
    if fields is None:
        raise InputError(f"{where}: not an exchange, or truncated")
    try:
        usage, ending = Usage(**fields.pop("usage")), Ending(fields.pop("ending"))
        return Exchange(**fields, usage=usage, ending=ending)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{where}: not an exchange: {error}") from None
