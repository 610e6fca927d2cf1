"""Carry out a run: draw, keep, check, keep.

Each stage goes at its own pace, and a slow one holds the others back. A paid answer is committed before it
is checked. Only this process commits, and in one thread.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from operator import attrgetter
from typing import TypeVar

from steelyard.metrics.appraisal import Appraiser
from steelyard.metrics.rules import rule_of
from steelyard.model.facts import Outcome
from steelyard.model.sample import Sample, SampleKey, text_digest
from steelyard.runner.batch_queue import Batches
from steelyard.runner.draw.drawer import Halt, Why
from steelyard.runner.plan import Requests
from steelyard.runner.stop_rule_scheduler import Rounds
from steelyard.runner.tally import Tally
from steelyard.runner.worker_pool import Piece, Pump
from steelyard.runner.workers import Crew, Task
from steelyard.store.run.run_store import RunStore

CHUNK = 2_000  # rows of one commit, at most
WITHIN_S = 1.0  # so long an answer waits for company, at most; it is lost if we are killed meanwhile
ROOM = 4 * CHUNK  # answers that wait for a commit, and again for a check, before drawing pauses
LOOKED_UP = 2_000  # keys or samples read from the store at a time

Found = TypeVar("Found")
_key = attrgetter(*SampleKey._fields)
Checked = tuple[Sample, Outcome]


class Runner:
    """One round of a run: everything that is to be drawn, and everything that is to be checked."""

    def __init__(
        self, store: RunStore, requests: Requests, crew: Crew, tally: Tally, *, rounds: Rounds | None = None
    ) -> None:
        """Take what to work with; where there are `rounds`, they say what is to be drawn next."""
        self._rounds = rounds
        self._store = store
        self._requests = requests
        self._crew = crew
        self._tally = tally
        self._appraiser = Appraiser(rule_of(store.manifest.scoring))
        self._drawn: Batches[Sample] = Batches(
            most=lambda: CHUNK, room=ROOM, within_s=WITHIN_S, is_idle=lambda: not self._to_draw
        )
        self._to_check: Batches[Task] = Batches(most=lambda: crew.check_size, room=ROOM)
        self._checked: Batches[Checked] = Batches(
            most=lambda: CHUNK, room=ROOM, within_s=WITHIN_S, is_idle=self._is_checking_idle
        )
        self._halted: dict[str, Halt] = {}
        # Why checks have come to an end, and with them the run; filled by whoever checks.
        self.halts: Mapping[str, Halt] = {}
        self.is_stopping = False
        self.under_way = 0  # requests that somebody is drawing
        self._to_draw = 0  # keys that were looked up, until they are drawn
        self._in_check = 0  # samples that somebody is checking

    @property
    def halted(self) -> Mapping[str, Halt]:
        """Why drawing or checking ended early, by provider."""
        return {**self._halted, **self.halts}

    def stop(self) -> None:
        """Begin nothing more, and finish what is under way."""
        self.is_stopping = True

    async def run(self, undrawn: Mapping[str, Iterator[SampleKey]], unchecked: Iterable[Sample]) -> None:
        """Draw what is undrawn, by provider, check that and what is unchecked, and keep everything."""
        with ThreadPoolExecutor(1, thread_name_prefix="store") as self._writer:
            try:
                async with asyncio.TaskGroup() as stages:
                    waiting = stages.create_task(self._bring_unchecked(iter(unchecked)))
                    stages.create_task(self._draw_all(undrawn))
                    stages.create_task(self._keep_samples(waiting))
                    stages.create_task(self._check_all())
                    stages.create_task(self._keep_outcomes())
            except BaseExceptionGroup as several:
                raise _first(several) from several
            finally:
                self._rescue()

    def _rescue(self) -> None:
        """Keep the answers that were paid for and not committed, should we have been stopped."""
        if rest := self._drawn.rest():
            self._writer.submit(self._store.add_samples, rest, chunk=_chunk(rest)).result()

    # Each stage closes the way to the next when nothing more comes from it.

    async def _draw_all(self, undrawn: Mapping[str, Iterator[SampleKey]]) -> None:
        async with asyncio.TaskGroup() as pumps:
            for provider, keys in undrawn.items():
                pumps.create_task(self._pump(provider, keys).run())
        await self._drawn.close()

    def _pump(self, provider: str, keys: Iterator[SampleKey]) -> Pump:
        async def refill() -> list[SampleKey]:
            if self._rounds is not None:
                found = await self._rounds.more(provider, is_over=lambda: self._is_over(provider))
            else:
                found = await self._in_store(lambda: list(islice(keys, LOOKED_UP)))
            self._to_draw += len(found)
            return found

        return Pump(
            refill=refill,
            draw=lambda piece: self._draw(provider, piece),
            width=lambda: self._crew.draw_width(provider),
            size=self._crew.draw_size,
            is_over=lambda: self._is_over(provider),
        )

    async def _draw(self, provider: str, piece: Piece) -> None:
        self.under_way += len(piece)
        try:
            drawn = await self._crew.draw([self._requests.of(key) for key in piece])
        finally:
            self.under_way -= len(piece)
            self._to_draw -= len(piece)
        for found in drawn:
            if isinstance(found, Halt):
                self._halted.setdefault(provider, found)
            else:
                await self._drawn.put(found)

    def _is_over(self, provider: str) -> bool:
        """Whether nothing more is to be drawn from a provider; a spent budget is spent for all."""
        is_spent = any(halt.why is Why.BUDGET for halt in self._halted.values())
        return self.is_stopping or bool(self.halts) or is_spent or provider in self._halted

    async def _bring_unchecked(self, samples: Iterator[Sample]) -> None:
        while found := await self._in_store(lambda: list(islice(samples, LOOKED_UP))):
            for sample in found:
                await self._hand_to_check(sample)

    async def _keep_samples(self, waiting: asyncio.Task[None]) -> None:
        async for batch in self._drawn:
            await self._in_store(partial(self._store.add_samples, batch, chunk=_chunk(batch)))
            for sample in batch:
                self._tally.drew(sample)
                await self._hand_to_check(sample)
        await waiting
        await self._to_check.close()

    async def _hand_to_check(self, sample: Sample) -> None:
        case = self._requests.case_of(sample.key)
        if case is not None and not self.is_stopping:
            await self._to_check.put((case, sample))

    async def _check_all(self) -> None:
        async with asyncio.TaskGroup() as workers:
            for _ in range(self._crew.check_width):
                workers.create_task(self._check())
        await self._checked.close()

    async def _check(self) -> None:
        async for tasks in self._to_check:
            if self.is_stopping or self.halts:
                continue  # what is not checked now, a resumed run will check
            self._in_check += len(tasks)
            outcomes = await self._crew.check(tasks)
            self._in_check -= len(tasks)
            for (_, sample), outcome in zip(tasks, outcomes, strict=True):
                await self._checked.put((sample, outcome))

    def _is_checking_idle(self) -> bool:
        """Whether a stop rule waits for outcomes before more is drawn, and nothing else is under way."""
        return self._rounds is not None and not (
            self._to_draw or self._in_check or len(self._drawn) or len(self._to_check)
        )

    async def _keep_outcomes(self) -> None:
        async for batch in self._checked:
            chunk = _chunk([sample for sample, _ in batch])
            await self._in_store(partial(self._store.add_outcomes, batch, chunk=chunk))
            for sample, outcome in batch:
                passed = self._appraiser.of(outcome.facts).passed
                self._tally.saw(sample, outcome, passed=passed)
                if self._rounds is not None:
                    self._rounds.saw(sample.key, passed=passed)

    async def _in_store(self, ask: Callable[[], Found]) -> Found:
        return await asyncio.get_running_loop().run_in_executor(self._writer, ask)


def _chunk(samples: Sequence[Sample]) -> str:
    """Return a name for a chunk: the same for the same samples."""
    return text_digest(repr(list(map(_key, samples))))


def _first(several: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the first error of a group: the others are mostly its consequences."""
    first = several.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
