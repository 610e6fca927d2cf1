"""The interface between a provider and a vendor's protocol, with shared helpers."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from steelyard.errors import REJECTED, ProviderError, UserError
from steelyard.model.config import ProviderSettings
from steelyard.model.request import Request, Usage
from steelyard.providers.llm.access import Access, access

Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The settings of a dialect. `extra` fields are added to every request body."""

    name: str
    access: Access
    extra: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)


def setup_of(settings: ProviderSettings) -> Setup:
    """Find key and address; raises UserError if one is missing, or if `body` is no JSON object."""
    return Setup(
        name=settings.name,
        access=access(settings, os.environ),
        extra=extra_fields(settings),
        options=settings.options,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """An HTTP request: address, headers and body."""

    url: str
    headers: Mapping[str, str]
    body: Body


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedReply:
    """The content of a response. `cost_nano_usd` is set only by services that report a cost."""

    text: str
    finish_reason: str | None
    usage: Usage
    cost_nano_usd: int | None = None
    id: str | None = None


class Dialect(Protocol):
    """Encodes requests and decodes responses of one vendor's protocol."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers of every call, with the key."""

    def post(self, request: Request) -> Post:
        """Encode a request; raises ProviderError for unsupported parameters."""

    def parse_reply(self, body: Body) -> ParsedReply:
        """Parse a reply; raises ValueError, TypeError or KeyError if it violates the protocol."""

    def joined(self, events: list[Body]) -> Body:
        """Assemble the body from the events of a streamed reply; raises EndedEarly."""


class EndedEarly(Exception):
    """A streamed reply ended without its final event."""


class NeverStreamed:
    """A dialect without streaming."""

    def joined(self, events: list[Body]) -> Body:
        """Reject streamed events."""
        raise ValueError(f"expected one body, got {len(events)} events")


def given(**fields: object) -> dict[str, Any]:
    """Return the fields that have a value.

    >>> given(temperature=0.0, seed=None)
    {'temperature': 0.0}
    """
    return {name: value for name, value in fields.items() if value is not None}


def extra_fields(settings: ProviderSettings) -> Mapping[str, Any]:
    """Return the option `body`: a JSON object of service-specific fields."""
    text = settings.options.get("body", "{}")
    try:
        extra = json.loads(text)
    except ValueError:
        extra = None
    if not isinstance(extra, dict):
        raise UserError(
            f"[providers.{settings.name}]: `body` must be a JSON object such as "
            f'\'{{"reasoning_effort": "low"}}\', got {text!r}'
        )
    return extra


def not_taken(service: str, parameter: str) -> ProviderError:
    """Return the error for a parameter that a service does not take."""
    return ProviderError(
        f"{service} does not take `{parameter}`; leave it out for this model",
        kind=REJECTED,
        may_retry=False,
    )


def texts(parts: object, *, of: str) -> str:
    """Join the texts of an answer's parts; raises TypeError unless they are a list of objects.

    >>> texts([{"text": "a"}, {"text": "b", "thought": True}, {"text": "c"}], of="parts")
    'ac'
    """
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        raise TypeError(f"`{of}` should be a list of objects")
    strings = [part.get("text", "") for part in parts if not part.get("thought")]
    if not all(isinstance(text, str) for text in strings):
        raise TypeError(f"a `text` in `{of}` is not a string")
    return "".join(strings)


def count(holder: object, *path: str) -> int | None:
    """Return the token count at a path of the body, or None if it is absent.

    >>> count({"usage": {"tokens": 3}}, "usage", "tokens"), count({"usage": None}, "usage", "tokens")
    (3, None)
    """
    value: object = holder
    for name in path:
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise TypeError(f"expected an object with `{name}`, got {value!r}")
        value = value.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"`{'.'.join(path)}`: expected a number of tokens, got {value!r}")
    return value


def total(*counts: int | None) -> int | None:
    """Return the sum of the known counts, or None without any.

    >>> total(3, None, 4), total(None, None)
    (7, None)
    """
    known = [number for number in counts if number is not None]
    return sum(known) if known else None


_FENCE = re.compile(r"^ {0,3}(`{3,})", re.MULTILINE)


def with_files(prompt: str, files: Mapping[str, str]) -> str:
    r"""Return a prompt with files in front of it.

    >>> print(with_files("Fix it.", {"main.py": "print(1\n"}))
    ### `main.py`
    <BLANKLINE>
    ```
    print(1
    ```
    <BLANKLINE>
    Fix it.
    """
    return "\n\n".join([*(_format_file(name, text) for name, text in files.items()), prompt])


def _format_file(name: str, text: str) -> str:
    longest = max((len(mark) for mark in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    body = text if text.endswith("\n") or not text else f"{text}\n"
    return f"### `{name}`\n\n{fence}\n{body}{fence}"
