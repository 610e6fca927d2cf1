"""Submit pending requests in batches, wait, and commit the answers.

The steps are ordered such that a crash at any point loses and duplicates nothing:

1. Record the batch under a unique name, claim the run, submit the batch. A process that cannot claim the run
   submits nothing.
2. If no id came back, look the batch up by its name. It counts as never submitted only if it is missing long
   after any call could have ended; its name is not reused.
3. Delete the record once the missing answers are committed. A batch that the vendor put back is deleted too,
   and its requests are submitted under another name after the others.
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
from steelyard.runner.generate.generator import OVER_BUDGET, RATE_LIMITED, dollars
from steelyard.runner.generate.retries import LONGEST_S
from steelyard.runner.requests import Requests
from steelyard.runner.resources import RunResources
from steelyard.store.run.batches import BatchFiles, OpenBatch
from steelyard.store.run.run_store import RunStore
from steelyard.store.run.unbillable_spend import read_unbillable_spend, write_unbillable_spend

SUBMIT_S = 600.0  # how long submitting one batch may take
SURE_S = 1200.0  # a batch that is still not listed after this time was never submitted
FIRST_PAUSE_S, GROWTH, LONGEST_PAUSE_S = 1.0, 1.5, 60.0
FAILING_S = 1800.0  # the run stops after only failures for this time
MOST_LOST = 3  # batches that were never submitted before the run stops trying
AT_ONCE = 100_000  # requests that are submitted before the first answers are awaited


class BatchPhase:
    """The batches of one run that is held for writing."""

    def __init__(  # noqa: PLR0913  # the run, its parts and two callbacks
        self,
        store: RunStore,
        eval_set: EvalSet,
        resources: RunResources,
        *,
        left: Callable[[], int | None],
        announce: Callable[[str], None],
        report: Callable[[int], None],
    ) -> None:
        """`left` returns the remaining budget; `report` receives the number of awaited answers."""
        self._store, self._resources = store, resources
        self._prices = resources.settings.prices
        self._requests = Requests(eval_set, store.manifest.subjects)
        self._files = BatchFiles(store.location)
        self._left, self._announce, self._report = left, announce, report
        self._services: dict[str, BatchService] = {}
        self._ended: set[SampleKey] = set()  # of batches that have ended, answered or not
        self._unsayable: set[SampleKey] = set()  # not encodable in a batch; the session reports the reason
        self.shortage: dict[str, StopReason] = {}  # by provider, if there is no money for a further request
        self._room = Room()
        self._full_since: float | None = None  # by the clock of the event loop, as below
        self._submits = False
        self._lost = 0
        self._failing_since: float | None = None  # by the clock of the event loop
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None

    async def run(self, *, submits: bool) -> None:
        """Collect the batches of earlier processes, then submit and collect pending requests."""
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
        """End the phase, from another thread; a resumed run collects submitted batches."""
        if self._loop is not None and self._task is not None:
            self._loop.call_soon_threadsafe(self._task.cancel)

    async def _planned(self) -> list[OpenBatch]:
        """Return new batches. No other is open, so they may use the whole remaining budget."""
        if self._lost >= MOST_LOST:
            raise ProviderError(f"{self._lost} batches were not accepted; try again later", kind=REJECTED)
        await self._wait_for_room()
        self._store.forget_errors()
        remaining = self._left()
        chosen = fitting(self._pending_keys(), self._prices, remaining, self._size, self._room.admission())
        batches = cut_into_batches(islice(chosen, AT_ONCE), self._service)
        if not batches and remaining is not None:
            self._note_shortage(remaining)
        return batches

    async def _wait_for_room(self) -> None:
        """Pause while the vendor accepts no batch; raise after a long time."""
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

    def _note_shortage(self, remaining: int) -> None:
        """Record the shortage if the remaining budget covers no further request."""
        sayable = (request for request in self._pending_keys() if self._size(request) is not None)
        request = next(sayable, None)
        if request is not None:
            most = most_nano_usd(request, self._prices, datetime.now(UTC))
            message = (
                f"{OVER_BUDGET}: up to {dollars(most)} in a batch, {dollars(max(0, remaining))} remaining"
            )
            self.shortage[request.provider] = StopReason(cause=StopCause.BUDGET, message=message)

    def _pending_keys(self) -> Iterator[Request]:
        for key in self._store.pending():
            is_left_out = key in self._ended or key in self._unsayable
            if not is_left_out and self._requests.case_of(key) is not None:
                yield self._requests.of(key)

    def _size(self, request: Request) -> int | None:
        """Return the encoded size of a request; remember requests that cannot be encoded."""
        size = size_in_batch(request, self._service(request.provider))
        if size is None:
            self._unsayable.add(request.key)
        return size

    async def _all_submitted(self, batches: Sequence[OpenBatch]) -> list[OpenBatch]:
        """Submit batches until the vendor accepts no more; return the submitted ones."""
        taken: list[OpenBatch] = []
        for batch in batches:
            try:
                taken.append(await self._submitted(batch))
            except ProviderError as error:
                pause_s = error.retry_after_s or LONGEST_PAUSE_S
                if error.kind != RATE_LIMITED or pause_s > LONGEST_S or self._has_failed_long():
                    raise
                self._announce(f"{_words(batch)}: not accepted for now: {error}")
                if not taken:
                    await asyncio.sleep(pause_s)
                break
        return taken

    def _has_failed_long(self) -> bool:
        """Record a failure; return True after only failures for too long."""
        now = asyncio.get_running_loop().time()
        self._failing_since = self._failing_since or now
        return now - self._failing_since >= FAILING_S

    async def _submitted(self, batch: OpenBatch) -> OpenBatch:
        """Submit a batch; without a confirmed response it has no id yet."""
        service = self._service(batch.provider)
        posts = [service.post(self._requests.of(request.key)) for request in batch.requests]
        batch = replace(batch, written_at=datetime.now(UTC))
        end = asyncio.get_running_loop().time() + SUBMIT_S
        self._claim(batch)
        try:
            async with asyncio.timeout_at(end):
                batch_id = await service.submit(batch.name, posts)
        except (ProviderError, TimeoutError) as error:
            if isinstance(error, ProviderError) and _is_refusal(error):
                self._files.remove(batch)
                raise
            wait = f"for up to {SURE_S / 60:.0f} minutes; Ctrl-C is safe"
            self._announce(f"{_words(batch)}: {error}; checking whether it was submitted, {wait}")
            return batch
        self._failing_since = None
        self._announce(f"{_words(batch)}: submitted as {batch_id}")
        return self._identified(batch, batch_id)

    def _claim(self, batch: OpenBatch) -> None:
        """Record a batch and claim the run; raises StoreError if another process holds it."""
        self._files.write(batch)
        try:
            self._store.claim()
        except StoreError:
            self._files.remove(batch)
            raise

    def _identified(self, batch: OpenBatch, result: str) -> OpenBatch:
        open_batch = replace(batch, id=result)
        self._files.write(open_batch)
        return open_batch

    async def _collect(self, batches: Sequence[OpenBatch]) -> None:
        """Wait until all batches have ended, and commit their answers."""
        waiting, pause_s = list(batches), FIRST_PAUSE_S
        reported = None
        while waiting:
            if reported != len(waiting):
                reported = len(waiting)
                self._report(sum(len(batch.requests) for batch in waiting))
            waiting = [
                open_batch for batch in waiting if (open_batch := await self._looked_at(batch)) is not None
            ]
            if waiting:
                await asyncio.sleep(pause_s)
                pause_s = min(LONGEST_PAUSE_S, GROWTH * pause_s)

    async def _looked_at(self, batch: OpenBatch) -> OpenBatch | None:
        """Return the updated batch; None once it is done."""
        try:
            open_batch = await self._advanced(batch)
        except BatchPutBack as error:
            self._files.remove(batch)
            self._room.put_back(batch)
            follows = "to be submitted again" if self._submits else "generated directly"
            self._announce(f"{_words(batch)}: put back, {follows}: {error}")
            open_batch = None
        except BatchRefused as error:
            self._files.remove(batch)
            raise ProviderError(f"{_words(batch)}: {error}", kind=error.kind) from error
        except ProviderError as error:
            if error.may_retry and (error.kind == "unsure" or not self._has_failed_long()):
                return batch
            raise ProviderError(
                f"{_words(batch)}: {error}; `--resume` continues it. To discard it and generate its answers "
                f"anew, remove {self._files.address(batch)}",
                kind=error.kind,
            ) from error
        self._failing_since = None
        return open_batch

    async def _advanced(self, batch: OpenBatch) -> OpenBatch | None:
        service = self._service(batch.provider)
        if batch.id is None:
            is_sure = datetime.now(UTC) > batch.written_at + timedelta(seconds=SURE_S)
            batch_id = await service.find(batch.name, len(batch.requests), batch.written_at)
            if batch_id is None and not is_sure:
                return batch
            if batch_id is None:
                self._files.remove(batch)
                self._lost += 1
                return None
            batch = self._identified(batch, batch_id)
        if not await service.is_ended(batch.id or ""):
            return batch
        await self._commit(batch, service.replies(batch.id or ""))
        return None

    async def _commit(self, batch: OpenBatch, replies: AsyncIterator[PlacedReply]) -> None:
        """Commit the answers as they arrive, then delete the record of the batch.

        After an interruption all replies are read again; committed ones are skipped.
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
        self._ended.update(request.key for request in batch.requests)
        if missing := len(batch.requests) - len(answered):
            self._announce(f"{_words(batch)}: {missing} without an answer, generated directly")
        if unreadable:
            self._announce(f"{_words(batch)}: {unreadable} with an unreadable answer, generated directly")

    def _uncertain(self, batch: OpenBatch, replies: Replies) -> int:
        """Return an upper bound of unknown costs, which counts against the budget."""
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
    """Whether the batch was certainly not accepted: refused, or never sent."""
    is_said = not error.may_retry or error.kind == RATE_LIMITED
    return is_said or (error.kind == "unreachable" and not error.may_be_billed)


def _words(batch: OpenBatch) -> str:
    return f"batch {batch.name} of {len(batch.requests)} requests to {batch.requests[0].key.model}"
