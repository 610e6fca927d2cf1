"""Six kinds of services, and two that fail now and then: nearly all that they allow is used."""

import asyncio
from dataclasses import dataclass
from random import Random

import pytest

from steelyard.providers.limiter import Limiter
from steelyard.providers.llm.rate_headers import stated_quotas
from tests.fake_providers.limits import SERVICES, Limit, Service
from tests.providers.virtual_time import now, run

SECONDS = 120.0
REFUSED_S = 0.02  # until a refusal has come back


@dataclass
class Calls:
    """Makes calls until the time is over, as many at once as the limiter lets through."""

    service: Service
    limit: Limit
    limiter: Limiter
    random: Random
    taken: int = 0
    refused: int = 0
    workers: int = 0

    async def work(self, group: asyncio.TaskGroup) -> None:
        while now() < SECONDS:
            self.add_workers(group)
            await self.one()

    def add_workers(self, group: asyncio.TaskGroup) -> None:
        while self.workers < self.limiter.concurrency:
            self.workers += 1
            group.create_task(self.work(group))

    async def one(self) -> None:
        tries = 0
        while (delay_s := await self.once(tries)) is not None:
            tries += 1
            await asyncio.sleep(delay_s)

    async def once(self, tries: int) -> float | None:
        """Call; return how long to wait before the next try, if there must be one."""
        async with self.limiter.slot() as slot:
            if now() >= SECONDS:
                return None
            tokens = self.service.tokens(self.random)
            refusal = self.limit.refusal(now(), tokens)
            if refusal is None:
                quotas = stated_quotas(self.limit.headers(now()))
                await asyncio.sleep(self.service.call_s(self.random))
                self.limit.ended()
                self.taken += now() <= SECONDS
                slot.succeeded(quotas, tokens)
                return None
            await asyncio.sleep(REFUSED_S)
            self.refused += 1
            slot.throttled(refusal.retry_after_s, is_limit=refusal.status == 429)
        return max(refusal.retry_after_s or 0.0, self.random.uniform(0, 0.5 * 2.0**tries))


async def called(service: Service, seed: int) -> Calls:
    calls = Calls(service, service.make(), Limiter(clock=now), Random(seed))
    async with asyncio.TaskGroup() as group:
        calls.add_workers(group)
    return calls


@pytest.mark.parametrize("seed", [1])
@pytest.mark.parametrize("name", SERVICES)
def test_nearly_all_that_a_service_allows_is_used_and_few_calls_are_refused(name: str, seed: int) -> None:
    service = SERVICES[name]

    calls = run(called(service, seed))

    assert calls.taken >= service.least * calls.limit.allowed(SECONDS)
    assert calls.refused <= service.most_refused * (calls.taken + calls.refused)


def test_the_pace_is_known_when_a_limit_is() -> None:
    async def paces() -> tuple[float | None, float | None]:
        limiter = Limiter(clock=now)
        before = limiter.pace
        async with limiter.slot() as slot:
            await asyncio.sleep(1)
            headers = {"limit": "60", "remaining": "30", "reset": "30"}
            slot.succeeded(stated_quotas({f"ratelimit-{name}": value for name, value in headers.items()}))
        return before, limiter.pace

    before, after = run(paces())

    assert before is None
    assert after == pytest.approx(1.0, rel=0.1)
