"""Call models of OpenAI, Anthropic, Google and of services with the same protocols.

Each call is one attempt; the runner queues, retries and tracks costs.
"""

import asyncio
from collections.abc import Callable

from steelyard.errors import UserError
from steelyard.model.config import ProviderSettings
from steelyard.model.request import Reply, Request
from steelyard.providers.llm.dialect import Body, Dialect, ParsedReply, Post, Setup, setup_of
from steelyard.providers.llm.errors import Refused, fault
from steelyard.providers.llm.rate_headers import stated_quotas
from steelyard.providers.llm.wire import Call, HttpWire, events, json_object

BAD_GATEWAY = 502  # if a gateway does not state why the provider behind it failed
OPTIONS = {"azure": {"api_version", "body"}}
REQUEST_ID = ("x-request-id", "request-id", "apim-request-id")


class LlmProvider:
    """A service called over HTTP; supports thousands of concurrent calls in one event loop."""

    def __init__(self, settings: ProviderSettings, make_dialect: Callable[[Setup], Dialect]) -> None:
        """Find key and address; raises UserError if one is missing."""
        _require_known_options(settings)
        self._timeout_s = settings.timeout_s
        setup = setup_of(settings)
        self._access = setup.access
        self._dialect = make_dialect(setup)
        self._wire = HttpWire(timeout_s=settings.timeout_s)

    async def generate(self, request: Request) -> Reply:
        """Call the model once; raises ProviderError if there is no reply."""
        post = self._dialect.post(request)
        call = await self._wire.begin()
        try:
            async with asyncio.timeout(self._timeout_s):
                text = await self._parsed_reply(post, call)
            return Reply(
                text=text.text,
                finish_reason=text.finish_reason,
                usage=text.usage,
                cost_nano_usd=text.cost_nano_usd,
                first_byte_us=call.first_byte_us,
                latency_us=call.elapsed_us,
                request_id=call.header(*REQUEST_ID) or text.id,
                quotas=stated_quotas(call.headers),
            )
        except Exception as error:
            provider_error = fault(
                error, call, service=request.key.model, secret=self._access.key, address=self._access.url
            )
            if provider_error is None:
                raise
            # Not chained: the original error may contain the key.
            raise provider_error from None
        finally:
            call.sent()

    async def close(self) -> None:
        """Close the connections."""
        await self._wire.close()

    async def _parsed_reply(self, post: Post, call: Call) -> ParsedReply:
        content = await self._wire.send(post, call)
        if not call.is_answered:
            raise Refused(call.status or 0, content)
        body = self._dialect.joined(events(content)) if call.is_events else json_object(content)
        if status := _refused_inside(body):
            raise Refused(status, content)
        return self._dialect.parse_reply(body)


def _refused_inside(body: Body) -> int | None:
    """Return the status of an error inside a successful response, as gateways send it."""
    choices = body.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if isinstance(first, dict):  # a provider behind a gateway may fail during an answer
        error = first.get("error")
        has_failed = bool(error) or first.get("finish_reason") == "error"
        return (_status(error) or BAD_GATEWAY) if has_failed else None
    return None if choices else _status(body.get("error"))


def _status(error: object) -> int | None:
    status = error.get("code") if isinstance(error, dict) else None
    return status if isinstance(status, int) and 400 <= status < 600 else None  # noqa: PLR2004  # of errors


def _require_known_options(settings: ProviderSettings) -> None:
    known = OPTIONS.get(settings.adapter, {"body"})
    if unknown := sorted(set(settings.options) - known):
        raise UserError(
            f"[providers.{settings.name}]: unknown option {unknown[0]!r}; "
            f"{settings.adapter} has {', '.join(sorted(known))}"
        )
