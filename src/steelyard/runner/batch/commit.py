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
from steelyard.runner.generate.calls import Calls
from steelyard.runner.generate.clean import clean_reply
from steelyard.runner.generate.generator import sample_of
from steelyard.store.run.batches import BatchedRequest, OpenBatch
from steelyard.store.run.run_store import RunStore

Replies = Mapping[int, Reply | None]  # by place; None: it cannot be read


async def parts_of(batch: OpenBatch, replies: AsyncIterator[PlacedReply]) -> AsyncIterator[Replies]:
    """Yield replies in chunks of one commit, to bound memory."""
    part: dict[int, Reply | None] = {}
    async for index, reply in replies:
        if 0 <= index < len(batch.requests):  # otherwise it belongs to no request
            part[index] = reply
        if len(part) == COMMIT_ROWS:
            yield part
            part = {}
    if part:
        yield part


def commit_replies(
    store: RunStore, batch: OpenBatch, replies: Replies, prices: PriceList, calls: Calls
) -> None:
    """Commit the readable answers that the run lacks, and report them.

    Answers committed before a crash are skipped.
    """
    moment = datetime.now(UTC)
    answered = {batch.requests[index].key: index for index in sorted(replies)}
    keys = list(answered)
    for start in range(0, len(keys), COMMIT_ROWS):
        lacking = store.uncommitted(keys[start : start + COMMIT_ROWS])
        answers = [(batch.requests[answered[key]], replies[answered[key]]) for key in lacking]
        priced = [
            (request, _price_reply(batch, request, reply, prices))
            for request, reply in answers
            if reply is not None
        ]
        if priced:
            samples = [sample_of(request.key, request[1:], reply, moment) for request, reply in priced]
            store.add_samples(samples, chunk=chunk_name(samples))
        for entry, reply in priced:
            calls.answered_in_batch(entry.key, reply)


def uncertain_nano_usd(
    batch: OpenBatch, replies: Replies, prices: PriceList, *, most: Callable[[SampleKey], int]
) -> int:
    """Return an upper bound of the cost of replies without a known cost.

    These are unreadable or lack token counts. `most` bounds the cost of one reply.
    """
    unknown = (
        batch.requests[index].key
        for index, reply in replies.items()
        if reply is None or _price_reply(batch, batch.requests[index], reply, prices).cost_nano_usd is None
    )
    return sum(map(most, unknown))


def _price_reply(batch: OpenBatch, request: BatchedRequest, reply: Reply, prices: PriceList) -> Reply:
    """Return the reply with its cost at the batch price."""
    clean = clean_reply(reply)
    direct = prices.cost_nano_usd(request.key.model, clean.usage, batch.written_at)
    return replace(clean, cost_nano_usd=None if direct is None else batch_price(direct))
