"""Who leaves at once ends the processes that were started meanwhile, and no others."""

import asyncio
import subprocess

from steelyard.runner.shutdown import children, close_all, kill_children
from tests.patience import wait_until
from tests.sandbox.traces import descendants

SLEEP = ("sleep", "600")


def test_children_that_were_there_before_are_kept_and_grandchildren_end_with_the_others() -> None:
    kept = subprocess.Popen(SLEEP)
    before = children()
    started = subprocess.Popen(["sh", "-c", "sleep 600 & wait"], stdout=subprocess.PIPE)
    assert started.stdout is not None
    wait_until(lambda: len(descendants(started.pid)) == 1)

    kill_children(before)

    started.stdout.read()  # ends when the grandchild, which holds the other end, has ended
    started.stdout.close()
    assert started.wait(60) == -9
    assert kept.poll() is None
    kept.kill()
    kept.wait()


def test_nobody_waits_for_a_child_that_has_long_to_go() -> None:
    async def left() -> None:
        before = children()

        async def child() -> None:
            await asyncio.to_thread(subprocess.run, SLEEP, check=False)

        async def quick() -> None:
            """Have nothing to do."""

        await close_all((child(), quick()), at_once=True, kept=before)
        assert children() <= before

    asyncio.run(left())


def test_who_has_time_waits() -> None:
    seen = []

    async def last() -> None:
        await asyncio.sleep(0.01)
        seen.append("closed")

    asyncio.run(close_all((last(),), at_once=False, kept=frozenset()))

    assert seen == ["closed"]
