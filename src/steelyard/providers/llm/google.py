"""Implement Gemini's protocol, `generateContent`."""

from urllib.parse import quote

from steelyard.model.config import ProviderSettings
from steelyard.model.request import Request, Usage
from steelyard.ports import Sandbox
from steelyard.providers.llm.dialect import (
    Body,
    NeverStreamed,
    ParsedReply,
    Post,
    Setup,
    count,
    given,
    texts,
    total,
    with_files,
)
from steelyard.providers.llm.provider import LlmProvider

API = "v1beta"
FINISHED = {"STOP": "stop", "MAX_TOKENS": "length"}
BLOCKED = frozenset({"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY"})


class GoogleDialect(NeverStreamed):
    """Gemini with a key; the vendor omits fields with the value 0."""

    def __init__(self, setup: Setup) -> None:
        self._extra = setup.extra
        self._url = f"{setup.access.url.rstrip('/').removesuffix(f'/{API}')}/{API}/models/"
        self.headers = {"x-goog-api-key": setup.access.key}

    def post(self, request: Request) -> Post:
        """Encode the prompt and the given parameters."""
        parameters = request.parameters
        config = given(
            temperature=parameters.temperature,
            topP=parameters.top_p,
            maxOutputTokens=parameters.max_tokens,
            seed=parameters.seed,
        )
        prompt = with_files(request.prompt, request.context)
        body = {"contents": [{"role": "user", "parts": [{"text": prompt}]}], **self._extra}
        if request.system_prompt:
            body["systemInstruction"] = {"parts": [{"text": request.system_prompt}]}
        if config:
            body["generationConfig"] = {**body.get("generationConfig", {}), **config}
        url = f"{self._url}{quote(request.model_name, safe='')}:generateContent"
        return Post(url=url, headers=self.headers, body=body)

    def parse_reply(self, body: Body) -> ParsedReply:
        """Parse a reply: its texts, without reasoning; a blocked prompt has none."""
        usage, name = _parse_usage(body), body.get("responseId")
        if not body.get("candidates"):
            if not body.get("promptFeedback"):
                raise ValueError("neither an answer (`candidates`) nor a refusal (`promptFeedback`)")
            return ParsedReply(text="", finish_reason="content_filter", usage=usage, id=name)
        [answer, *_] = body["candidates"]
        reason = answer.get("finishReason") or ""
        finish = "content_filter" if reason in BLOCKED else FINISHED.get(reason, "error" if reason else None)
        parts = (answer.get("content") or {}).get("parts", [])
        return ParsedReply(text=texts(parts, of="parts"), finish_reason=finish, usage=usage, id=name)


def _parse_usage(body: Body) -> Usage:
    """Return the tokens; the vendor counts reasoning separately."""
    prompt = count(body, "usageMetadata", "promptTokenCount")
    thoughts = count(body, "usageMetadata", "thoughtsTokenCount")
    written = total(count(body, "usageMetadata", "candidatesTokenCount"), thoughts)
    everything = count(body, "usageMetadata", "totalTokenCount")
    if written is None and prompt is not None and everything is not None:
        written = everything - prompt
    return Usage(
        tokens_in=prompt,
        tokens_out=written,
        tokens_cached=count(body, "usageMetadata", "cachedContentTokenCount"),
        tokens_reasoning=thoughts,
    )


def google_provider(settings: ProviderSettings, *, sandbox: Sandbox | None = None) -> LlmProvider:
    """Return a provider with this protocol; it needs no sandbox."""
    del sandbox
    return LlmProvider(settings, GoogleDialect)
