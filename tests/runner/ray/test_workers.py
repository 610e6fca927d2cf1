"""A run on Ray, the real one, on a cluster of several machines, some of which die."""

import asyncio
import os
import signal
import threading
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import TypeVar

import pytest
from ray.cluster_utils import Cluster

from steelyard.app.report import report_run
from steelyard.errors import UserError
from steelyard.model.case import Expectations
from steelyard.model.classification import Classification
from steelyard.model.price import Price
from steelyard.model.sample import Sample
from steelyard.providers.prices.price_list import PriceList
from steelyard.render.json import JsonReport
from steelyard.runner.draw.budget import Budget
from steelyard.runner.draw.drawer import Halt, Why
from steelyard.runner.draw.retries import Retries
from steelyard.runner.plan import Wishes, planned
from steelyard.runner.ray import workers as ray_crew
from steelyard.runner.ray.workers import OVERDRAWN, RayCrew, WorkerLost
from steelyard.runner.resources import RunSettings, Workshop
from steelyard.runner.session import Ended, begin_run, carry_out
from steelyard.store.run.run_store import open_run
from tests.runner.small_cluster import add_machine, at_work, first, kill, small_cluster
from tests.runner.speaker import CASES, SET, Speaker, requests

SAMPLES = 100
MODELS = ("lab/m", "lab/mm")
EACH = 100_000  # nano-USD that a call may cost at most, by DEAR
DEAR = Price(model="lab/*", input_usd=Decimal(0), output_usd=Decimal(1), max_tokens=100)
Result = TypeVar("Result")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with small_cluster() as started:
        yield started


def carried_out(address: Path, engine: str, *, seconds: float) -> Ended:
    plan = planned(SET, Wishes(models=MODELS, samples=SAMPLES))
    # Few calls at a time, so that the run lasts long enough to be disturbed.
    settings = RunSettings(instead=Speaker(seconds=seconds), engine=engine, max_concurrency=16)
    workshop = Workshop(SET, plan.subjects, settings)
    return carry_out(begin_run(plan, str(address)), SET, workshop, watch=lambda _: None)


def with_crew(
    speaker: Speaker, work: Callable[[RayCrew], Awaitable[Result]], *, budget: Budget | None = None
) -> Result:
    async def done() -> Result:
        prices, retries = PriceList([DEAR]), Retries(most=1, base_s=0.0)
        settings = RunSettings(instead=speaker, prices=prices, retries=retries)
        crew = RayCrew(settings, budget or Budget(None), most={"lab": 8})
        try:
            return await work(crew)
        finally:
            await crew.close()

    return asyncio.run(done())


@pytest.mark.timeout(300)  # Ray takes its time to notice a dead machine, more so on a busy one
def test_workers_and_a_whole_machine_may_die_and_the_run_ends_as_if_they_had_not(
    cluster: Cluster, tmp_path: Path
) -> None:
    local = carried_out(tmp_path / "local", "local", seconds=0.0)
    extra = add_machine(cluster)
    deaths = []

    def disturb() -> None:
        for _ in range(2):
            os.kill(at_work(first(cluster), "draw_piece"), signal.SIGKILL)
            deaths.append("worker")
        at_work(extra, "draw_piece")
        kill(extra)
        deaths.append("machine")

    killer = threading.Thread(target=disturb)
    killer.start()
    disturbed = carried_out(tmp_path / "ray", "ray", seconds=0.05)
    killer.join()
    cluster.remove_node(extra)

    store = open_run(tmp_path / "ray")
    total = len(MODELS) * CASES * SAMPLES
    assert deaths == ["worker", "worker", "machine"]
    assert local.is_complete
    assert disturbed.is_complete
    assert [sum(file.rows for file in table.files()) for table in (store.samples, store.outcomes)] == [
        total
    ] * 2
    assert JsonReport().render(report_run(tmp_path / "ray")) == JsonReport().render(
        report_run(tmp_path / "local")
    )


def test_without_further_tries_the_same_death_is_an_error_that_says_so(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ray_crew, "TRIES", 1)

    def disturb() -> None:
        os.kill(at_work(first(cluster), "draw_piece"), signal.SIGKILL)

    killer = threading.Thread(target=disturb)
    killer.start()
    budget = Budget(100 * EACH)

    with pytest.raises(WorkerLost, match="work was lost, and so were its 1 tries"):
        with_crew(Speaker(seconds=3.0), lambda crew: crew.draw(requests(3)), budget=budget)

    killer.join()
    assert (budget.spent, budget.reserved) == (3 * EACH, 0)  # nobody knows what was paid


def test_a_worker_killed_in_the_middle_of_a_check_costs_another_try(cluster: Cluster) -> None:
    settings = {"regex": "(a+)+$"}  # on this answer it ends by its time limit
    slow = replace(SET.cases[0], timeout_s=2.0, expectations=Expectations(settings=settings))
    sample = Sample(model="lab/m", case="c0", digest="d", attempt=0, text="a" * 40 + "b")

    def disturb() -> None:
        os.kill(at_work(first(cluster), "check_piece"), signal.SIGKILL)

    killer = threading.Thread(target=disturb)
    killer.start()

    [outcome] = with_crew(Speaker(), lambda crew: crew.check([(slow, sample)]))

    killer.join()
    assert outcome.facts.classification is Classification.TIMEOUT


def test_the_budget_is_that_of_the_run_however_many_workers_draw(cluster: Cluster) -> None:
    cost = EACH // 4
    budget = Budget(10 * EACH)

    async def draw(crew: RayCrew) -> list[Sample | Halt]:
        pieces = await asyncio.gather(*(crew.draw(requests(30)) for _ in range(4)))
        return [found for piece in pieces for found in piece]

    found = with_crew(Speaker(cost=cost), draw, budget=budget)

    drawn = [one for one in found if isinstance(one, Sample)]
    assert {one.why for one in found if isinstance(one, Halt)} == {Why.BUDGET}
    assert 10 * EACH - EACH < budget.spent == len(drawn) * cost <= 10 * EACH
    assert budget.reserved == 0


def test_calls_that_are_billed_and_fail_end_the_drawing_before_the_budget_does(cluster: Cluster) -> None:
    budget = Budget(1_000 * EACH)

    found = with_crew(Speaker(fault="cut"), lambda crew: crew.draw(requests(1)), budget=budget)

    [halt] = found
    assert isinstance(halt, Halt)
    assert (str(halt), halt.why) == (OVERDRAWN, Why.PROVIDER)
    assert budget.spent == ray_crew.TRIES * EACH


def test_outcomes_come_in_the_order_of_the_samples_and_a_fatal_fault_as_a_halt(cluster: Cluster) -> None:
    async def checked(crew: RayCrew) -> list[Classification | None]:
        drawn = await crew.draw(requests(4))
        outcomes = await crew.check([(SET.cases[0], one) for one in drawn if isinstance(one, Sample)])
        return [outcome.facts.classification for outcome in outcomes]

    assert with_crew(Speaker(), checked) == [Classification.PASS, Classification.FAIL] * 2

    [halt, _] = with_crew(Speaker(fault="bad_key"), lambda crew: crew.draw(requests(2)))

    assert isinstance(halt, Halt)
    assert (str(halt), halt.why) == ("wrong key", Why.PROVIDER)


def test_what_cannot_be_sent_to_a_worker_is_refused(cluster: Cluster) -> None:
    class Local(Speaker):
        """Known to this function alone."""

    with pytest.raises(UserError, match="cannot be sent to the cluster"):
        with_crew(Local(), lambda crew: crew.draw(requests(1)))
