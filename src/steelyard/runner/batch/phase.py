"""Submit what is undrawn in batches, wait, and commit the answers; before a session draws the rest.

One thing after the other, so that it is plain what is written down at any moment:

1. A batch is written down, then the run is claimed, then the batch is submitted, under a name of its own. A
   process that did not claim the run last cannot claim it, and submits nothing.
2. Where no id came back, the vendor is asked for the name. Only if the batch is missing long after any call
   could still be under way, it counts as never submitted, and its name is never used again.
3. A batch is forgotten when its answers are committed. Only those that the run lacks are. One that the vendor
   has put back is forgotten too, and its requests are submitted under another name when the others are done.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import cast

from steelyard.errors import REJECTED, ProviderError, StoreError
from steelyard.model.evalset import EvalSet
from steelyard.model.progress import StopCause, StopReason
from steelyard.model.request import Request
from steelyard.model.sample import SampleKey
from steelyard.plugins import BATCHES, load
from steelyard.providers.batch.service import (
    BatchPutBack,
    BatchRefused,
    BatchService,
    BatchServiceMaker,
    PlacedReply,
)
from steelyard.runner.batch.commit import Replies, commit_replies, parts_of, uncertain_nano_usd
from steelyard.runner.batch.plan import cut_into_batches, fitting, most_nano_usd, size_in_batch
from steelyard.runner.batch.room import Room
from steelyard.runner.draw.drawer import OVER_BUDGET, RATE_LIMITED, dollars
from steelyard.runner.draw.retries import LONGEST_S
from steelyard.runner.requests import Requests
from steelyard.runner.resources import RunResources
from steelyard.store.run.batches import BatchFiles, OpenBatch
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.unbillable_spend import read_unbillable_spend, write_unbillable_spend

SUBMIT_S = 600.0  # how long submitting one batch may take
SURE_S = 1200.0  # a batch that the vendor does not list so long after it was written down was never submitted
FIRST_PAUSE_S, GROWTH, LONGEST_PAUSE_S = 1.0, 1.5, 60.0
FAILING_S = 1800.0  # how long all calls may fail before the run stops waiting
MOST_LOST = 3  # batches that were never submitted before the run stops trying
AT_ONCE = 100_000  # requests that are submitted before the first answers are awaited


class BatchPhase:
    """The batches of one run that is held for writing."""

    def __init__(  # noqa: PLR0913  # the run, its parts, and what to tell meanwhile
        self,
        store: RunStore,
        eval_set: EvalSet,
        resources: RunResources,
        *,
        left: Callable[[], int | None],
        announce: Callable[[str], None],
        report: Callable[[int], None],
    ) -> None:
        """Set the run. `left` returns what may still be spent; `report` gets how many answers are awaited."""
        self._store, self._resources = store, resources
        self._prices = resources.settings.prices
        self._requests = Requests(eval_set, store.manifest.subjects)
        self._files = BatchFiles(store.location)
        self._left, self._announce, self._report = left, announce, report
        self._services: dict[str, BatchService] = {}
        self._ended: set[SampleKey] = set()  # of batches that have ended, answered or not
        self._unsayable: set[SampleKey] = set()  # what no batch can say; the session reports what is wrong
        self.shortage: dict[str, StopReason] = {}  # by provider, if there is no money for a further request
        self._room = Room()
        self._full_since: float | None = None  # by the clock of the event loop, as below
        self._submits = False
        self._lost = 0
        self._failing_since: float | None = None  # by the clock of the event loop
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None

    async def run(self, *, submits: bool) -> None:
        """Collect what earlier processes have submitted; then submit and collect what is undrawn."""
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        self._submits = submits
        try:
            await self._collect(self._files.read())
            self._lost = 0  # an earlier process may have been killed before it submitted some
            while submits and (batches := await self._planned()):
                await self._collect(await self._all_submitted(batches))
        finally:
            for service in self._services.values():
                await service.close()

    def stop_waiting(self) -> None:
        """End the phase, from another thread; what is submitted is collected when the run goes on."""
        if self._loop is not None and self._task is not None:
            self._loop.call_soon_threadsafe(self._task.cancel)

    async def _planned(self) -> list[OpenBatch]:
        """Return new batches. No other is open now, so all that is left of the budget may be used."""
        if self._lost >= MOST_LOST:
            raise ProviderError(f"{self._lost} batches were not taken; try again later", kind=REJECTED)
        await self._wait_for_room()
        self._store.forget_errors()
        left = self._left()
        chosen = fitting(self._undrawn(), self._prices, left, self._size, self._room.admission())
        batches = cut_into_batches(islice(chosen, AT_ONCE), self._service)
        if not batches and left is not None:
            self._note_shortage(left)
        return batches

    async def _wait_for_room(self) -> None:
        """Pause where the vendor had room for no batch at all; after a long time of that the run ends."""
        if not self._room.learn():
            self._full_since = None
            return
        now = asyncio.get_running_loop().time()
        self._full_since = self._full_since or now
        if now - self._full_since >= FAILING_S:
            minutes = f"{FAILING_S / 60:.0f} minutes"
            raise ProviderError(
                f"all batches were put back for {minutes}; try again later", kind="rate_limited"
            )
        await asyncio.sleep(LONGEST_PAUSE_S)

    def _note_shortage(self, left: int) -> None:
        """Note that what is left buys no further request; who wants batches pays no full price unasked."""
        sayable = (request for request in self._undrawn() if self._size(request) is not None)
        request = next(sayable, None)
        if request is not None:
            most = most_nano_usd(request, self._prices, datetime.now(UTC))
            message = f"{OVER_BUDGET}: up to {dollars(most)} in a batch, and {dollars(max(0, left))} is left"
            self.shortage[request.provider] = StopReason(cause=StopCause.BUDGET, message=message)

    def _undrawn(self) -> Iterator[Request]:
        for key in self._store.undrawn():
            is_left_out = key in self._ended or key in self._unsayable
            if not is_left_out and self._requests.case_of(key) is not None:
                yield self._requests.of(key)

    def _size(self, request: Request) -> int | None:
        """Return the bytes of a request in a batch; one without is remembered, and not tried again."""
        size = size_in_batch(request, self._service(request.provider))
        if size is None:
            self._unsayable.add(request.key)
        return size

    async def _all_submitted(self, batches: Sequence[OpenBatch]) -> list[OpenBatch]:
        """Submit batches until the vendor takes no more for now; the others are planned again later."""
        taken: list[OpenBatch] = []
        for batch in batches:
            try:
                taken.append(await self._submitted(batch))
            except ProviderError as error:
                pause_s = error.retry_after_s or LONGEST_PAUSE_S
                if error.kind != RATE_LIMITED or pause_s > LONGEST_S or self._has_failed_long():
                    raise
                self._announce(f"{_words(batch)}: not taken for now: {error}")
                if not taken:
                    await asyncio.sleep(pause_s)
                break
        return taken

    def _has_failed_long(self) -> bool:
        """Note a failure; whether nothing but failures came for so long that waiting makes no sense."""
        now = asyncio.get_running_loop().time()
        self._failing_since = self._failing_since or now
        return now - self._failing_since >= FAILING_S

    async def _submitted(self, batch: OpenBatch) -> OpenBatch:
        """Submit a batch; it has no id if the vendor may have taken it and did not say so."""
        service = self._service(batch.provider)
        posts = [service.post(self._requests.of(one.key)) for one in batch.requests]
        batch = replace(batch, written_at=datetime.now(UTC))
        end = asyncio.get_running_loop().time() + SUBMIT_S
        self._claim(batch)
        try:
            async with asyncio.timeout_at(end):
                found = await service.submit(batch.name, posts)
        except (ProviderError, TimeoutError) as error:
            if isinstance(error, ProviderError) and _is_refusal(error):
                self._files.remove(batch)
                raise
            wait = f"for up to {SURE_S / 60:.0f} minutes; Ctrl-C is safe"
            self._announce(f"{_words(batch)}: {error}; looking whether it was submitted, {wait}")
            return batch
        self._failing_since = None
        self._announce(f"{_words(batch)}: submitted as {found}")
        return self._identified(batch, found)

    def _claim(self, batch: OpenBatch) -> None:
        """Write a batch down and become the writer of the run; raises StoreError if another process is."""
        self._files.write(batch)
        try:
            self._store.claim()
        except StoreError:
            self._files.remove(batch)
            raise

    def _identified(self, batch: OpenBatch, found: str) -> OpenBatch:
        known = replace(batch, id=found)
        self._files.write(known)
        return known

    async def _collect(self, batches: Sequence[OpenBatch]) -> None:
        """Wait until all batches have ended, and commit their answers."""
        waiting, pause_s = list(batches), FIRST_PAUSE_S
        reported = None
        while waiting:
            if reported != len(waiting):
                reported = len(waiting)
                self._report(sum(len(batch.requests) for batch in waiting))
            waiting = [left for batch in waiting if (left := await self._looked_at(batch)) is not None]
            if waiting:
                await asyncio.sleep(pause_s)
                pause_s = min(LONGEST_PAUSE_S, GROWTH * pause_s)

    async def _looked_at(self, batch: OpenBatch) -> OpenBatch | None:
        """Return the batch as far as it is known now; None if there is nothing more to wait for."""
        try:
            left = await self._advanced(batch)
        except BatchPutBack as error:
            self._files.remove(batch)
            self._room.put_back(batch)
            follows = "to be submitted again" if self._submits else "drawn directly"
            self._announce(f"{_words(batch)}: put back, {follows}: {error}")
            left = None
        except BatchRefused as error:
            self._files.remove(batch)
            raise ProviderError(f"{_words(batch)}: {error}", kind=error.kind) from error
        except ProviderError as error:
            if error.may_retry and (error.kind == "unsure" or not self._has_failed_long()):
                return batch
            raise ProviderError(
                f"{_words(batch)}: {error}; `--resume` goes on with it. To give it up and draw its answers "
                f"anew, remove {self._files.address(batch)}",
                kind=error.kind,
            ) from error
        self._failing_since = None
        return left

    async def _advanced(self, batch: OpenBatch) -> OpenBatch | None:
        service = self._service(batch.provider)
        if batch.id is None:
            is_sure = datetime.now(UTC) > batch.written_at + timedelta(seconds=SURE_S)
            found = await service.find(batch.name, len(batch.requests), batch.written_at)
            if found is None and not is_sure:
                return batch
            if found is None:
                self._files.remove(batch)
                self._lost += 1
                return None
            batch = self._identified(batch, found)
        if not await service.is_ended(batch.id or ""):
            return batch
        await self._commit(batch, service.replies(batch.id or ""))
        return None

    async def _commit(self, batch: OpenBatch, replies: AsyncIterator[PlacedReply]) -> None:
        """Commit the answers as they come, then forget the batch.

        Where they break off, all come again; those that are committed stay.
        """
        answered: set[int] = set()
        unreadable = uncertain = 0
        async for part in parts_of(batch, replies):
            commit_replies(self._store, batch, part, self._prices, self._resources.calls)
            answered.update(part)
            unreadable += sum(reply is None for reply in part.values())
            uncertain += self._uncertain(batch, part)
        if uncertain:
            location = self._store.location
            write_unbillable_spend(location, read_unbillable_spend(location) + uncertain)
        self._files.remove(batch)
        self._room.answered(batch)
        self._ended.update(one.key for one in batch.requests)
        if missing := len(batch.requests) - len(answered):
            self._announce(f"{_words(batch)}: {missing} without an answer, drawn directly")
        if unreadable:
            self._announce(f"{_words(batch)}: {unreadable} with an unreadable answer, drawn directly")

    def _uncertain(self, batch: OpenBatch, replies: Replies) -> int:
        """Return what answers of unknown cost may have cost at most; a cap counts it, as of a direct call."""
        if self._resources.settings.max_nano_usd is None:
            return 0

        def most(key: SampleKey) -> int:
            latest = self._requests.latest(key)  # a case may have changed while its batch was open
            return most_nano_usd(self._requests.of(latest), self._prices, batch.written_at)

        return uncertain_nano_usd(batch, replies, self._prices, most=most)

    def _service(self, provider: str) -> BatchService:
        if provider not in self._services:
            settings = self._resources.pool.settings_of(provider)
            make = cast("BatchServiceMaker", load(BATCHES, settings.adapter, group="batches"))
            self._services[provider] = make(settings)
        return self._services[provider]


def _is_refusal(error: ProviderError) -> bool:
    """Whether the vendor surely has not taken the batch: it said no, or was never reached."""
    is_said = not error.may_retry or error.kind == RATE_LIMITED
    return is_said or (error.kind == "unreachable" and not error.may_be_billed)


def _words(batch: OpenBatch) -> str:
    return f"batch {batch.name} of {len(batch.requests)} requests to {batch.requests[0].key.model}"
