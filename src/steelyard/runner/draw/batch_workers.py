"""Draw by the batch interface of a vendor: submit, wait, collect; what no batch answers is drawn directly.

A batch is written down before it is submitted. A resumed run finds it again, by its id or by its name, and
waits for it instead of submitting its requests anew.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import uuid4

from steelyard.errors import ProviderError
from steelyard.model.price import BATCH_DIVISOR
from steelyard.model.progress import StopCause
from steelyard.model.request import Reply, Request
from steelyard.model.sample import Sample, SampleKey
from steelyard.runner.draw.budget import Reservation
from steelyard.runner.draw.clean import clean_reply
from steelyard.runner.draw.drawer import OVER_BUDGET, CallPolicy, Drawer, StopDrawing, sample_of
from steelyard.store.run.batches import BatchFiles, SubmittedBatch

if TYPE_CHECKING:  # loads the HTTP client, which a run of recorded answers has no use for
    from steelyard.providers.llm.batch.service import BatchService

FIRST_POLL_S, POLL_GROWTH, LONGEST_POLL_S = 1.0, 1.5, 60.0


class BatchDrawWorkers:
    """Draws portions of requests, each as one batch; used from one event loop."""

    batch_size = 1_000

    def __init__(
        self,
        service: "Callable[[str], BatchService]",
        files: BatchFiles,
        direct: Drawer,
        policy: CallPolicy,
        *,
        submits: bool,
    ) -> None:
        """Set the interface of each provider, the files of batches, and who draws what is missing.

        Without `submits`, only batches of earlier sessions are collected.
        """
        self._submits = submits
        self._service, self._files, self._direct, self._policy = service, files, direct, policy
        self._known = {batch.name: batch for batch in files.read()}
        self._fresh: set[str] = set()  # names that were never submitted, for certain
        self._reservations: dict[str, Reservation] = {}
        self._replies: dict[str, asyncio.Task[dict[SampleKey, Reply]]] = {}

    def width(self, provider: str) -> int:  # noqa: ARG002  # all alike
        """Return how many batches of a provider may be open at a time."""
        return 4

    async def draw(self, requests: Sequence[Request]) -> list[Sample | StopDrawing]:
        """Return a sample for each request, in order, or why it was not drawn."""
        try:
            replies = await self._collected(requests)
        except StopDrawing as stop:
            return [stop for _ in requests]
        return await asyncio.gather(*(self._sample(request, replies) for request in requests))

    async def close(self) -> None:
        """Stop waiting; what was submitted is found again."""
        for task in self._replies.values():
            task.cancel()
        await asyncio.gather(*self._replies.values(), return_exceptions=True)

    async def _sample(self, request: Request, replies: dict[SampleKey, Reply]) -> Sample | StopDrawing:
        reply = replies.get(request.key)
        if reply is not None:
            return sample_of(request, reply, datetime.now(UTC))
        [drawn] = await self._direct.draw([request])
        return drawn

    async def _collected(self, requests: Sequence[Request]) -> dict[SampleKey, Reply]:
        """Return the replies of all batches that hold these requests, new ones among them."""
        by_key = {request.key: request for request in requests}
        known = [batch for batch in self._known.values() if not by_key.keys().isdisjoint(batch.keys)]
        held = {key for batch in known for key in batch.keys}
        new: dict[str, list[Request]] = {}
        for request in requests:
            if self._submits and request.key not in held:
                new.setdefault(request.key.model, []).append(request)
        batches = [*known, *(self._planned(some) for some in new.values())]
        found: dict[SampleKey, Reply] = {}
        for batch in batches:
            if batch.name not in self._replies:
                wanted = [by_key[key] for key in batch.keys if key in by_key]
                self._reserve_anew(batch, wanted)
                self._replies[batch.name] = asyncio.create_task(self._finished(batch, wanted))
            found |= await asyncio.shield(self._replies[batch.name])
        return found

    def _reserve_anew(self, batch: SubmittedBatch, wanted: Sequence[Request]) -> None:
        """Reserve the money for a batch of an earlier session, as far as there is any: it is under way."""
        if batch.name not in self._reservations:
            left = self._policy.budget.left
            cost = self._most(wanted)
            amount = cost if left is None else min(cost, max(0, left))
            self._reservations[batch.name] = self._policy.budget.reserve(amount) or Reservation(
                self._policy.budget, 0
            )

    def _most(self, requests: Sequence[Request]) -> int:
        return sum(self._policy.max_cost(request) for request in requests) // BATCH_DIVISOR

    def _planned(self, requests: Sequence[Request]) -> SubmittedBatch:
        """Reserve the money for a new batch and write it down; raises StopDrawing."""
        reservation = self._policy.budget.reserve(self._most(requests))
        if reservation is None:
            raise StopDrawing(f"{OVER_BUDGET} by a batch of {len(requests)}", cause=StopCause.BUDGET)
        keys = tuple(request.key for request in requests)
        batch = SubmittedBatch(name=uuid4().hex, provider=requests[0].provider, keys=keys)
        self._kept(batch)
        self._fresh.add(batch.name)
        self._reservations[batch.name] = reservation
        return batch

    async def _finished(self, batch: SubmittedBatch, requests: Sequence[Request]) -> dict[SampleKey, Reply]:
        """Submit a batch if that was not done, wait for its end, and return its replies with their cost."""
        service = self._service(batch.provider)
        wait_s = FIRST_POLL_S
        while True:
            try:
                if batch.id is None:
                    batch = await self._looked_up(service, batch, requests)
                if batch.id is None:
                    batch = await self._submitted(service, batch, requests)
                if await service.is_ended(batch.id or ""):
                    return self._paid(batch, await service.replies(batch.id or ""), requests)
            except ProviderError as error:
                if not error.may_retry:
                    raise StopDrawing(str(error), cause=StopCause.PROVIDER) from error
            except (AttributeError, LookupError, TypeError, ValueError) as error:
                # Not what the protocol promises: what was submitted is found by the next session.
                said = f"{batch.provider}: its batch interface answers in a form that we do not know"
                raise StopDrawing(f"{said} ({type(error).__name__})", cause=StopCause.PROVIDER) from error
            await asyncio.sleep(wait_s)
            wait_s = min(LONGEST_POLL_S, POLL_GROWTH * wait_s)

    async def _looked_up(
        self, service: "BatchService", batch: SubmittedBatch, requests: Sequence[Request]
    ) -> SubmittedBatch:
        """Return a batch with its id if it was submitted; else one that was not, for certain."""
        if batch.name in self._fresh:
            return batch
        taken = {one.id for one in self._known.values() if one.id is not None}
        found = await service.find(batch.name, len(batch.keys), taken)
        return self._renamed(batch, requests) if found is None else self._kept(replace(batch, id=found))

    async def _submitted(
        self, service: "BatchService", batch: SubmittedBatch, requests: Sequence[Request]
    ) -> SubmittedBatch:
        """Submit a batch and return it with its id."""
        # From here on it may be at the vendor, also if no answer comes.
        self._fresh.discard(batch.name)
        by_place = {str(place): request for place, request in enumerate(requests)}
        return self._kept(replace(batch, id=await service.submit(batch.name, by_place)))

    def _kept(self, batch: SubmittedBatch) -> SubmittedBatch:
        self._files.write(batch)
        self._known[batch.name] = batch
        return batch

    def _renamed(self, batch: SubmittedBatch, requests: Sequence[Request]) -> SubmittedBatch:
        """Return a batch that was never submitted under another name, with what is left of it.

        A name is submitted once at most, so the places of its requests never mean something else.
        """
        self._kept(replace(batch, keys=()))  # first: no request may ever stand in two that are not submitted
        keys = tuple(request.key for request in requests)
        new = self._kept(SubmittedBatch(name=uuid4().hex, provider=batch.provider, keys=keys))
        self._fresh.add(new.name)
        if (reservation := self._reservations.pop(batch.name, None)) is not None:
            self._reservations[new.name] = reservation
        return new

    def _paid(
        self, batch: SubmittedBatch, replies: dict[str, Reply], requests: Sequence[Request]
    ) -> dict[SampleKey, Reply]:
        """Return the replies by key, each with half the price of a direct call; settle what they cost."""
        wanted = {request.key for request in requests}  # earlier sessions have counted what they kept
        found: dict[SampleKey, Reply] = {}
        for place, key in enumerate(batch.keys):
            if key in wanted and (reply := replies.get(str(place))) is not None:
                clean = clean_reply(reply)
                full = self._policy.prices.cost_nano_usd(key.model, clean.usage, datetime.now(UTC))
                found[key] = replace(clean, cost_nano_usd=None if full is None else full // BATCH_DIVISOR)
        reservation = self._reservations.pop(batch.name)
        reservation.settle(sum(reply.cost_nano_usd or 0 for reply in found.values()))
        return found
