"""Call models of OpenAI, Anthropic, Google and of services with the same protocols.

One attempt for one call, with the vendors' own repeating switched off: who waits, repeats and pays is the
business of the engine.
"""

import asyncio
import os
import warnings
from collections.abc import Callable

from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import ContentFilterError, UsageExtractionFailedWarning
from pydantic_ai.exceptions import UserError as LibraryUserError
from pydantic_ai.messages import ModelResponse, TextPart
from pydantic_ai.models import Model

from steelyard.errors import ProviderError, UserError
from steelyard.model.config import ProviderSettings
from steelyard.model.request import Reply, Request
from steelyard.providers.llm.access import access
from steelyard.providers.llm.dialect import Dialect, Setup, extra_fields, not_taken
from steelyard.providers.llm.errors import EndedEarly, fault, without_credentials
from steelyard.providers.llm.messages import messages
from steelyard.providers.llm.wire import Call, HttpWire

OPTIONS = {"azure": {"api_version", "body"}}
# Tokens are read from the body as it came, not by the library, which turns unreported counts into 0.
warnings.filterwarnings("ignore", category=UsageExtractionFailedWarning)
REQUEST_ID = ("x-request-id", "request-id", "apim-request-id")


class LlmProvider:
    """A service that is called over HTTP; safe to call ten thousand times at once in one event loop."""

    def __init__(self, settings: ProviderSettings, make_dialect: Callable[[Setup], Dialect]) -> None:
        """Find the key and the address; raises UserError if one is missing."""
        _require_known_options(settings)
        self._name = settings.name
        self._timeout_s = settings.timeout_s
        self._access = access(settings, os.environ)
        extra = extra_fields(settings)
        self._wire = HttpWire(timeout_s=settings.timeout_s)
        setup = Setup(
            name=settings.name,
            access=self._access,
            http=self._wire,
            timeout_s=settings.timeout_s,
            extra=extra,
            options=settings.options,
        )
        try:
            self._dialect = make_dialect(setup)
        except LibraryUserError as error:
            raise UserError(f"[providers.{settings.name}]: {without_credentials(str(error))}") from None
        self._models: dict[str, Model] = {}

    async def draw(self, request: Request) -> Reply:
        """Ask once; raises ProviderError when there is no reply."""
        settings = self._dialect.settings(request.parameters)
        async with self._wire.call(self._dialect.wanted(request.parameters)) as call:
            try:
                async with asyncio.timeout(self._timeout_s):
                    response = await model_request(
                        self._model(request.model_name),
                        messages(request),
                        model_settings=settings,
                        instrument=False,
                    )
                return self._reply(response, call)
            except ContentFilterError:
                return Reply(text="", finish_reason="content_filter", latency_us=call.elapsed_us)
            except Exception as error:
                known = self._fault(error, call, request)
                if known is None:
                    raise
                # Not chained: what the library raised may hold the key, or quote a reply that does.
                raise known from None

    async def close(self) -> None:
        """Let go of connections."""
        await self._wire.aclose()

    def _model(self, name: str) -> Model:
        if name not in self._models:
            self._models[name] = self._dialect.model(name)
        return self._models[name]

    def _reply(self, response: ModelResponse, call: Call) -> Reply:
        latency_us = call.elapsed_us
        body = call.body() if call.is_answered else None
        details = response.provider_details or {}
        if call.is_answered and not call.is_whole and "finish_reason" not in details:
            raise EndedEarly("the answer came in pieces, and the last one is missing")
        text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
        return Reply(
            text=text or details.get("refusal", ""),
            finish_reason=response.finish_reason,
            usage=self._dialect.usage(body, response.usage.details),
            cost_nano_usd=self._dialect.cost_nano_usd(body),
            first_byte_us=call.first_byte_us,
            latency_us=latency_us,
            request_id=call.header(*REQUEST_ID) or response.provider_response_id,
        )

    def _fault(self, error: Exception, call: Call, request: Request) -> ProviderError | None:
        if call.missing:
            return not_taken(request.key.model, ", ".join(call.missing))
        return fault(
            error, call, service=request.key.model, secret=self._access.key, address=self._access.url
        )


def _require_known_options(settings: ProviderSettings) -> None:
    known = OPTIONS.get(settings.adapter, {"body"})
    if unknown := sorted(set(settings.options) - known):
        raise UserError(
            f"[providers.{settings.name}]: unknown option {unknown[0]!r}; "
            f"{settings.adapter} knows {', '.join(sorted(known))}"
        )
