"""The vendors' protocols as a server speaks them: what a request asks, and how a reply looks.

Bodies as the vendors document them, with the faults that are a matter of the body.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from tests.fake_providers.asked import Answer, Asked

Json = dict[str, Any]
SAID = {
    "rate_limited": (429, "Rate limit reached, please slow down."),
    "overloaded": (503, "The service is overloaded."),
    "bad_key": (401, "The key {key} has expired."),
    "no_credit": (402, "Your credit is used up."),
    "unknown_model": (404, "The model {model} does not exist."),
    "rejected": (400, "This model does not take the temperature."),
    "too_long": (400, "The prompt is too long."),
}


class Vendor(Protocol):
    """One protocol."""

    def asked(self, path: str, headers: Mapping[str, str], body: Json) -> Asked: ...

    def reply(self, asked: Asked, answer: Answer, fault: str | None) -> Json: ...

    def error(self, fault: str, status: int, message: str) -> Json: ...

    def streamed(self, asked: Asked, answer: Answer, fault: str | None) -> Iterator[bytes]: ...


def tokens(asked: Asked, answer: Answer) -> tuple[int, int]:
    """Return the tokens of the prompt and of the answer."""
    words_in = len(asked.prompt.split()) + len(asked.system.split())
    words_out = len(answer.text.split()) + answer.reasoning
    return (
        words_in if answer.tokens_in is None else answer.tokens_in,
        words_out if answer.tokens_out is None else answer.tokens_out,
    )


class OpenAi:
    """Chat completions."""

    def asked(self, path: str, headers: Mapping[str, str], body: Json) -> Asked:
        """Read a request."""
        said = {"system": "", "user": ""}
        for message in body["messages"]:
            role = "user" if message["role"] == "user" else "system"
            said[role] += str(message["content"])
        key = headers.get("api-key") or headers.get("authorization", "").removeprefix("Bearer ")
        return Asked(
            vendor="openai",
            model=body["model"],
            prompt=said["user"],
            system=said["system"],
            key=key,
            path=path,
            body=body,
        )

    def reply(self, asked: Asked, answer: Answer, fault: str | None) -> Json:
        """Return the body of a reply."""
        message: Json = {"role": "assistant", "content": answer.text}
        finish = {"truncated": "length", "blocked": "content_filter"}.get(fault or "", "stop")
        if answer.thoughts:
            message["reasoning_content"] = answer.thoughts
        if fault == "refusal":
            message = {"role": "assistant", "content": None, "refusal": answer.text}
        body: Json = {
            "id": f"chatcmpl-{asked.arrival}",
            "object": "chat.completion",
            "created": 1_800_000_000,
            "model": asked.model,
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": self._usage(asked, answer),
        }
        if answer.cost_usd is not None:
            body["provider"] = "somebody"  # OpenRouter says this, too
        if fault == "no_fields":
            body["choices"] = []
        if fault == "wrong_usage":
            body["usage"]["prompt_tokens"] = "many"
        if fault == "no_usage":
            del body["usage"]
        return body

    def _usage(self, asked: Asked, answer: Answer) -> Json:
        words_in, words_out = tokens(asked, answer)
        usage: Json = {
            "prompt_tokens": words_in,
            "completion_tokens": words_out,
            "total_tokens": words_in + words_out,
        }
        if answer.cached:
            usage["prompt_tokens_details"] = {"cached_tokens": answer.cached}
        if answer.cost_usd is not None:
            usage["cost"] = float(answer.cost_usd)
        if answer.reasoning:
            usage["completion_tokens_details"] = {"reasoning_tokens": answer.reasoning}
        return usage

    def error(self, fault: str, status: int, message: str) -> Json:
        """Return the body of an error."""
        code = {"no_credit": "insufficient_quota", "too_long": "context_length_exceeded"}.get(fault, fault)
        return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": code}}

    def streamed(self, asked: Asked, answer: Answer, fault: str | None) -> Iterator[bytes]:
        """Nobody asks for pieces."""
        raise NotImplementedError


class Responses:
    """Responses; errors are those of chat completions."""

    error = OpenAi.error
    streamed = OpenAi.streamed

    def asked(self, path: str, headers: Mapping[str, str], body: Json) -> Asked:
        """Read a request."""
        return Asked(
            vendor="openai-responses",
            model=body["model"],
            prompt=body["input"],
            system=body.get("instructions", ""),
            key=headers.get("authorization", "").removeprefix("Bearer "),
            path=path,
            body=body,
        )

    def reply(self, asked: Asked, answer: Answer, fault: str | None) -> Json:
        """Return the body of a reply."""
        part = {"type": "output_text", "text": answer.text, "annotations": []}
        if fault == "refusal":
            part = {"type": "refusal", "refusal": answer.text}
        reason = {"truncated": "max_output_tokens", "blocked": "content_filter"}.get(fault or "")
        thought = {"id": "rs_1", "type": "reasoning", "summary": [], "content": []}
        words_in, words_out = tokens(asked, answer)
        body: Json = {
            "id": f"resp_{asked.arrival}",
            "object": "response",
            "status": "incomplete" if reason else "completed",
            "incomplete_details": {"reason": reason} if reason else None,
            "error": None,
            "model": asked.model,
            "output": [
                *([thought] if answer.reasoning else []),
                {"id": "msg_1", "type": "message", "role": "assistant", "content": [part]},
            ],
            "usage": {"input_tokens": words_in, "output_tokens": words_out},
        }
        if answer.cached:
            body["usage"]["input_tokens_details"] = {"cached_tokens": answer.cached}
        if answer.reasoning:
            body["usage"]["output_tokens_details"] = {"reasoning_tokens": answer.reasoning}
        if fault == "no_fields":
            del body["output"]
        if fault == "wrong_usage":
            body["usage"]["input_tokens"] = "many"
        if fault == "no_usage":
            del body["usage"]
        return body


class Anthropic:
    """Messages, whole or in pieces."""

    def asked(self, path: str, headers: Mapping[str, str], body: Json) -> Asked:
        """Read a request."""
        system = body.get("system") or ""
        return Asked(
            vendor="anthropic",
            model=body["model"],
            prompt="".join(_texts(message["content"]) for message in body["messages"]),
            system=_texts(system),
            key=headers.get("x-api-key", ""),
            path=path,
            body=body,
        )

    def reply(self, asked: Asked, answer: Answer, fault: str | None) -> Json:
        """Return the body of a reply."""
        stop = {"truncated": "max_tokens", "refusal": "refusal", "blocked": "refusal"}.get(
            fault or "", "end_turn"
        )
        blocks: list[Json] = [{"type": "text", "text": answer.text}] if answer.text else []
        if answer.thoughts:
            blocks.insert(0, {"type": "thinking", "thinking": answer.thoughts, "signature": "s"})
        body: Json = {
            "id": f"msg_{asked.arrival}",
            "type": "message",
            "role": "assistant",
            "model": asked.model,
            "content": blocks,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": self._usage(asked, answer),
        }
        if fault == "no_fields":
            del body["content"]
        if fault == "wrong_usage":
            body["usage"]["input_tokens"] = "many"
        if fault == "no_usage":
            del body["usage"]
        return body

    def _usage(self, asked: Asked, answer: Answer) -> Json:
        words_in, words_out = tokens(asked, answer)
        usage: Json = {
            "input_tokens": words_in - answer.cached - answer.cache_written,
            "output_tokens": words_out,
        }
        if answer.cached or answer.cache_written:
            usage["cache_read_input_tokens"] = answer.cached
            usage["cache_creation_input_tokens"] = answer.cache_written
        if answer.reasoning:
            usage["output_tokens_details"] = {"thinking_tokens": answer.reasoning}
        return usage

    def error(self, fault: str, status: int, message: str) -> Json:
        """Return the body of an error."""
        kinds = {
            400: "invalid_request_error",
            401: "authentication_error",
            402: "billing_error",
            404: "not_found_error",
            429: "rate_limit_error",
            529: "overloaded_error",
        }
        return {"type": "error", "error": {"type": kinds.get(status, "api_error"), "message": message}}

    def streamed(self, asked: Asked, answer: Answer, fault: str | None) -> Iterator[bytes]:
        """Return the pieces of a reply."""
        whole = self.reply(asked, answer, fault)
        usage = whole.pop("usage", {})
        blocks = whole.pop("content", [])
        start = {**whole, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
        yield _event("message_start", message=start)
        for index, block in enumerate(blocks):
            kind = block["type"]
            empty = {
                "text": {"type": kind, "text": ""},
                "thinking": {"type": kind, "thinking": "", "signature": ""},
            }
            yield _event("content_block_start", index=index, content_block=empty[kind])
            half = len(block[kind]) // 2
            for piece in (block[kind][:half], block[kind][half:]):
                yield _event("content_block_delta", index=index, delta={"type": f"{kind}_delta", kind: piece})
            yield _event("content_block_stop", index=index)
        if fault == "unfinished":
            return
        yield _event("message_delta", delta={"stop_reason": whole["stop_reason"]}, usage=usage)
        yield _event("message_stop")


class Google:
    """`generateContent`."""

    def asked(self, path: str, headers: Mapping[str, str], body: Json) -> Asked:
        """Read a request."""
        parts = [part for content in body["contents"] for part in content["parts"]]
        system = (body.get("systemInstruction") or {}).get("parts", [])
        return Asked(
            vendor="google",
            model=path.partition("?")[0].rpartition("/")[2].partition(":")[0],
            prompt=_texts(parts),
            system=_texts(system),
            key=headers.get("x-goog-api-key", ""),
            path=path,
            body=body,
        )

    def reply(self, asked: Asked, answer: Answer, fault: str | None) -> Json:
        """Return the body of a reply."""
        finish = {"truncated": "MAX_TOKENS", "refusal": "SAFETY"}.get(fault or "", "STOP")
        parts: list[Json] = [{"text": answer.text}] if answer.text else []
        if answer.thoughts:
            parts.insert(0, {"text": answer.thoughts, "thought": True})
        body: Json = {
            "candidates": [
                {"content": {"role": "model", "parts": parts}, "finishReason": finish, "index": 0}
            ],
            "usageMetadata": self._usage(asked, answer),
            "modelVersion": asked.model,
            "responseId": f"response-{asked.arrival}",
        }
        if fault == "blocked":
            del body["candidates"]
            body["promptFeedback"] = {"blockReason": "SAFETY"}
        if fault == "no_fields":
            del body["candidates"]
        if fault == "wrong_usage":
            body["usageMetadata"]["promptTokenCount"] = "many"
        if fault == "no_usage":
            del body["usageMetadata"]
        return body

    def _usage(self, asked: Asked, answer: Answer) -> Json:
        words_in, words_out = tokens(asked, answer)
        counts = {
            "promptTokenCount": words_in,
            "candidatesTokenCount": words_out - answer.reasoning,
            "thoughtsTokenCount": answer.reasoning,
            "cachedContentTokenCount": answer.cached,
            "totalTokenCount": words_in + words_out,
        }
        return {name: number for name, number in counts.items() if number}

    def error(self, fault: str, status: int, message: str) -> Json:
        """Return the body of an error."""
        names = {
            400: "INVALID_ARGUMENT",
            401: "UNAUTHENTICATED",
            404: "NOT_FOUND",
            429: "RESOURCE_EXHAUSTED",
            500: "INTERNAL",
            503: "UNAVAILABLE",
        }
        return {"error": {"code": status, "message": message, "status": names.get(status, "UNKNOWN")}}

    def streamed(self, asked: Asked, answer: Answer, fault: str | None) -> Iterator[bytes]:
        """Nobody asks for pieces."""
        raise NotImplementedError


def vendor_of(target: str) -> Vendor | None:
    """Return whose protocol a path belongs to, whatever its query."""
    path = target.partition("?")[0]
    if path.endswith("/chat/completions"):
        return OpenAi()
    if path.endswith("/responses"):
        return Responses()
    if path.endswith("/messages"):
        return Anthropic()
    return Google() if path.endswith(":generateContent") else None


def _texts(content: str | list[Json]) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _event(kind: str, **fields: object) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()
