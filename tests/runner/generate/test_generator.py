"""Generating one answer: faults are repeated where that may help, money is settled, and an end is an end."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from random import Random

import pytest

from steelyard.errors import ProviderError
from steelyard.model.price import Price
from steelyard.model.progress import StopCause
from steelyard.model.request import Parameters, Reply, Request, Usage
from steelyard.model.sample import Sample, SampleKey
from steelyard.providers.limiter import Limiter
from steelyard.providers.prices.price_list import PriceList
from steelyard.runner.generate.budget import Budget
from steelyard.runner.generate.calls import GivenUp
from steelyard.runner.generate.generator import MOST_IN_A_ROW, CallPolicy, Generator, StopGenerating
from steelyard.runner.generate.provider_pool import ProviderPool
from steelyard.runner.generate.retries import Retries
from steelyard.sandbox.process import ProcessSandbox
from tests.patience import until_idle

GOOD = Reply(text="fn main() {}", finish_reason="stop", usage=Usage(tokens_in=10, tokens_out=20))
BUSY = ProviderError("busy", kind="overloaded", may_retry=True)
CUT = ProviderError("cut", kind="cut", may_retry=True, may_be_billed=True)
REJECTED = ProviderError("too long", kind="rejected")
WRONG_KEY = ProviderError("wrong key", kind="bad_key", is_fatal=True)
MILLION = Price(model="lab/*", input_usd=Decimal(1), output_usd=Decimal(1), max_tokens=100)


REQUEST = Request(
    key=SampleKey("lab/m", "T0", "s", "c", "d", 0), prompt="Add.", parameters=Parameters(max_tokens=50)
)


class Script:
    """A provider that says what it was told to say, one after the other."""

    def __init__(self, lines: Sequence[Reply | ProviderError]) -> None:
        self.lines = list(lines)
        self.calls = 0

    async def generate(self, request: Request) -> Reply:
        assert request.prompt
        self.calls += 1
        line = self.lines.pop(0) if len(self.lines) > 1 else self.lines[0]
        if isinstance(line, ProviderError):
            raise line
        return line

    async def close(self) -> None:
        """Nothing is open."""


class Table:
    """A generator at a provider with a script, with the waits noted down instead of waited for."""

    def __init__(self, *lines: Reply | ProviderError, cap: int | None = None, retries: int = 3) -> None:
        self.waits: list[float] = []
        self.script = Script(lines)
        self.budget = Budget(cap)
        pool = ProviderPool({}, ProcessSandbox(allow_unsafe=True), instead=self.script)
        policy = CallPolicy(
            budget=self.budget,
            prices=PriceList([MILLION]),
            retries=Retries(most=retries, random=Random(1)),
        )
        self.generator = Generator(pool, policy, limiters={"lab": Limiter()}, sleep=self._sleep)

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    def generate(self, attempt: int = 0) -> Sample:
        key = SampleKey("lab/m", "T0", "s", "c", "d", attempt)
        request = Request(key=key, prompt="Add.", parameters=Parameters(max_tokens=50))
        return asyncio.run(self.generator.generate_one(request))


def test_an_answer_comes_with_its_tokens_and_its_price() -> None:
    sample = Table(GOOD).generate()

    assert (sample.text, sample.finish_reason, sample.error) == ("fn main() {}", "stop", None)
    assert (sample.tokens_in, sample.tokens_out, sample.cost_nano_usd) == (10, 20, 30_000)
    assert sample.prompt_digest
    assert sample.parameters_digest


def test_what_the_provider_says_that_it_cost_is_believed() -> None:
    assert Table(Reply(text="x", cost_nano_usd=5)).generate().cost_nano_usd == 5


def test_a_fault_that_may_pass_is_waited_out() -> None:
    table = Table(BUSY, BUSY, GOOD)

    sample = table.generate()

    assert (sample.error, table.script.calls, len(table.waits)) == (None, 3, 2)


def test_what_an_agent_asked_for_in_every_try_is_kept() -> None:
    failed = ProviderError("75", kind="agent_failed", may_retry=True, egress='[{"host":"first.example"}]')
    good = replace(GOOD, egress='[{"host":"second.example"}]')

    assert Table(failed, good).generate().egress == '[{"host":"first.example"},{"host":"second.example"}]'
    given_up = Table(failed, retries=1).generate().egress
    assert given_up == '[{"host":"first.example"},{"host":"first.example"}]'


def test_retries_end_and_the_sample_says_why() -> None:
    table = Table(BUSY, retries=2)

    sample = table.generate()

    assert sample.error == "overloaded: busy (3 attempts)"
    assert (sample.text, sample.cost_nano_usd, table.budget.spent) == ("", None, 0)


def test_a_fault_that_will_not_pass_is_not_repeated() -> None:
    table = Table(REJECTED)

    assert table.generate().error == "rejected: too long"
    assert table.script.calls == 1


def test_a_call_that_may_be_billed_counts_with_all_that_was_set_aside() -> None:
    table = Table(CUT, GOOD, cap=10**9)

    table.generate()

    max_cost = table.budget.spent - 30_000
    assert max_cost > 50_000  # the prompt and fifty tokens of answer


def test_a_wrong_key_ends_it_for_the_provider_and_leaves_the_sample_pending() -> None:
    with pytest.raises(StopGenerating, match="wrong key") as halt:
        Table(WRONG_KEY).generate()

    assert halt.value.cause is StopCause.PROVIDER


def test_a_provider_that_only_fails_is_asked_no_more() -> None:
    table = Table(REJECTED)
    for attempt in range(MOST_IN_A_ROW - 1):
        table.generate(attempt)

    with pytest.raises(StopGenerating, match=f"the last {MOST_IN_A_ROW} answers all failed"):
        table.generate(MOST_IN_A_ROW)


def test_one_answer_in_between_shows_that_the_provider_is_there() -> None:
    table = Table(*[REJECTED] * (MOST_IN_A_ROW - 1), GOOD, REJECTED)

    samples = [table.generate(attempt) for attempt in range(MOST_IN_A_ROW + 5)]

    assert [sample.error is None for sample in samples].count(True) == 1


def test_an_answer_that_might_cost_too_much_is_not_asked_for() -> None:
    table = Table(GOOD, cap=1_000)

    with pytest.raises(StopGenerating, match="budget") as halt:
        table.generate()

    assert (halt.value.cause, table.script.calls) == (StopCause.BUDGET, 0)


def test_money_that_calls_in_flight_do_not_need_is_waited_for() -> None:
    table = Table(GOOD, cap=10**6)
    held = table.budget.reserve(10**6)
    assert held is not None

    async def settle(_: float) -> None:
        held.settle(1_000)

    table.generator._sleep = settle  # the moment in which the other call comes back

    assert table.generate().error is None
    assert table.budget.spent == 31_000


@pytest.mark.parametrize("name", [7, 1.5, ["a"], {"b": 1}])
def test_a_name_that_is_no_text_costs_no_answer(name: object) -> None:
    sample = Table(Reply(text="yes", request_id=name, finish_reason=name)).generate()  # type: ignore[arg-type]  # as sent

    assert (sample.text, sample.request_id, sample.finish_reason) == ("yes", str(name), str(name))


def test_a_reply_that_cannot_be_kept_is_an_error_of_its_call_and_may_be_billed() -> None:
    table = Table(Reply(text=5), cap=10**9)  # type: ignore[arg-type]  # as a provider of the user's may do

    assert str(table.generate().error).startswith("unexpected: unexpected error in the provider")
    assert table.budget.spent > 0


def test_a_provider_that_wants_to_be_left_alone_for_an_hour_is_not_waited_for() -> None:
    quota = ProviderError("no more today", kind="rate_limited", may_retry=True, retry_after_s=3600.0)
    table = Table(quota)

    with pytest.raises(StopGenerating, match=r"60.*today") as halt:
        table.generate()

    assert (halt.value.cause, table.script.calls, table.waits) == (StopCause.PROVIDER, 1, [])


def given_up(table: Table, *, begun: int) -> None:
    """Begin to generate, end the waiting, twice as a user may, and see that no further call begins."""

    async def generating() -> None:
        table.generator._sleep = asyncio.sleep
        task = asyncio.create_task(table.generator.generate_one(REQUEST))
        await until_idle()
        table.generator.end_waiting(lambda provider: provider == "another")
        await until_idle()
        assert not task.done()
        table.generator.end_waiting(lambda provider: provider == "lab")
        table.generator.end_waiting(lambda provider: provider == "lab")
        with pytest.raises(GivenUp):
            await asyncio.wait_for(task, 60)

    asyncio.run(generating())
    assert table.script.calls == begun


def test_a_stop_ends_the_wait_for_the_next_try() -> None:
    busy = ProviderError("busy", kind="overloaded", may_retry=True, retry_after_s=600.0)

    given_up(Table(busy, GOOD), begun=1)


def test_a_stop_ends_the_wait_for_money() -> None:
    table = Table(GOOD, cap=10**6)
    assert table.budget.reserve(10**6) is not None

    given_up(table, begun=0)


def test_a_stop_ends_the_wait_for_a_slot_and_leaves_it_to_others() -> None:
    table, limiter = Table(GOOD), Limiter(most=1)
    table.generator._limiters = {"lab": limiter}

    async def generating() -> None:
        async with limiter.slot():
            waiting = asyncio.create_task(table.generator.generate_one(REQUEST))
            await until_idle()
            table.generator.end_waiting(lambda _: True)
            with pytest.raises(GivenUp):
                await asyncio.wait_for(waiting, 60)
        assert (await table.generator.generate_one(REQUEST)).text == GOOD.text

    asyncio.run(generating())
    assert (table.script.calls, limiter.in_flight) == (1, 0)


def test_a_call_that_has_begun_is_not_given_up() -> None:
    table = Table(GOOD)
    ended = asyncio.Event()

    async def slow(request: Request) -> Reply:
        assert request is REQUEST
        await ended.wait()
        return GOOD

    async def generating() -> Sample:
        table.script.generate = slow  # type: ignore[method-assign]  # a provider that takes its time
        task = asyncio.create_task(table.generator.generate_one(REQUEST))
        await until_idle()
        table.generator.end_waiting(lambda _: True)
        await until_idle()
        ended.set()
        return await task

    assert asyncio.run(generating()).text == GOOD.text


def test_whoever_cancels_a_waiting_call_sees_it_cancelled() -> None:
    table = Table(ProviderError("busy", kind="overloaded", may_retry=True, retry_after_s=600.0))

    async def generating() -> None:
        table.generator._sleep = asyncio.sleep
        task = asyncio.create_task(table.generator.generate_one(REQUEST))
        await until_idle()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(generating())
