"""Put the service behind addresses."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import cast

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from steelyard.errors import InputError, UserError
from steelyard.model.version import VERSION
from steelyard.service import reward_models, sandbox_fusion
from steelyard.service.access import Access, AccessGuard
from steelyard.service.admission import Refused
from steelyard.service.api import Api
from steelyard.service.bodies import body_of, bytes_of
from steelyard.service.openapi import openapi_document
from steelyard.service.replies import error_of, line_of, refusal_of, reply_of
from steelyard.service.requests import MOST_ITEMS, BatchRequest, CheckRequest
from steelyard.service.uploads import uploaded_set

Endpoint = Callable[[Request], Awaitable[Response]]


def application(api: Api, access: Access) -> ASGIApp:
    """Return the application of a service that `api` has started."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with api.running():
            yield

    app = Starlette(
        lifespan=lifespan,
        routes=[
            Route("/v1/check", _check(api), methods=["POST"]),
            Route("/v1/check/batch", _check_batch(api), methods=["POST"]),
            Route("/v1/sets", _list_sets(api), methods=["GET"]),
            Route("/v1/sets", _add_set(api), methods=["POST"]),
            Route("/healthz", _health(api)),
            Route("/readyz", _readiness(api)),
            Route("/metrics", _metrics(api)),
            Route("/openapi.json", _openapi),
            *sandbox_fusion.routes(api),
            *reward_models.routes(api),
        ],
        exception_handlers={UserError: _rejected, Refused: _refused},
    )
    return AccessGuard(app, access)


def _check(api: Api) -> Endpoint:
    async def check(request: Request) -> Response:
        body = await body_of(request, CheckRequest)
        checked = await api.check(body)
        return JSONResponse(reply_of(checked, id=body.id))

    return check


def _check_batch(api: Api) -> Endpoint:
    async def check_batch(request: Request) -> Response:
        batch = await body_of(request, BatchRequest)
        if len(batch.items) > MOST_ITEMS:
            raise InputError(f"a batch has at most {MOST_ITEMS:,} items, not {len(batch.items):,}")
        return StreamingResponse(_lines(api, batch), media_type="application/x-ndjson")

    return check_batch


async def _lines(api: Api, batch: BatchRequest) -> AsyncIterator[bytes]:
    """Yield a line per item as soon as it is checked."""

    async def line(item: CheckRequest) -> bytes:
        try:
            return line_of(reply_of(await api.check(item), id=item.id))
        except Refused as refused:
            return line_of(refusal_of(refused, id=item.id))
        except UserError as error:
            problem = error_of("invalid_request", detail=str(error))
            return line_of({"id": item.id, "verdict": "error", "reward": None, "error": problem})

    tasks = [asyncio.create_task(line(item)) for item in batch.items]
    try:
        for task in asyncio.as_completed(tasks):
            yield await task
    finally:  # a client that left needs no more results
        for task in tasks:
            task.cancel()


def _list_sets(api: Api) -> Endpoint:
    async def list_sets(_: Request) -> Response:
        rows = [
            {"id": served.eval_set.id, "digest": served.digest, "cases": len(served.cases)}
            for served in api.sets
        ]
        return JSONResponse({"sets": rows})

    return list_sets


def _add_set(api: Api) -> Endpoint:
    async def add_set(request: Request) -> Response:
        if not api.allows_uploads:
            return _problem(403, "uploads_disabled", "start the service with --allow-uploads")
        content = await bytes_of(request)
        served = api.sets.add(await asyncio.to_thread(uploaded_set, content))
        return JSONResponse(
            {"id": served.eval_set.id, "digest": served.digest, "cases": len(served.cases)}, 201
        )

    return add_set


def _health(api: Api) -> Endpoint:
    async def health(_: Request) -> Response:
        problem = await api.health_problem()
        state = {"status": "ok" if problem is None else "failing", "version": VERSION}
        return JSONResponse(
            state if problem is None else {**state, "problem": problem}, 200 if problem is None else 503
        )

    return health


def _readiness(api: Api) -> Endpoint:
    async def readiness(_: Request) -> Response:
        return PlainTextResponse("ready\n" if api.is_ready else "draining\n", 200 if api.is_ready else 503)

    return readiness


def _metrics(api: Api) -> Endpoint:
    async def metrics(_: Request) -> Response:
        return Response(api.metrics(), media_type="text/plain; version=0.0.4")

    return metrics


async def _openapi(_: Request) -> Response:
    return JSONResponse(openapi_document())


async def _rejected(_: Request, error: Exception) -> Response:
    return _problem(422, "invalid_request", str(error))


async def _refused(_: Request, error: Exception) -> Response:
    refused = cast("Refused", error)
    return JSONResponse(
        {"error": error_of(refused.reason, retry_after_s=refused.retry_after_s)},
        refused.http_status,
        {"Retry-After": str(refused.retry_after_s)},
    )


def _problem(code: int, kind: str, detail: str) -> Response:
    return JSONResponse({"error": error_of(kind, detail=detail)}, code)
