"""A queue is read in batches: full ones under load, small ones soon otherwise, and nothing is lost."""

import asyncio

from steelyard.runner.batch_queue import BatchQueue
from tests.patience import until_idle


async def taken(batches: BatchQueue[int]) -> list[list[int]]:
    return [batch async for batch in batches]


async def passed_through(count: int, *, most: int, takers: int = 1) -> list[list[list[int]]]:
    batches: BatchQueue[int] = BatchQueue(size=lambda: most, capacity=3 * most, within_s=5.0)
    taking = [asyncio.create_task(taken(batches)) for _ in range(takers)]
    for number in range(count):
        await batches.put(number)
    await batches.close()
    return list(await asyncio.gather(*taking))


def test_what_comes_fast_comes_in_full_batches_and_in_order() -> None:
    [batches] = asyncio.run(passed_through(25, most=10))

    assert batches == [list(range(10)), list(range(10, 20)), list(range(20, 25))]


def test_several_takers_share_everything_between_them() -> None:
    shares = asyncio.run(passed_through(1_000, most=7, takers=5))

    assert sorted(number for share in shares for batch in share for number in batch) == list(range(1_000))


def test_nothing_to_come_means_nothing_to_take() -> None:
    assert asyncio.run(passed_through(0, most=10)) == [[]]


def test_a_lonely_item_is_given_out_after_a_while() -> None:
    async def lonely() -> list[int]:
        batches: BatchQueue[int] = BatchQueue(size=lambda: 10, capacity=30, within_s=0.01)
        await batches.put(1)
        return await asyncio.wait_for(anext(aiter(batches)), timeout=60)

    assert asyncio.run(lonely()) == [1]


def test_an_item_waits_for_no_company_when_nothing_else_is_on_its_way() -> None:
    async def last_of_all() -> list[int]:
        on_their_way = 2
        batches: BatchQueue[int] = BatchQueue(
            size=lambda: 10, capacity=30, within_s=60.0, is_idle=lambda: not on_their_way
        )
        taking = asyncio.ensure_future(anext(aiter(batches)))
        for number in (1, 2):
            await asyncio.sleep(0)
            on_their_way -= 1
            await batches.put(number)
        return await asyncio.wait_for(taking, timeout=60)

    assert asyncio.run(last_of_all()) == [1, 2]


def test_who_brings_too_many_waits_until_somebody_takes() -> None:
    async def crowded() -> tuple[bool, list[int]]:
        batches: BatchQueue[int] = BatchQueue(size=lambda: 2, capacity=2)
        for number in (1, 2):
            await batches.put(number)
        third = asyncio.create_task(batches.put(3))
        await until_idle()
        had_to_wait = not third.done()
        first = await anext(aiter(batches))
        await third
        return had_to_wait, first + batches.drain()

    assert asyncio.run(crowded()) == (True, [1, 2, 3])


def test_items_of_cancelled_tasks_can_still_be_taken() -> None:
    """A reader that waits for a full batch holds an item, and a writer that waits for room holds another."""

    async def cancelled() -> list[int]:
        batches: BatchQueue[int] = BatchQueue(size=lambda: 10, capacity=1, within_s=60.0)
        reader = asyncio.ensure_future(anext(aiter(batches)))
        await batches.put(1)
        await until_idle()
        reader.cancel()
        await asyncio.wait([reader])
        await batches.put(2)
        writer = asyncio.create_task(batches.put(3))
        await until_idle()
        writer.cancel()
        await asyncio.wait([writer])
        return batches.drain()

    assert sorted(asyncio.run(cancelled())) == [1, 2, 3]
