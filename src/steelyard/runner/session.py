"""Begin a run, or go on with one, and see it through to its end or to the reason why it stopped."""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from secrets import token_bytes

from steelyard.metrics.stopping import stop_rule_of
from steelyard.model.evalset import EvalSet
from steelyard.model.run import Manifest, Subject
from steelyard.model.sample import SampleKey
from steelyard.model.version import GENERATOR
from steelyard.providers.limiter import Limiter
from steelyard.runner.draw.budget import Budget
from steelyard.runner.draw.drawer import Drawer, Halt, Terms
from steelyard.runner.draw.unbillable_spend import Unanswered
from steelyard.runner.judge.judging import JudgesDesk, JudgingCrew
from steelyard.runner.judge.replies import JudgeReplies, JudgeTally
from steelyard.runner.pipeline import Runner
from steelyard.runner.plan import Requests, RunPlan
from steelyard.runner.resources import Workshop
from steelyard.runner.shutdown import children, close_all
from steelyard.runner.stop_rule_scheduler import Rounds
from steelyard.runner.tally import SubjectTally, Tally
from steelyard.runner.workers import Crew
from steelyard.store.run.origin import host_facts, run_id, tool_versions
from steelyard.store.run.replies import ReplyFiles
from steelyard.store.run.run_store import RunStore, create_run

WATCH_S = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What whoever looks on may see while a run goes on."""

    tally: Tally
    budget: Budget
    limiters: Mapping[str, Limiter]
    runner: Runner
    judges: JudgeTally | None = None  # what judging took; None: nobody judges

    @property
    def is_stopping(self) -> bool:
        """Whether the user has asked to stop, and only what is under way is finished."""
        return self.runner.is_stopping

    @property
    def under_way(self) -> int:
        """How many answers are being drawn."""
        return self.runner.under_way


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a run, or this part of it, ended."""

    progress: Progress
    halted: Mapping[str, Halt]  # why a provider was asked no more
    was_stopped: bool  # by the user

    @property
    def is_complete(self) -> bool:
        """Whether everything that was planned has been tried; our own errors are counted apart."""
        return not self.halted and not self.was_stopped


Watch = Callable[[Progress], None]


def begin_run(plan: RunPlan, address: str | None, *, root: str = "runs") -> RunStore:
    """Make the store of a new run, with its eval set in it; without an address, below a root by its id."""
    moment = datetime.now(UTC)
    manifest = Manifest(
        id=run_id(moment, token_bytes(4)),
        created_at=moment.isoformat(timespec="seconds"),
        generator=GENERATOR,
        scoring=plan.scoring,
        subjects=plan.subjects,
        cases=plan.cases,
        planned_samples=plan.samples,
        stop_rule=plan.stop_rule,
        suite_weights=plan.eval_set.suite_weights,
        eval_set=plan.eval_set.id,
        eval_set_digest=plan.eval_set.digest,
        seed=plan.eval_set.sampling.seed,
        tools=tool_versions(),
        host=host_facts(),
        judges=None if plan.eval_set.judge is None else plan.eval_set.judge.record,
    )
    return create_run(address or f"{root.rstrip('/')}/{manifest.id}", manifest, plan.eval_set)


def grow_run(store: RunStore, plan: RunPlan) -> None:
    """Plan more for a run that is held for writing: what it has stays, and changed cases count anew."""
    store.extend(
        subjects=plan.subjects,
        cases=plan.cases,
        planned_samples=plan.samples,
        eval_set=plan.eval_set,
    )


def carry_out(store: RunStore, eval_set: EvalSet, workshop: Workshop, *, watch: Watch) -> Ended:
    """Draw and check what is left of a run that is held for writing; put it in order when nothing is left.

    What ended in our own error is tried again. Ctrl-C once finishes what is under way, twice stops.
    """
    store.forget_errors()
    ended = asyncio.run(_carried_out(store, eval_set, workshop, watch))
    if ended.is_complete:
        store.finish()
        ReplyFiles(store.place).tidy()
    return ended


async def _carried_out(store: RunStore, eval_set: EvalSet, workshop: Workshop, watch: Watch) -> Ended:
    limiters, tally = workshop.limiters(), tally_of(store)
    replies = JudgeReplies(ReplyFiles(store.place))
    unanswered = Unanswered(store.place)
    spent = tally.total("cost_nano_usd") + replies.tally.cost_nano_usd + unanswered.nano_usd
    budget = Budget(workshop.settings.max_nano_usd, spent=spent)
    crew = crew_of(workshop, limiters, budget, replies)
    requests = Requests(eval_set, store.manifest.subjects)
    left = undrawn(store, requests)
    runner = Runner(store, requests, crew, tally, rounds=rounds_of(store, left.values(), requests))
    runner.halts = crew.halts if isinstance(crew, JudgingCrew) else {}
    judges = None if eval_set.judge is None else replies.tally
    progress = Progress(tally=tally, budget=budget, limiters=limiters, runner=runner, judges=judges)
    before, is_hurried = children(), False

    def in_vain() -> int:
        return budget.spent - tally.total("cost_nano_usd") - replies.tally.cost_nano_usd

    def look(progress: Progress) -> None:
        watch(progress)
        unanswered.keep_now_and_then(in_vain())

    try:
        with interruptible(runner):
            await watched(runner.run(left, store.unchecked()), progress, look)
    except asyncio.CancelledError:
        if not runner.is_stopping:
            raise
        is_hurried = workshop.settings.engine == "local"  # a cluster has its own way to stop its workers
    finally:
        await close_all((crew.close(), workshop.pool.close()), at_once=is_hurried, kept=before)
        unanswered.keep(in_vain())
    return Ended(progress=progress, halted=runner.halted, was_stopped=runner.is_stopping)


def crew_of(
    workshop: Workshop, limiters: Mapping[str, Limiter], budget: Budget, replies: JudgeReplies
) -> Crew:
    """Return who draws and checks and, where somebody judges, has it judged; for the running event loop."""
    crew, plan = workshop.crew(limiters, budget), workshop.judge_plan
    if plan is None:
        return crew
    settings = workshop.settings
    terms = Terms(budget=budget, prices=settings.prices, retries=settings.retries)
    desk = JudgesDesk(Drawer(workshop.pool, terms, limiters=limiters), replies)
    return JudgingCrew(crew, plan, desk)


def undrawn(store: RunStore, requests: Requests) -> dict[str, Iterator[SampleKey]]:
    """Return what is left to draw, by provider, so that a slow one does not keep the others waiting.

    A case that the eval set no longer has is left as it is.
    """
    asked: dict[str, list[Subject]] = {}
    for subject in store.manifest.subjects:
        asked.setdefault(requests.provider_of(subject.model, subject.tier), []).append(subject)

    def left(subjects: list[Subject]) -> Iterator[SampleKey]:
        return (key for key in store.undrawn(subjects) if requests.case_of(key) is not None)

    return {name: left(subjects) for name, subjects in asked.items()}


def rounds_of(store: RunStore, left: Iterable[Iterator[SampleKey]], requests: Requests) -> Rounds | None:
    """Return what is drawn next by the run's stop rule; None where nothing stops early."""
    declared = store.manifest.stop_rule
    if declared is None:
        return None
    rule, keys = stop_rule_of(declared), chain.from_iterable(left)
    return Rounds(rule, keys, store.case_progress(), provider_of=requests.provider_of)


def tally_of(store: RunStore) -> Tally:
    """Count what a run has done so far, in the form that its cases have now."""
    manifest = store.manifest
    cases = manifest.current_cases()
    each = len(cases) * (manifest.planned_samples or 0)
    tally = Tally({(one.model, one.tier): SubjectTally(planned=each) for one in manifest.subjects})
    current = {(case.suite, case.case, case.digest) for case in cases}
    for (model, tier, *form), done in store.case_progress().items():
        subject = tally.subjects[model, tier]
        subject.cost_nano_usd += done.cost_nano_usd
        if tuple(form) in current:
            subject.drawn += done.samples
            subject.checked += done.evidence
            subject.passed += done.passes
            subject.unpriced += done.unpriced
            subject.rates.add(form[0], form[1], evidence=done.evidence, passes=done.passes)
    return tally


async def watched(work: Awaitable[None], progress: Progress, watch: Watch) -> None:
    """Do the work, and show how far it is now and then, and once at the end."""

    async def look() -> None:
        while True:
            watch(progress)
            await asyncio.sleep(WATCH_S)

    looking = asyncio.create_task(look())
    try:
        await work
    finally:
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking
        watch(progress)


@contextmanager
def interruptible(runner: Runner) -> Iterator[None]:
    """Let Ctrl-C finish what is under way, and a second one stop."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def interrupted() -> None:
        if runner.is_stopping and task is not None:
            task.cancel()
        runner.stop()

    try:
        loop.add_signal_handler(signal.SIGINT, interrupted)
    except (NotImplementedError, RuntimeError):  # Windows, or not the main thread: Ctrl-C stops at once
        yield
        return
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
