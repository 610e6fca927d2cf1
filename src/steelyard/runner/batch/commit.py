"""Commit the answers of a batch that has ended, at the batch price."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from steelyard.model.price import batch_price
from steelyard.model.request import Reply
from steelyard.model.sample import Sample
from steelyard.providers.prices.price_list import PriceList
from steelyard.runner.batch_queue import COMMIT_ROWS, chunk_name
from steelyard.runner.draw.clean import clean_reply
from steelyard.runner.draw.drawer import sample_of
from steelyard.store.run.batches import OpenBatch
from steelyard.store.run.run_store import RunStore


def commit_replies(store: RunStore, batch: OpenBatch, replies: Mapping[int, Reply], prices: PriceList) -> int:
    """Commit the answers that the run lacks, and return how many requests were answered.

    A process that was killed in the middle has committed some of them; the others are still lacking.
    """
    moment = datetime.now(UTC)
    answered = {one.key: place for place, one in enumerate(batch.requests) if place in replies}
    keys = list(answered)
    for start in range(0, len(keys), COMMIT_ROWS):
        lacking = store.uncommitted(keys[start : start + COMMIT_ROWS])
        samples = [_sample(batch, answered[key], replies[answered[key]], prices, moment) for key in lacking]
        if samples:
            store.add_samples(samples, chunk=chunk_name(samples))
    return len(answered)


def _sample(batch: OpenBatch, place: int, reply: Reply, prices: PriceList, moment: datetime) -> Sample:
    request, clean = batch.requests[place], clean_reply(reply)
    direct = prices.cost_nano_usd(request.key.model, clean.usage, batch.written_at)
    cost = None if direct is None else batch_price(direct)
    digests = (request.prompt_digest, request.parameters_digest)
    return sample_of(request.key, digests, replace(clean, cost_nano_usd=cost), moment)
