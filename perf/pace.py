"""Measure how near to a service's limit the limiter stays: six kinds of services, over HTTP, on loopback.

Time passes faster than in life: a call of a second takes `--second` seconds, and so do windows and pauses.
Run: python -m perf.pace [--seconds 120] [--second 0.25] [--services NAME ...]
"""

import argparse
import asyncio
import time
from collections.abc import Sequence
from random import Random

from aiohttp import web

from steelyard.errors import ProviderError
from steelyard.model.config import ProviderSettings
from steelyard.model.request import Parameters, Request
from steelyard.model.sample import SampleKey
from steelyard.providers.limiter import Limiter
from steelyard.providers.llm.openai import openai_provider
from steelyard.runner.generate.generator import RATE_LIMITED
from steelyard.runner.generate.retries import Retries
from tests.fake_providers.limits import SERVICES, Service

MODEL = "openai/m"


class Shop:
    """A service with a limit, as a server sees it; its clock runs faster than ours."""

    def __init__(self, service: Service, second_s: float) -> None:
        self.service, self.second_s = service, second_s
        self.limit = service.make()
        self.random = Random(1)
        self.began = time.monotonic()
        self.taken = self.refused = 0

    def now(self) -> float:
        """Return the seconds of the service since it was opened."""
        return (time.monotonic() - self.began) / self.second_s

    async def answer(self, request: web.Request) -> web.Response:
        """Answer a chat completion, or refuse it."""
        await request.read()
        tokens = self.service.tokens(self.random)
        refusal = self.limit.refusal(self.now(), tokens)
        if refusal is not None:
            self.refused += 1
            headers = {}
            if refusal.retry_after_s is not None:
                headers["retry-after-ms"] = f"{refusal.retry_after_s * self.second_s * 1000:.1f}"
            return web.json_response({"error": {"message": "no"}}, status=refusal.status, headers=headers)
        headers = {name: self._scaled(name, value) for name, value in self.limit.headers(self.now()).items()}
        await asyncio.sleep(self.service.call_s(self.random) * self.second_s)
        self.limit.ended()
        self.taken += 1
        message = {"message": {"content": "yes"}, "finish_reason": "stop"}
        usage = {"prompt_tokens": tokens, "completion_tokens": 0}
        return web.json_response({"choices": [message], "usage": usage}, headers=headers)

    def _scaled(self, name: str, value: str) -> str:
        if "reset" not in name:
            return value
        return f"{float(value.removesuffix('ms')) * self.second_s:.3f}ms"


async def measured(service: Service, seconds: float, second_s: float) -> tuple[float, float]:
    """Return the share of what a service allows that was used, and the share of calls that it refused."""
    shop = Shop(service, second_s)
    app = web.Application()
    app.router.add_post("/v1/chat/completions", shop.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    await calls(f"http://127.0.0.1:{port}/v1", seconds * second_s)
    used = shop.taken / shop.limit.allowed(seconds)
    refused = shop.refused / max(1, shop.taken + shop.refused)
    await runner.cleanup()
    return used, refused


async def calls(address: str, seconds: float) -> None:
    """Keep a service busy for a time, as the runner does."""
    provider = openai_provider(ProviderSettings(name="openai", base_url=address))
    limiter, retries, until = Limiter(), Retries(most=1000), time.monotonic() + seconds
    working: set[asyncio.Task[None]] = set()

    async def one(number: int) -> None:
        key = SampleKey(MODEL, "T0", "s", "c", "d", number)
        request = Request(key=key, prompt="say yes", parameters=Parameters(max_tokens=10))
        for attempt in range(1000):
            try:
                async with limiter.slot() as slot:
                    try:
                        reply = await provider.generate(request)
                    except ProviderError as error:
                        slot.throttled(error.retry_after_s, is_limit=error.kind == RATE_LIMITED)
                        raise
                    slot.succeeded(reply.quotas, reply.usage.tokens_in)
                    return
            except ProviderError as error:
                await asyncio.sleep(retries.delay_s(min(attempt, 5), error) or 0.0)

    number = 0
    while time.monotonic() < until:
        while len(working) < limiter.concurrency + 1:
            number += 1
            working.add(asyncio.create_task(one(number)))
        _, working = await asyncio.wait(working, timeout=0.05, return_when=asyncio.FIRST_COMPLETED)
    for task in working:
        task.cancel()
    await asyncio.gather(*working, return_exceptions=True)
    await provider.close()


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure each service, print, and fail if a bound is not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0, help="of the service's time")
    parser.add_argument("--second", type=float, default=0.25, help="our seconds in one of the service")
    parser.add_argument("--services", nargs="*", default=list(SERVICES))
    options = parser.parse_args(arguments)
    missed = []
    for name in options.services:
        service = SERVICES[name]
        used, refused = asyncio.run(measured(service, options.seconds, options.second))
        print(f"{name}: {used:.1%} of what it allows, {refused:.1%} refused", flush=True)
        if used < service.least or refused > service.most_refused:
            missed.append(name)
    assert not missed, f"out of bounds: {', '.join(missed)}"


if __name__ == "__main__":
    main()
