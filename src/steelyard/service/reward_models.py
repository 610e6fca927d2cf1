"""Thin adapters for trainers that score answers over HTTP: NeMo Gym's `/verify`, OpenRLHF's remote reward."""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from steelyard.errors import InputError
from steelyard.service.admission import Refused
from steelyard.service.api import Api
from steelyard.service.bodies import bytes_of
from steelyard.service.fields import Fields
from steelyard.service.requests import CheckRequest

Endpoint = Callable[[Request], Awaitable[Response]]


def routes(api: Api) -> list[BaseRoute]:
    """Return the routes of the adapters."""
    return [
        Route("/verify", _verify(api), methods=["POST"]),
        Route("/remote_rm", _remote_rm(api), methods=["POST"]),
    ]


def _verify(api: Api) -> Endpoint:
    """Return NeMo Gym's verification of one response; `mask_sample` marks infrastructure errors."""

    async def verify(request: Request) -> Response:
        fields = Fields.of(await bytes_of(request))
        where = fields.fields("verifier_metadata")
        checked = await api.check(
            CheckRequest(
                completion=_output_text(fields.fields("response")),
                eval_set=where.text("eval_set"),
                case=where.identifier("case"),
            )
        )
        kept = dict(fields.items())
        if checked.reward is None:
            return JSONResponse(
                {**kept, "reward": 0.0, "mask_sample": True, "failure_reason": str(checked.reason)}
            )
        verdict = str(checked.outcome.facts.classification)
        return JSONResponse({**kept, "reward": checked.reward, "mask_sample": False, "result": verdict})

    return verify


def _output_text(response: Fields) -> str:
    """Return the text of an OpenAI response."""
    if "output_text" in response:
        return response.text("output_text")
    outputs = response.raw("output")
    parts = [
        part.get("text", "")
        for item in (outputs if isinstance(outputs, list) else [])
        if isinstance(item, dict) and item.get("type") == "message"
        for part in item.get("content", [])
        if isinstance(part, dict) and part.get("type") == "output_text"
    ]
    return "".join(parts)


def _remote_rm(api: Api) -> Endpoint:
    """Return OpenRLHF's rewards: `labels` name the cases, as `set/case`.

    An infrastructure error fails the whole request with 503, which its client repeats: it has no null.
    """

    async def remote_rm(request: Request) -> Response:
        fields = Fields.of(await bytes_of(request))
        queries, prompts, labels = (fields.texts(name) for name in ("query", "prompts", "labels"))
        if not len(queries) == len(prompts) == len(labels):
            raise InputError("query, prompts and labels must have the same length")
        checks = [
            api.check(_labelled(query.removeprefix(prompt), label))
            for query, prompt, label in zip(queries, prompts, labels, strict=True)
        ]
        results = await asyncio.gather(*checks, return_exceptions=True)
        rewards = []
        for result in results:
            if isinstance(result, Refused) or (
                not isinstance(result, BaseException) and result.reward is None
            ):
                return JSONResponse({"error": {"kind": "infrastructure"}}, 503, {"Retry-After": "1"})
            if isinstance(result, BaseException):
                raise result
            rewards.append(result.reward)
        return JSONResponse({"rewards": rewards, "scores": rewards, "extra_logs": {}})

    return remote_rm


def _labelled(completion: str, label: str) -> CheckRequest:
    eval_set, slash, case = label.partition("/")
    if not slash:
        raise InputError(f"labels: {label!r} is not of the form SET/CASE")
    return CheckRequest(completion=completion, eval_set=eval_set, case=case)
