"""The batch interfaces of three vendors on loopback: what was submitted is answered after some looks.

Every answer is `yes`. A request is paid for when its batch is made, whether or not its maker hears of it.
"""

import asyncio
import json
import os
import signal
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.vendors.asked import Answer, Asked
from tests.vendors.protocols import Anthropic, Google, OpenAi, Vendor

Json = dict[str, Any]
PATHS = {"openai": "/v1", "anthropic": "", "google": ""}


@dataclass
class Batch:
    """A batch: its name by the vendor, what its maker calls it, and its requests by their ids."""

    id: str
    label: str
    requests: dict[str, tuple[Vendor, Asked]]
    looks: int = 0


@dataclass
class BatchShop:
    """All batches and files of all vendors; may be told to misbehave."""

    looks: int = 1  # so many looks at a batch find it unfinished
    unanswered: int = 0  # so many requests of each batch expire
    fails: int = 0  # so many batches are not made: the service is busy
    drops: int = 0  # so many batches are made without telling their maker
    batches: dict[str, Batch] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    paid: Counter[tuple[str, str, int | None]] = field(default_factory=Counter)
    direct: int = 0
    port: int = 0
    victim: int = 0  # a process to kill, after so many requests:
    until_kill: int = 0
    kills_before: bool = False

    def url(self, vendor: str) -> str:
        """Return the address of a vendor."""
        return f"http://127.0.0.1:{self.port}{PATHS[vendor]}"

    @web.middleware
    async def killing(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Kill the victim at the request that is its last: before it is dealt with, or right after."""
        self.until_kill -= 1
        if self.victim and self.until_kill == 0 and self.kills_before:
            os.kill(self.victim, signal.SIGKILL)
        response = await handler(request)
        if self.victim and self.until_kill == 0 and not self.kills_before:
            os.kill(self.victim, signal.SIGKILL)
        return response

    def add(self, label: str, requests: Mapping[str, tuple[Vendor, Asked]], request: web.Request) -> Batch:
        """Keep a batch, which is paid for from now on; perhaps hang up instead of saying so."""
        if self.fails:
            self.fails -= 1
            raise web.HTTPServiceUnavailable
        prefix = "batches/" if "v1beta" in request.path else "batch_"
        batch = Batch(f"{prefix}{len(self.batches)}", label, dict(requests))
        self.batches[batch.id] = batch
        for _, asked in list(requests.values())[self.unanswered :]:
            self.paid[asked.model, asked.prompt, asked.seed] += 1
        if self.drops:
            self.drops -= 1
            assert request.transport is not None
            request.transport.close()
        return batch

    def is_ended(self, batch: Batch) -> bool:
        """Look at a batch."""
        batch.looks += 1
        return batch.looks > self.looks

    def answers(self, batch: Batch) -> Iterator[tuple[str, Json | None]]:
        """Return the body of each reply, or None for what has expired."""
        for place, (name, (vendor, asked)) in enumerate(batch.requests.items()):
            expired = place < self.unanswered
            yield name, None if expired else vendor.reply(asked, Answer(text="yes"), None)


def lines(found: Iterable[Json]) -> web.Response:
    """Answer with JSON lines."""
    return web.Response(text="".join(json.dumps(line) + "\n" for line in found))


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
        found = map(json.loads, self.shop.files[body["input_file_id"]].splitlines())
        asked = {one["custom_id"]: (kind, kind.asked("", request.headers, one["body"])) for one in found}
        batch = self.shop.add(body["metadata"]["steelyard"], asked, request)
        return web.json_response(self.state(batch, is_ended=False))

    def state(self, batch: Batch, *, is_ended: bool) -> Json:
        status = ("expired" if self.shop.unanswered else "completed") if is_ended else "in_progress"
        output = f"out-{batch.id}" if is_ended else None
        label = {"steelyard": batch.label}
        return {"id": batch.id, "status": status, "output_file_id": output, "metadata": label}

    async def batch(self, request: web.Request) -> web.Response:
        batch = self.shop.batches[request.match_info["id"]]
        return web.json_response(self.state(batch, is_ended=self.shop.is_ended(batch)))

    async def listed(self, _: web.Request) -> web.Response:
        states = [self.state(batch, is_ended=False) for batch in self.shop.batches.values()]
        return web.json_response({"data": states, "has_more": False})

    async def results(self, request: web.Request) -> web.Response:
        batch = self.shop.batches[request.match_info["id"].removeprefix("out-")]
        answers = self.shop.answers(batch)
        return lines(
            {"custom_id": name, "response": {"body": body}, "error": None if body else {"code": "expired"}}
            for name, body in answers
        )

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
        body, kind = await request.json(), Anthropic()
        found = body["requests"]
        asked = {one["custom_id"]: (kind, kind.asked("", request.headers, one["params"])) for one in found}
        return web.json_response(self.state(self.shop.add("", asked, request), is_ended=False))

    def state(self, batch: Batch, *, is_ended: bool) -> Json:
        counts = {"succeeded" if is_ended else "processing": len(batch.requests)}
        status = "ended" if is_ended else "in_progress"
        return {"id": batch.id, "processing_status": status, "request_counts": counts}

    async def batch(self, request: web.Request) -> web.Response:
        batch = self.shop.batches[request.match_info["id"]]
        return web.json_response(self.state(batch, is_ended=self.shop.is_ended(batch)))

    async def listed(self, _: web.Request) -> web.Response:
        known = self.shop.batches.values()
        states = [self.state(batch, is_ended=self.shop.is_ended(batch)) for batch in known]
        return web.json_response({"data": states, "has_more": False, "last_id": None})

    async def results(self, request: web.Request) -> web.Response:
        answers = self.shop.answers(self.shop.batches[request.match_info["id"]])
        results = {name: {"type": "succeeded", "message": body} for name, body in answers if body}
        asked = self.shop.batches[request.match_info["id"]].requests
        return lines({"custom_id": name, "result": results.get(name, {"type": "expired"})} for name in asked)

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
        return web.json_response(
            self.state(self.shop.add(body["displayName"], asked, request), is_ended=False)
        )

    def state(self, batch: Batch, *, is_ended: bool) -> Json:
        state: Json = {"name": batch.id, "metadata": {"displayName": batch.label}, "done": is_ended}
        if is_ended:
            results = [
                {"metadata": {"key": name}, **({"response": body} if body else {"error": {"code": 4}})}
                for name, body in self.shop.answers(batch)
            ]
            state["response"] = {"inlinedResponses": {"inlinedResponses": results}}
        return state

    async def batch(self, request: web.Request) -> web.Response:
        batch = self.shop.batches[f"batches/{request.match_info['id']}"]
        return web.json_response(self.state(batch, is_ended=self.shop.is_ended(batch)))

    async def listed(self, _: web.Request) -> web.Response:
        states = [self.state(batch, is_ended=False) for batch in self.shop.batches.values()]
        return web.json_response({"operations": states})

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
        return web.json_response(kind.reply(asked, Answer(text="yes"), None))

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
