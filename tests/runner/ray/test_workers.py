"""A run on Ray, the real one, on a cluster of several machines, some of which die."""

import asyncio
import os
import signal
import threading
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from ray.cluster_utils import Cluster

import steelyard
from steelyard.app.report import report_run
from steelyard.errors import ProviderError
from steelyard.model.call import CallRecord
from steelyard.model.case import Expectations
from steelyard.model.outcome import Classification
from steelyard.model.progress import RunResult
from steelyard.model.sample import Sample
from steelyard.render.json import JsonRenderer
from steelyard.runner.generate.budget import Budget
from steelyard.runner.generate.retries import Retries
from steelyard.runner.plan import RunOptions, plan_run
from steelyard.runner.ray.workers import ray_workers
from steelyard.runner.resources import RunResources, Workers
from steelyard.runner.session import begin_run, execute
from steelyard.runner.settings import RunSettings
from tests.providers.agents import request_for, settings_for
from tests.runner.small_cluster import add_machine, at_work, first, kill, small_cluster
from tests.runner.speaker import CASES, SET, Speaker

ODD = "import sys, time; time.sleep(0.5); print(int(sys.stdin.read()[0]) % 2, end='')"
Result = TypeVar("Result")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with small_cluster() as started:
        yield started


def run_to_end(
    address: Path, settings: RunSettings, model: str, *, samples: int, calls: list[CallRecord] | None = None
) -> RunResult:
    plan = plan_run(SET, RunOptions(models=(model,), samples=samples))
    observe = (lambda _: None) if calls is None else calls.append
    resources = RunResources(SET, plan.subjects, settings, observe_call=observe)
    return execute(begin_run(plan, str(address)), SET, resources, progress=lambda _: None)


def with_workers(settings: RunSettings, work: Callable[[Workers], Awaitable[Result]]) -> Result:
    resources = RunResources(SET, plan_run(SET, RunOptions(models=("agent/m",))).subjects, settings)

    async def done() -> Result:
        workers = ray_workers(resources, resources.limiters(), Budget(None))
        try:
            return await work(workers)
        finally:
            await workers.check.close()
            await resources.pool.close()

    return asyncio.run(done())


def agent(source: str, *, retries: int = 5) -> RunSettings:
    """Return the settings of a run on Ray whose agent is a script."""
    providers = {"agent": settings_for(source)}
    return RunSettings(engine="ray", providers=providers, retries=Retries(most=retries, base_s=0.01))


def kill_one(cluster: Cluster, function: str) -> threading.Thread:
    """Kill a worker that is in the middle of a function, as soon as there is one."""
    killer = threading.Thread(
        target=lambda: os.kill(at_work(first(cluster), function), signal.SIGKILL), daemon=True
    )
    killer.start()
    return killer


@pytest.mark.timeout(900)  # Ray takes its time to notice a dead machine, more so on a busy one
def test_workers_and_a_whole_machine_may_die_and_the_agents_run_ends_as_if_they_had_not(
    cluster: Cluster, tmp_path: Path
) -> None:
    extra = add_machine(cluster)
    deaths = []

    def disturb() -> None:
        for _ in range(2):
            os.kill(at_work(first(cluster), "call_agent"), signal.SIGKILL)
            deaths.append("worker")
        at_work(extra, "call_agent")
        kill(extra)
        deaths.append("machine")

    killer = threading.Thread(target=disturb, daemon=True)
    killer.start()
    result = run_to_end(tmp_path / "run", agent(ODD), "agent/m", samples=6)
    killer.join()
    cluster.remove_node(extra)

    rows = steelyard.open_run(tmp_path / "run").sql("SELECT case_id, text FROM samples")
    assert deaths == ["worker", "worker", "machine"]
    assert result.is_complete
    assert not result.progress.total.errors
    assert sorted((row["case_id"], row["text"]) for row in rows) == [
        (f"c{number}", str(number % 2)) for number in range(CASES) for _ in range(6)
    ]


def test_models_are_called_by_the_driver_and_the_report_is_that_of_a_local_run(
    cluster: Cluster, tmp_path: Path
) -> None:
    calls: list[CallRecord] = []
    settings = RunSettings(instead=Speaker(), engine="ray")

    result = run_to_end(tmp_path / "ray", settings, "lab/m", samples=20, calls=calls)
    run_to_end(tmp_path / "local", replace(settings, engine="local"), "lab/m", samples=20)

    assert result.is_complete
    assert len(calls) == 20 * CASES
    assert JsonRenderer().render(report_run(tmp_path / "ray")) == JsonRenderer().render(
        report_run(tmp_path / "local")
    )


def test_an_agent_that_is_lost_may_have_cost_money(cluster: Cluster) -> None:
    killer = kill_one(cluster, "call_agent")

    with pytest.raises(ProviderError, match=r"work.*lost") as raised:
        with_workers(
            agent("import time; time.sleep(60)", retries=0), lambda w: w.generate.call(request_for())
        )

    killer.join()
    assert (raised.value.kind, raised.value.may_be_billed) == ("worker_lost", True)


def test_the_error_of_an_agent_comes_back_as_it_was_raised(cluster: Cluster) -> None:
    with pytest.raises(ProviderError) as raised:
        with_workers(agent("raise SystemExit(3)", retries=0), lambda w: w.generate.call(request_for()))

    assert raised.value.kind == "agent_failed"


@pytest.mark.check_all
def test_a_worker_killed_in_the_middle_of_a_check_costs_another_try(cluster: Cluster) -> None:
    settings = {"regex": "(a|aa)+$"}  # on this answer it ends by its time limit
    slow = replace(SET.cases[0], timeout_s=2.0, expectations=Expectations(settings=settings))
    sample = Sample(model="lab/m", case="c0", digest="d", attempt=0, text="a" * 80 + "b")
    killer = kill_one(cluster, "check_batch")

    [outcome] = with_workers(agent(ODD), lambda workers: workers.check.check([(slow, sample)]))

    killer.join()
    assert outcome.facts.classification is Classification.TIMEOUT
