"""The seam between the provider and a vendor's protocol, and what the protocols have in common."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import httpx2
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from steelyard.errors import ProviderError, UserError
from steelyard.model.config import ProviderSettings
from steelyard.model.request import Parameters, Usage
from steelyard.providers.llm.access import Access

Body = Mapping[str, Any]
Wanted = Mapping[tuple[str, ...], object]  # the path of a field in the body → what must stand there


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a dialect is made with. `extra` are fields that the user adds to every request's body."""

    name: str
    access: Access
    http: httpx2.AsyncClient
    timeout_s: float
    extra: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)


class Dialect(Protocol):
    """How one protocol says what all of them can say."""

    def model(self, name: str) -> Model:
        """Return the client library's model of a name."""

    def settings(self, parameters: Parameters) -> ModelSettings:
        """Return the parameters for the client library; raises ProviderError for what cannot be said."""

    def wanted(self, parameters: Parameters) -> Wanted:
        """Return which fields must be in the body, so that no parameter is dropped on the way."""

    def usage(self, body: Body | None, details: Mapping[str, int]) -> Usage:
        """Return the tokens that the body tells, or, if it was read in pieces, what the library kept of them.

        Raises ValueError when the body is not what the protocol promises.
        """

    def cost_nano_usd(self, body: Body | None) -> int | None:
        """Return what the service itself says the answer cost, if it does."""


def extra_fields(settings: ProviderSettings) -> Mapping[str, Any]:
    """Return the option `body`, a JSON object with what only this service knows."""
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
        kind="rejected",
        may_retry=False,
    )


def count(holder: object, *path: str) -> int | None:
    """Return a number of tokens at a path of a body, or None if the vendor says nothing of it.

    >>> count({"usage": {"tokens": 3}}, "usage", "tokens"), count({"usage": None}, "usage", "tokens")
    (3, None)
    """
    found: object = holder
    for name in path:
        if found is None:
            return None
        if not isinstance(found, Mapping):
            raise TypeError(f"`{name}` should stand in an object, which is {found!r}")
        found = found.get(name)
    if found is None:
        return None
    if not isinstance(found, int) or isinstance(found, bool) or found < 0:
        raise ValueError(f"`{'.'.join(path)}` should be a number of tokens, is {found!r}")
    return found


def total(*counts: int | None) -> int | None:
    """Return the sum of the counts that are known, or None if none is.

    >>> total(3, None, 4), total(None, None)
    (7, None)
    """
    known = [number for number in counts if number is not None]
    return sum(known) if known else None
