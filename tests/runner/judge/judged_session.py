"""A small judged run: a model, a judge that rates as a test says, and ways to begin the run and go on."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

from steelyard.model.case import Case, Expectations
from steelyard.model.evalset import EvalSet, JudgePlan, Suite
from steelyard.model.judgement import Judgement
from steelyard.model.progress import RunResult
from steelyard.model.regrade import RegradeResult
from steelyard.model.request import Reply, Request, Usage
from steelyard.model.sample import JUDGE_TIER
from steelyard.runner.plan import RunOptions, RunPlan, plan_run
from steelyard.runner.regrade.plan import plan_regrade
from steelyard.runner.regrade.regrade import regrade
from steelyard.runner.resources import RunResources
from steelyard.runner.resumed_plan import extend_plan
from steelyard.runner.session import begin_run, execute, extend_run
from steelyard.runner.settings import RunSettings
from steelyard.store.run.files import reading
from steelyard.store.run.judgements import judging_of_run
from steelyard.store.run.run_store import RunStore, open_run
from steelyard.store.run.stored_set import read_stored_set
from tests.checks.forms.judge.simulated_judges import Asked, reply
from tests.checks.rubrics import PLAIN

SAMPLES, CASES = 3, 4
PATIENCE = 6_000  # hundredths of a second
ANSWER_COST, JUDGE_COST = 1_000, 70
PLAN = JudgePlan(models=("wise/judge",), rubric=PLAIN)


def case(name: str, language: str = "text") -> Case:
    settings = {"contains": "yes"} if language == "text" else {}
    return Case(id=name, language=language, prompt=name, expectations=Expectations(settings=settings))


SET = EvalSet(
    id="s",
    cases=tuple(case(f"c{number}") for number in range(CASES)),
    suites=(Suite(id="default"),),
    judge=PLAN,
)


class Company:
    """A model whose attempts differ, and a judge; both note what they were asked."""

    def __init__(self, rate: Callable[[Request], object] = lambda _: 0.5) -> None:
        self.answered: list[tuple[str, int]] = []
        self.judged: list[Request] = []
        self.most = self._now = 0
        self._rate = rate
        self.pause_s = 0.0
        self.waits_for = 0  # how many judges must be at work before one answers

    async def generate(self, request: Request) -> Reply:
        key = request.key
        if key.tier != JUDGE_TIER:
            self.answered.append((key.case, key.attempt))
            return Reply(text=f"yes, {key.case} {key.attempt}", cost_nano_usd=ANSWER_COST)
        self._now += 1
        self.most = max(self.most, self._now)
        await self._others()
        await asyncio.sleep(self.pause_s)
        self._now -= 1
        self.judged.append(request)
        text = json.dumps(reply(Asked(request), self._rate(request)))
        return Reply(text=text, usage=Usage(tokens_in=9, tokens_out=3), cost_nano_usd=JUDGE_COST)

    async def _others(self) -> None:
        """Wait until enough judges are at work; a run that asks one after the other waits in vain."""
        for _ in range(PATIENCE):
            if self.most >= self.waits_for:
                return
            await asyncio.sleep(0.01)

    async def close(self) -> None:
        """Nothing is open."""


def carried(store: RunStore, plan: RunPlan, company: Company, **settings: object) -> RunResult:
    made = RunSettings(instead=company, **settings)  # type: ignore[arg-type]  # whatever a test wants
    return execute(
        store, plan.eval_set, RunResources(plan.eval_set, plan.subjects, made), progress=lambda _: None
    )


def began(
    address: Path, company: Company, eval_set: EvalSet = SET, **settings: object
) -> tuple[RunStore, RunResult]:
    plan = plan_run(eval_set, RunOptions(models=("lab/m",), samples=SAMPLES))
    store = begin_run(plan, str(address))
    return store, carried(store, plan, company, **settings)


def went_on(address: Path, company: Company, eval_set: EvalSet = SET, **settings: object) -> RunResult:
    store = open_run(address)
    plan = extend_plan(store.manifest, eval_set, RunOptions())
    extend_run(store.hold(), plan)
    return carried(store, plan, company, **settings)


def regraded(
    address: Path,
    company: Company,
    wanted: EvalSet = SET,
    *,
    every: bool = False,
    allow_errors: bool = False,
    **settings: object,
) -> RegradeResult:
    store = open_run(address).hold()
    planned = plan_regrade(store, wanted, stored=read_stored_set(store.location), every=every)
    made = RunSettings(instead=company, **settings)  # type: ignore[arg-type]  # whatever a test wants
    resources = RunResources(planned.eval_set, (), made)
    return regrade(store, planned, resources, progress=lambda _: None, allow_errors=allow_errors)


def judgements(address: Path) -> list[Judgement]:
    return list(judging_of_run(open_run(address), most=CASES * SAMPLES).sample.values())


def kinds(address: Path) -> list[str]:
    with reading(open_run(address).outcomes) as connection:
        return [kind for (kind,) in connection.execute("SELECT classification FROM rows").fetchall()]
