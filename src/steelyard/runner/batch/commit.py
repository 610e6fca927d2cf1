"""Commit the answers of a batch that has ended, at the batch price."""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from steelyard.model.price import batch_price
from steelyard.model.request import Reply
from steelyard.model.sample import SampleKey
from steelyard.providers.batch.service import PlacedReply
from steelyard.providers.prices.price_list import PriceList
from steelyard.runner.batch_queue import COMMIT_ROWS, chunk_name
from steelyard.runner.draw.calls import Calls
from steelyard.runner.draw.clean import clean_reply
from steelyard.runner.draw.drawer import sample_of
from steelyard.store.run.batches import BatchedRequest, OpenBatch
from steelyard.store.run.run_store import RunStore

Replies = Mapping[int, Reply | None]  # by place; None: it cannot be read


async def parts_of(batch: OpenBatch, replies: AsyncIterator[PlacedReply]) -> AsyncIterator[Replies]:
    """Give replies as they come, as many at a time as are committed at once; never all in memory."""
    part: dict[int, Reply | None] = {}
    async for place, reply in replies:
        if 0 <= place < len(batch.requests):  # else it answers nothing that was asked
            part[place] = reply
        if len(part) == COMMIT_ROWS:
            yield part
            part = {}
    if part:
        yield part


def commit_replies(
    store: RunStore, batch: OpenBatch, replies: Replies, prices: PriceList, calls: Calls
) -> None:
    """Commit the answers that the run lacks and that can be read, and report them.

    A process that was killed in the middle has committed some of them; the others are still lacking.
    """
    moment = datetime.now(UTC)
    answered = {batch.requests[place].key: place for place in sorted(replies)}
    keys = list(answered)
    for start in range(0, len(keys), COMMIT_ROWS):
        lacking = store.uncommitted(keys[start : start + COMMIT_ROWS])
        found = [(batch.requests[answered[key]], replies[answered[key]]) for key in lacking]
        priced = [(one, _priced(batch, one, reply, prices)) for one, reply in found if reply is not None]
        if priced:
            samples = [sample_of(one.key, one[1:], reply, moment) for one, reply in priced]
            store.add_samples(samples, chunk=chunk_name(samples))
        for one, reply in priced:
            calls.answered_in_batch(one.key, reply)


def uncertain_nano_usd(
    batch: OpenBatch, replies: Replies, prices: PriceList, *, most: Callable[[SampleKey], int]
) -> int:
    """Return what a batch may have cost at most besides the answers whose cost is known.

    That of replies that cannot be read or do not say how long they are. `most` is what one costs at most.
    """
    unknown = (
        batch.requests[place].key
        for place, reply in replies.items()
        if reply is None or _priced(batch, batch.requests[place], reply, prices).cost_nano_usd is None
    )
    return sum(map(most, unknown))


def _priced(batch: OpenBatch, request: BatchedRequest, reply: Reply, prices: PriceList) -> Reply:
    """Return a reply as it is kept, with its cost in a batch."""
    clean = clean_reply(reply)
    direct = prices.cost_nano_usd(request.key.model, clean.usage, batch.written_at)
    return replace(clean, cost_nano_usd=None if direct is None else batch_price(direct))
