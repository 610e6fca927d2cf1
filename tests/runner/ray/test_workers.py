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
from steelyard.model.outcome import Classification
from steelyard.model.price import Price
from steelyard.model.progress import RunResult, StopCause
from steelyard.model.sample import Sample
from steelyard.providers.prices.price_list import PriceList
from steelyard.render.json import JsonRenderer
from steelyard.runner.draw.budget import Budget
from steelyard.runner.draw.drawer import StopDrawing
from steelyard.runner.draw.retries import Retries
from steelyard.runner.plan import RunOptions, plan_run
from steelyard.runner.ray import tasks as ray_tasks
from steelyard.runner.ray.draw_workers import OVERDRAWN
from steelyard.runner.ray.tasks import WorkerLost
from steelyard.runner.ray.workers import workers_of
from steelyard.runner.resources import RunResources
from steelyard.runner.session import begin_run, execute
from steelyard.runner.settings import RunSettings
from steelyard.runner.workers import Workers
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


def carried_out(address: Path, engine: str, *, seconds: float) -> RunResult:
    plan = plan_run(SET, RunOptions(models=MODELS, samples=SAMPLES))
    # Few calls at a time, so that the run lasts long enough to be disturbed.
    settings = RunSettings(instead=Speaker(seconds=seconds), engine=engine, max_concurrency=16)
    resources = RunResources(SET, plan.subjects, settings)
    return execute(begin_run(plan, str(address)), SET, resources, progress=lambda _: None)


def with_workers(
    speaker: Speaker, work: Callable[[Workers], Awaitable[Result]], *, budget: Budget | None = None
) -> Result:
    async def done() -> Result:
        prices, retries = PriceList([DEAR]), Retries(most=1, base_s=0.0)
        settings = RunSettings(instead=speaker, prices=prices, retries=retries)
        workers = workers_of(settings, budget or Budget(None), calls={"lab": 8})
        try:
            return await work(workers)
        finally:
            await workers.check.close()
            await workers.draw.close()

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
            os.kill(at_work(first(cluster), "draw_batch"), signal.SIGKILL)
            deaths.append("worker")
        at_work(extra, "draw_batch")
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
    assert JsonRenderer().render(report_run(tmp_path / "ray")) == JsonRenderer().render(
        report_run(tmp_path / "local")
    )


def test_without_further_tries_the_same_death_is_an_error_that_says_so(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ray_tasks, "TRIES", 1)

    def disturb() -> None:
        os.kill(at_work(first(cluster), "draw_batch"), signal.SIGKILL)

    killer = threading.Thread(target=disturb)
    killer.start()
    budget = Budget(100 * EACH)

    with pytest.raises(WorkerLost, match="work was lost, and so were its 1 tries"):
        with_workers(Speaker(seconds=3.0), lambda workers: workers.draw.draw(requests(3)), budget=budget)

    killer.join()
    assert (budget.spent, budget.reserved) == (3 * EACH, 0)  # nobody knows what was paid


def test_a_worker_killed_in_the_middle_of_a_check_costs_another_try(cluster: Cluster) -> None:
    settings = {"regex": "(a|aa)+$"}  # on this answer it ends by its time limit
    slow = replace(SET.cases[0], timeout_s=2.0, expectations=Expectations(settings=settings))
    sample = Sample(model="lab/m", case="c0", digest="d", attempt=0, text="a" * 80 + "b")

    def disturb() -> None:
        os.kill(at_work(first(cluster), "check_batch"), signal.SIGKILL)

    killer = threading.Thread(target=disturb)
    killer.start()

    [outcome] = with_workers(Speaker(), lambda workers: workers.check.check([(slow, sample)]))

    killer.join()
    assert outcome.facts.classification is Classification.TIMEOUT


def test_the_budget_is_that_of_the_run_however_many_workers_draw(cluster: Cluster) -> None:
    cost = EACH // 4
    budget = Budget(10 * EACH)

    async def draw(workers: Workers) -> list[Sample | StopDrawing]:
        pieces = await asyncio.gather(*(workers.draw.draw(requests(30)) for _ in range(4)))
        return [found for piece in pieces for found in piece]

    found = with_workers(Speaker(cost=cost), draw, budget=budget)

    drawn = [one for one in found if isinstance(one, Sample)]
    assert {one.cause for one in found if isinstance(one, StopDrawing)} == {StopCause.BUDGET}
    assert 10 * EACH - EACH < budget.spent == len(drawn) * cost <= 10 * EACH
    assert budget.reserved == 0


def test_calls_that_are_billed_and_fail_end_the_drawing_before_the_budget_does(cluster: Cluster) -> None:
    budget = Budget(1_000 * EACH)

    found = with_workers(Speaker(fault="cut"), lambda workers: workers.draw.draw(requests(1)), budget=budget)

    [halt] = found
    assert isinstance(halt, StopDrawing)
    assert (str(halt), halt.cause) == (OVERDRAWN, StopCause.PROVIDER)
    assert budget.spent == ray_tasks.TRIES * EACH


def test_outcomes_come_in_the_order_of_the_samples_and_a_fatal_fault_as_a_halt(cluster: Cluster) -> None:
    async def checked(workers: Workers) -> list[Classification | None]:
        drawn = await workers.draw.draw(requests(4))
        outcomes = await workers.check.check(
            [(SET.cases[0], one) for one in drawn if isinstance(one, Sample)]
        )
        return [outcome.facts.classification for outcome in outcomes]

    assert with_workers(Speaker(), checked) == [Classification.PASS, Classification.FAIL] * 2

    [halt, _] = with_workers(Speaker(fault="bad_key"), lambda workers: workers.draw.draw(requests(2)))

    assert isinstance(halt, StopDrawing)
    assert (str(halt), halt.cause) == ("wrong key", StopCause.PROVIDER)


def test_what_cannot_be_sent_to_a_worker_is_refused(cluster: Cluster) -> None:
    class Local(Speaker):
        """Known to this function alone."""

    with pytest.raises(UserError, match="cannot be sent to the cluster"):
        with_workers(Local(), lambda workers: workers.draw.draw(requests(1)))
