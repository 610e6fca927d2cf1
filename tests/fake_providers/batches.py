"""The batch interfaces of three vendors on loopback: what was submitted is answered after some looks.

A request is paid for when its batch is made, whether or not its maker hears of it; what is not answered is
free. `paid` is the service's own log.
"""

import asyncio
import json
import os
import signal
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

from tests.fake_providers.asked import Answer, Asked
from tests.fake_providers.protocols import Anthropic, Google, OpenAi, Vendor

Json = dict[str, Any]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
PATHS = {"openai": "/v1", "anthropic": "", "google": ""}
PAGE = 2  # batches on one page of a list
WHOLE_LINES = 5  # of results that break off
PIECE = 1 << 20  # bytes of a request that are read at once


@dataclass
class Batch:
    """A batch: its id, what its maker calls it, and its requests by their ids."""

    id: str
    label: str
    requests: dict[str, tuple[Vendor, Asked]]
    made_at: str = field(default_factory=lambda: datetime.now(UTC).isoformat())
    looks: int = 0
    is_put_back: bool = False


@dataclass
class BatchShop:
    """All batches and files of all vendors; may be told to misbehave."""

    looks: int = 1  # so many looks at a batch find it unfinished
    unanswered: int = 0  # so many requests of each batch expire
    fails: int = 0  # so many batches are not made: the service is busy
    refuses: int = 0  # so many batches are not made: the model has no batches
    drops: int = 0  # so many batches are made, and then the line goes dead
    errors: int = 0  # so many batches are made, and then an error is answered
    throttles: int = 0  # so many batches are not made: too many at a time
    throttle_s: int = 0  # what a refused batch is told to wait
    queue: int = 1_000_000  # so many requests may wait; OpenAI puts back what is more, after it was made
    spoils: str = ""  # why every batch fails after it was made
    garbles: bool = False  # answers are JSON of another form
    drips_s: float = 0.0  # the pause before each line of results, and before each piece that is read
    breaks: int = 0  # so many results break off after five lines
    hides: int = 0  # so many lists do not show what was made last
    batches: dict[str, Batch] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    paid: Counter[tuple[str, str, int | None]] = field(default_factory=Counter)
    direct: int = 0
    keys: set[str] = field(default_factory=set)  # by which calls were made
    port: int = 0
    victim: int = 0  # a process to kill, at so many requests from now:
    until_kill: int = 0
    kills_before: bool = False
    calls: list[str] = field(default_factory=list)  # of any kind: method and path

    def url(self, vendor: str) -> str:
        """Return the address of a vendor."""
        return f"http://127.0.0.1:{self.port}{PATHS[vendor]}"

    @web.middleware
    async def killing(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Kill the victim at the request that is its last: before it is dealt with, or right after."""
        self.calls.append(f"{request.method} {request.path}")
        self.until_kill -= 1
        victim = self.victim if self.until_kill == 0 else 0  # who it is may change while this is dealt with
        if victim and self.kills_before:
            _kill(victim)
        response = web.json_response(["?"]) if self.garbles else await handler(request)
        if victim and not self.kills_before:
            _kill(victim)
        return response

    def add(self, label: str, requests: Mapping[str, tuple[Vendor, Asked]], request: web.Request) -> Batch:
        """Keep a batch, which is paid for from now on; perhaps answer as if it were not."""
        if self.refuses:
            self.refuses -= 1
            raise web.HTTPBadRequest(text=json.dumps({"error": {"message": "this model has no batches"}}))
        if self.throttles:
            self.throttles -= 1
            wait = {"Retry-After": str(self.throttle_s)} if self.throttle_s else {}
            raise web.HTTPTooManyRequests(headers=wait)
        if self.fails:
            self.fails -= 1
            raise web.HTTPServiceUnavailable
        prefix = "batches/" if "v1beta" in request.path else "batch_"
        batch = Batch(f"{prefix}{len(self.batches)}", label, dict(requests))
        is_openai = request.path == "/v1/batches"
        batch.is_put_back = is_openai and self.waiting() + len(requests) > self.queue
        self.batches[batch.id] = batch
        for _, asked in [] if batch.is_put_back else list(requests.values())[self.unanswered :]:
            self.paid[asked.model, asked.prompt, asked.seed] += 1
            self.keys.add(asked.key)
        if self.drops:
            self.drops -= 1
            assert request.transport is not None
            request.transport.close()
        if self.errors:
            self.errors -= 1
            raise web.HTTPInternalServerError
        return batch

    async def read(self, request: web.Request) -> Json:
        """Read the JSON of a request, perhaps slowly."""
        content = bytearray()
        async for piece in request.content.iter_chunked(PIECE):
            content += piece
            await asyncio.sleep(self.drips_s * len(piece) / PIECE)
        body: Json = json.loads(content)
        return body

    async def lines(self, request: web.Request, found: Iterable[Json]) -> web.StreamResponse:
        """Answer with JSON lines, perhaps slowly."""
        response = web.StreamResponse()
        await response.prepare(request)
        for place, line in enumerate(found):
            await asyncio.sleep(self.drips_s)
            if self.breaks and place == WHOLE_LINES:
                self.breaks -= 1
                assert request.transport is not None
                request.transport.close()
            await response.write(json.dumps(line).encode() + b"\n")
        return response

    def listed(self, after: str | None) -> tuple[list[Batch], str | None]:
        """Return a page of the list, the newest first, and where the next one begins."""
        newest_first = list(self.batches.values())[::-1]
        if self.hides:
            self.hides -= 1
            newest_first = newest_first[1:]
        ids = [batch.id for batch in newest_first]
        start = ids.index(after) + 1 if after else 0
        page = newest_first[start : start + PAGE]
        return page, page[-1].id if start + PAGE < len(newest_first) else None

    def waiting(self) -> int:
        """Return how many requests are not answered yet."""
        open_batches = (one for one in self.batches.values() if one.looks <= self.looks)
        return sum(len(one.requests) for one in open_batches if not one.is_put_back)

    def is_ended(self, batch: Batch) -> bool:
        """Look at a batch."""
        batch.looks += 1
        return batch.looks > self.looks

    def answers(self, batch: Batch) -> Iterator[tuple[str, Json | None]]:
        """Return the body of each reply, or None for what has expired."""
        for place, (name, (vendor, asked)) in enumerate(batch.requests.items()):
            yield name, None if place < self.unanswered else vendor.reply(asked, answer_to(asked), None)


def _kill(process: int) -> None:
    with suppress(ProcessLookupError):  # it may have ended by itself
        os.kill(process, signal.SIGKILL)


def answer_to(asked: Asked) -> Answer:
    """Return the one answer to a prompt; some are wrong."""
    return Answer(text="no" if int(asked.digest, 16) % 3 == 0 else "yes")


class OpenAiBatches:
    """Files, and batches with metadata."""

    def __init__(self, shop: BatchShop) -> None:
        self.shop = shop

    async def file(self, request: web.Request) -> web.Response:
        part = (await request.post())["file"]
        assert isinstance(part, web.FileField)
        name = f"file-{len(self.shop.files)}"
        self.shop.files[name] = part.file.read()
        return web.json_response({"id": name})

    async def made(self, request: web.Request) -> web.Response:
        body, kind = await request.json(), OpenAi()
        found = list(map(json.loads, self.shop.files[body["input_file_id"]].splitlines()))
        assert len({one["body"]["model"] for one in found}) == 1
        asked = {one["custom_id"]: (kind, kind.asked("", request.headers, one["body"])) for one in found}
        batch = self.shop.add(body["metadata"]["steelyard"], asked, request)
        return web.json_response(self.state(batch, is_ended=False))

    def state(self, batch: Batch, *, is_ended: bool) -> Json:
        status = ("expired" if self.shop.unanswered else "completed") if is_ended else "in_progress"
        has_output = is_ended and self.shop.unanswered < len(batch.requests)
        output = f"out-{batch.id}" if has_output else None
        label = {"steelyard": batch.label}
        state = {"id": batch.id, "status": status, "output_file_id": output, "metadata": label}
        if is_ended and (self.shop.spoils or batch.is_put_back):
            error = {"code": "invalid_request", "message": self.shop.spoils}
            if batch.is_put_back:
                error = {"code": "token_limit_exceeded", "message": "Enqueued token limit reached."}
            errors = {"data": [error]}
            return {**state, "status": "failed", "output_file_id": None, "errors": errors}
        return state

    async def batch(self, request: web.Request) -> web.Response:
        batch = self.shop.batches[request.match_info["id"]]
        return web.json_response(self.state(batch, is_ended=self.shop.is_ended(batch)))

    async def listed(self, request: web.Request) -> web.Response:
        page, following = self.shop.listed(request.query.get("after"))
        states = [self.state(batch, is_ended=False) for batch in page]
        return web.json_response({"data": states, "has_more": following is not None})

    async def results(self, request: web.Request) -> web.StreamResponse:
        batch = self.shop.batches[request.match_info["id"].removeprefix("out-")]
        found = (
            {
                "custom_id": name,
                "response": {"status_code": 200 if body else 400, "body": body or {"error": {}}},
                "error": None,
            }
            for name, body in self.shop.answers(batch)
        )
        return await self.shop.lines(request, found)

    def routes(self) -> list[web.RouteDef]:
        return [
            web.post("/v1/files", self.file),
            web.get("/v1/files/{id}/content", self.results),
            web.post("/v1/batches", self.made),
            web.get("/v1/batches", self.listed),
            web.get("/v1/batches/{id}", self.batch),
        ]


class AnthropicBatches:
    """Message batches, which keep no name of their maker."""

    def __init__(self, shop: BatchShop) -> None:
        self.shop = shop

    async def made(self, request: web.Request) -> web.Response:
        body, kind = await self.shop.read(request), Anthropic()
        found = body["requests"]
        asked = {one["custom_id"]: (kind, kind.asked("", request.headers, one["params"])) for one in found}
        assert not any(one["params"]["stream"] for one in found)
        return web.json_response(self.state(self.shop.add("", asked, request), is_ended=False))

    def state(self, batch: Batch, *, is_ended: bool) -> Json:
        return {
            "id": batch.id,
            "processing_status": "ended" if is_ended else "in_progress",
            "request_counts": {"succeeded" if is_ended else "processing": len(batch.requests)},
            "created_at": batch.made_at,
        }

    async def batch(self, request: web.Request) -> web.Response:
        batch = self.shop.batches[request.match_info["id"]]
        return web.json_response(self.state(batch, is_ended=self.shop.is_ended(batch)))

    async def listed(self, request: web.Request) -> web.Response:
        page, following = self.shop.listed(request.query.get("after_id"))
        states = [self.state(batch, is_ended=self.shop.is_ended(batch)) for batch in page]
        return web.json_response({"data": states, "has_more": following is not None, "last_id": following})

    async def results(self, request: web.Request) -> web.StreamResponse:
        answers = self.shop.answers(self.shop.batches[request.match_info["id"]])
        found = (
            {
                "custom_id": name,
                "result": {"type": "succeeded", "message": body} if body else {"type": "expired"},
            }
            for name, body in answers
        )
        return await self.shop.lines(request, found)

    def routes(self) -> list[web.RouteDef]:
        return [
            web.post("/v1/messages/batches", self.made),
            web.get("/v1/messages/batches", self.listed),
            web.get("/v1/messages/batches/{id}", self.batch),
            web.get("/v1/messages/batches/{id}/results", self.results),
        ]


class GoogleBatches:
    """Operations with requests and results in their bodies."""

    def __init__(self, shop: BatchShop) -> None:
        self.shop = shop

    async def made(self, request: web.Request) -> web.Response:
        body, kind = (await request.json())["batch"], Google()
        found = body["inputConfig"]["requests"]["requests"]
        asked = {
            one["metadata"]["key"]: (kind, kind.asked(request.path, request.headers, one["request"]))
            for one in found
        }
        batch = self.shop.add(body["displayName"], asked, request)
        return web.json_response(self.state(batch, is_ended=False))

    def state(self, batch: Batch, *, is_ended: bool) -> Json:
        state: Json = {"name": batch.id, "metadata": {"displayName": batch.label}, "done": is_ended}
        if is_ended and self.shop.spoils:
            return {**state, "error": {"code": 8, "message": self.shop.spoils}}
        if is_ended:
            results = [
                {"metadata": {"key": name}, **({"response": body} if body else {"error": {"code": 4}})}
                for name, body in self.shop.answers(batch)
            ]
            state["response"] = {
                "@type": "GenerateContentBatchOutput",
                "inlinedResponses": {"inlinedResponses": results},
            }
        return state

    async def batch(self, request: web.Request) -> web.Response:
        batch = self.shop.batches[f"batches/{request.match_info['id']}"]
        return web.json_response(self.state(batch, is_ended=self.shop.is_ended(batch)))

    async def listed(self, request: web.Request) -> web.Response:
        page, following = self.shop.listed(request.query.get("pageToken"))
        states = [self.state(batch, is_ended=False) for batch in page]
        return web.json_response({"operations": states, "nextPageToken": following or ""})

    def routes(self) -> list[web.RouteDef]:
        return [
            web.post("/v1beta/models/{model}:batchGenerateContent", self.made),
            web.get("/v1beta/batches", self.listed),
            web.get("/v1beta/batches/{id}", self.batch),
        ]


class Direct:
    """Single calls, for what no batch has answered."""

    def __init__(self, shop: BatchShop) -> None:
        self.shop = shop

    async def call(self, request: web.Request) -> web.Response:
        kinds: dict[str, Vendor] = {"/chat/completions": OpenAi(), "/messages": Anthropic()}
        kind = next((one for end, one in kinds.items() if request.path.endswith(end)), Google())
        asked = kind.asked(request.path, request.headers, await request.json())
        self.shop.direct += 1
        self.shop.paid[asked.model, asked.prompt, asked.seed] += 1
        return web.json_response(kind.reply(asked, answer_to(asked), None))

    def routes(self) -> list[web.RouteDef]:
        paths = ("/v1/chat/completions", "/v1/messages", "/v1beta/models/{model}:generateContent")
        return [web.post(path, self.call) for path in paths]


@contextmanager
def selling(shop: BatchShop) -> Iterator[BatchShop]:
    """Serve in a thread of its own; gone when the block ends."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="batches", daemon=True)
    thread.start()
    app = web.Application(client_max_size=64 << 20, middlewares=[shop.killing])
    for part in (OpenAiBatches, AnthropicBatches, GoogleBatches, Direct):
        app.add_routes(part(shop).routes())
    runner = web.AppRunner(app)

    async def start() -> None:
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        shop.port = runner.addresses[0][1]

    asyncio.run_coroutine_threadsafe(start(), loop).result(30)
    try:
        yield shop
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result(30)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(30)
        loop.close()
