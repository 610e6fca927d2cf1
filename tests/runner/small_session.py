"""A small set, a provider that answers by a function, and sessions that generate from it."""

import asyncio
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

from steelyard.model.case import Case, Expectations
from steelyard.model.evalset import EvalSet, Suite
from steelyard.model.price import Price
from steelyard.model.progress import RunResult
from steelyard.model.request import Reply, Request
from steelyard.providers.prices.price_list import PriceList
from steelyard.runner.plan import RunOptions, RunPlan, plan_run
from steelyard.runner.resources import RunResources
from steelyard.runner.resumed_plan import extend_plan
from steelyard.runner.session import begin_run, execute, extend_run
from steelyard.runner.settings import RunSettings
from steelyard.store.run.run_store import RunStore, open_run

SAMPLES = 5


def case(name: str, exact: str = "yes") -> Case:
    return Case(id=name, language="text", prompt=name, expectations=Expectations(settings={"exact": exact}))


SET = EvalSet(id="s", cases=tuple(case(f"c{number}") for number in range(8)), suites=(Suite(id="default"),))
TOTAL = SAMPLES * len(SET.cases)

PRICED = PriceList([Price(model="lab/*", input_usd=Decimal(1), output_usd=Decimal(1))])


class Voice:
    """A provider that answers by a function of the request, and notes what it was asked."""

    def __init__(
        self, say: Callable[[Request], str] = lambda _: "yes", *, pause_s: float = 0.0, cost: int = 1_000
    ) -> None:
        self.asked: list[tuple[str, int]] = []
        self._cost = cost
        self._say = say
        self._pause_s = pause_s

    async def generate(self, request: Request) -> Reply:
        self.asked.append((request.key.case, request.key.attempt))
        await asyncio.sleep(self._pause_s)
        return Reply(text=self._say(request), cost_nano_usd=self._cost)

    async def close(self) -> None:
        """Nothing is open."""


def plan_of(eval_set: EvalSet = SET) -> RunPlan:
    return plan_run(eval_set, RunOptions(models=("lab/m",), samples=SAMPLES))


def resources(voice: Voice, plan: RunPlan, **settings: object) -> RunResources:
    return RunResources(
        plan.eval_set,
        plan.subjects,
        RunSettings(instead=voice, **settings),  # type: ignore[arg-type]  # whatever a test wants
    )


def went_on(
    address: Path,
    voice: Voice,
    eval_set: EvalSet = SET,
    wishes: RunOptions | None = None,
    **settings: object,
) -> RunResult:
    store = open_run(address)
    plan = extend_plan(store.manifest, eval_set, wishes or RunOptions())
    extend_run(store.hold(), plan)
    return execute(store, eval_set, resources(voice, plan, **settings), progress=lambda _: None)


def began(
    address: Path, voice: Voice, eval_set: EvalSet = SET, **settings: object
) -> tuple[RunStore, RunResult]:
    plan = plan_of(eval_set)
    store = begin_run(plan, str(address))
    return store, execute(store, eval_set, resources(voice, plan, **settings), progress=lambda _: None)
