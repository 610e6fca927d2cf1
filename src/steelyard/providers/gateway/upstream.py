"""Forward requests to a model service with its key."""

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import aiohttp

from steelyard.errors import UserError
from steelyard.model.config import ProviderSettings
from steelyard.providers.gateway.source import AgentRequest, ConnectionCut, Incoming, split_events
from steelyard.providers.llm.access import Access, access
from steelyard.providers.llm.anthropic import VERSION
from steelyard.providers.llm.wire import EVENTS, HttpWire
from steelyard.providers.secrets import SHORTEST_SECRET

SPEAKING = ("anthropic", "ollama", "openai", "openai-responses", "openrouter", "vllm")
FORWARDED = ("accept", "anthropic-beta", "anthropic-version", "content-type", "openai-beta", "user-agent")
# Headers of replies that agents act on, by the beginning of their names.
RETURNED = (
    "anthropic-ratelimit-",
    "content-type",
    "request-id",
    "retry-after",
    "x-ratelimit-",
    "x-request-id",
    "x-should-retry",
)
HIDDEN_KEY = b"[key]"


class Upstream:
    """A service that speaks OpenAI's or Anthropic's protocols; its key is never passed to agents."""

    def __init__(self, settings: ProviderSettings) -> None:
        """Find key and address; raises UserError if one is missing or the protocol is another."""
        if settings.adapter not in SPEAKING:
            raise UserError(
                f"[providers.{settings.name}]: the gateway has no protocol of {settings.adapter}; "
                f"it forwards to {', '.join(SPEAKING)}"
            )
        self._access = access(settings, os.environ)
        self._wire = HttpWire(timeout_s=settings.timeout_s)

    @asynccontextmanager
    async def open(self, request: AgentRequest) -> AsyncIterator[Incoming]:
        """Forward a request; raises ConnectionCut."""
        call = await self._wire.begin()
        try:
            async with self._wire.responding(
                request.method,
                _url(self._access, request),
                call,
                data=request.content or None,
                headers=_headers(self._access, request),
            ) as response:
                headers = {
                    name.lower(): text
                    for name, text in response.headers.items()
                    if name.lower().startswith(RETURNED)
                }
                is_events = headers.get("content-type", "").startswith(EVENTS)
                pieces = split_events(_read(response)) if is_events else _read_whole(response)
                yield Incoming(status=response.status, headers=headers, pieces=self._without_key(pieces))
        except aiohttp.ClientConnectorError:
            raise ConnectionCut(is_sent=False) from None
        except (aiohttp.ClientError, TimeoutError):
            raise ConnectionCut from None
        finally:
            call.sent()

    async def close(self) -> None:
        """Close every connection."""
        await self._wire.close()

    async def _without_key(self, pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """Hide the key, which services repeat in errors."""
        key = self._access.key.encode()
        async for piece in pieces:
            yield piece.replace(key, HIDDEN_KEY) if len(key) >= SHORTEST_SECRET else piece


async def _read(response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    try:
        async for piece in response.content.iter_any():
            yield piece
    except (aiohttp.ClientError, OSError):
        raise ConnectionCut from None


async def _read_whole(response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    yield b"".join([piece async for piece in _read(response)])


def _url(service: Access, request: AgentRequest) -> str:
    base = service.url.rstrip("/")
    if request.is_anthropic or service.kind == "anthropic":
        base = f"{base.removesuffix('/v1')}/v1"
    return f"{base}{request.path}{'?' if request.query else ''}{request.query}"


def _headers(service: Access, request: AgentRequest) -> Mapping[str, str]:
    """Return the headers of a call: some of the agent's, and the key."""
    passed = {name: text for name, text in request.headers.items() if name in FORWARDED}
    identity = {"accept-encoding": "identity"}  # packed streams arrive in larger pieces
    if not request.is_anthropic and service.kind != "anthropic":
        return {**passed, **identity, "Authorization": f"Bearer {service.key}"}
    both = (
        {"Authorization": f"Bearer {service.key}"}
        if service.kind != "anthropic" or service.is_foreign
        else {}
    )
    return {"anthropic-version": VERSION, **passed, **identity, **both, "x-api-key": service.key}
