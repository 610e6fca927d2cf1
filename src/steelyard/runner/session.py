"""Run a session of a run or a regrade until it ends or stops with a reason."""

import asyncio
import signal
import warnings
from collections.abc import Awaitable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import copy_context
from datetime import UTC, datetime
from secrets import token_bytes
from types import MappingProxyType

from steelyard.errors import StoreError
from steelyard.model.evalset import EvalSet
from steelyard.model.progress import ProgressCallback, ProviderProgress, RunProgress, RunResult, StopReason
from steelyard.model.run import Manifest
from steelyard.model.version import GENERATOR
from steelyard.runner.generate.budget import Budget
from steelyard.runner.judge.client import JudgeClient
from steelyard.runner.judge.replies import JudgeReplies
from steelyard.runner.local.workers import local_generator
from steelyard.runner.pipeline import Pipeline
from steelyard.runner.plan import RunPlan
from steelyard.runner.resources import RunResources
from steelyard.runner.shutdown import children, close_all
from steelyard.runner.stop_state import StopState
from steelyard.runner.telemetry import run_span
from steelyard.runner.work import Work, work_of_run
from steelyard.store.run.origin import host_facts, run_id, tool_versions
from steelyard.store.run.replies import ReplyFiles
from steelyard.store.run.run_store import RunStore, create_run

PROGRESS_S = 0.25  # between two reports of progress


def begin_run(plan: RunPlan, address: str | None, *, root: str = "runs") -> RunStore:
    """Create the store of a new run, by default below `root`."""
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
        benchmark=plan.eval_set.benchmark,
        languages=plan.eval_set.languages,
        pass_k=plan.pass_k,
        subject_samples=plan.subject_samples,
        shard=plan.shard,
        recorded=plan.recorded,
        excluded=plan.excluded,
    )
    return create_run(address or f"{root.rstrip('/')}/{manifest.id}", manifest, plan.eval_set)


def extend_run(store: RunStore, plan: RunPlan) -> None:
    """Extend the plan of a run that is held for writing; changed cases start again."""
    store.extend(
        subjects=plan.subjects,
        cases=plan.cases,
        planned_samples=plan.samples,
        subject_samples=plan.subject_samples,
        pass_k=plan.pass_k,
        eval_set=plan.eval_set,
        recorded=plan.recorded,
        excluded=plan.excluded,
    )


def execute(
    store: RunStore,
    eval_set: EvalSet,
    resources: RunResources,
    *,
    progress: ProgressCallback,
    shortage: Mapping[str, StopReason] | None = None,
) -> RunResult:
    """Complete a run that is held for writing; compact it at the end.

    Providers with a `shortage` of budget generate nothing; existing answers are checked. Infrastructure
    errors are retried. The first Ctrl-C finishes running work, the second stops at once.
    """
    store.forget_errors()
    with run_span(store.manifest.id, eval_set.id):
        result = run_session(work_of_run(store, eval_set), resources, progress, shortage or {})
    if result.is_complete:
        store.finish()
        ReplyFiles(store.location).tidy()
    return result


def run_session(
    work: Work,
    resources: RunResources,
    progress: ProgressCallback,
    shortage: Mapping[str, StopReason] = MappingProxyType({}),
) -> RunResult:
    """Run a session; in a thread if an event loop is running, as in a notebook."""
    session = Session(work, resources, progress)
    session.end_generation(shortage)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(session.run())
    with ThreadPoolExecutor(1, thread_name_prefix="session") as thread:
        # In the caller's context, for traces.
        future = thread.submit(copy_context().run, asyncio.run, session.run())
        while True:
            try:
                return future.result()
            except KeyboardInterrupt:
                session.interrupt_from_thread()


class Session:
    """Owns the budget, the limiters, the judges' replies and the stop state of one session."""

    def __init__(self, work: Work, resources: RunResources, report: ProgressCallback) -> None:
        self._work = work
        self._resources = resources
        self._report = report
        self._stop = StopState()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[RunResult] | None = None
        self._limiters = resources.limiters()
        files = ReplyFiles(work.store.location)
        self._replies = JudgeReplies(files)
        earlier = 0 if work.unbillable is None else work.unbillable.nano_usd
        spent = work.tally.cost_nano_usd + self._replies.spend.cost_nano_usd + earlier
        self._budget = Budget(resources.settings.max_nano_usd, spent=spent)

    async def run(self) -> RunResult:
        """Generate and check until done or stopped; then shut the workers down."""
        loop = self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        workers = self._resources.workers(self._limiters, self._budget)
        self._pipeline = pipeline = Pipeline(self._work, workers, self._stop, judges=self._judges())
        earlier, at_once = children(), False
        try:
            with self._interruptible(loop):
                await self._reporting(pipeline.run())
        except asyncio.CancelledError:
            if not self._stop.is_requested:
                raise
            at_once = self._resources.settings.engine == "local"  # a cluster stops its workers itself
        finally:
            closing = (resource.close() for resource in (workers.check, self._resources.pool))
            await close_all((pipeline.shut_down(), *closing), at_once=at_once, kept=earlier)
            self._keep_unbilled(at_end=True)
        return RunResult(
            address=self._work.store.location.address,
            progress=self._snapshot(),
            stopped=self._stop.reasons,
            was_stopped=self._stop.is_requested,
        )

    def end_generation(self, reasons: Mapping[str, StopReason]) -> None:
        """Stop generation with these providers, before the session begins."""
        for provider, reason in reasons.items():
            self._stop.end_generation(provider, reason)

    def interrupt(self) -> None:
        """Finish running work; the second time, stop at once."""
        if self._stop.is_requested and self._task is not None:
            self._task.cancel()
        self._stop.request()

    def interrupt_from_thread(self) -> None:
        """Call `interrupt` from another thread."""
        if self._loop is None:
            self._stop.request()
            return
        with suppress(RuntimeError):  # the session has ended
            self._loop.call_soon_threadsafe(self.interrupt)

    def _judges(self) -> JudgeClient | None:
        plan = self._work.eval_set.judge
        if plan is None:
            return None
        generator = local_generator(self._resources, self._limiters, self._budget)
        return JudgeClient(plan, generator, self._replies, self._stop)

    async def _reporting(self, work: Awaitable[None]) -> None:
        """Await the work; report progress periodically and at the end."""

        async def report() -> None:
            while True:
                self._show_progress()
                with suppress(StoreError):  # it is written again later, and at the end
                    self._keep_unbilled()
                await asyncio.sleep(PROGRESS_S)

        reporting = asyncio.create_task(report())
        try:
            await work
        finally:
            reporting.cancel()
            with suppress(asyncio.CancelledError):
                await reporting
            self._show_progress()

    def _show_progress(self) -> None:
        """Report progress; a callback that raises is disabled."""
        progress = self._snapshot()
        try:
            self._report(progress)
        except Exception as error:  # noqa: BLE001  # a broken callback must not stop a paid run
            self._report = lambda _: None
            warnings.warn(f"progress is no longer reported: {type(error).__name__}: {error}", stacklevel=2)

    def _snapshot(self) -> RunProgress:
        calls = self._resources.calls
        providers = {
            name: ProviderProgress(
                in_flight=limiter.in_flight,
                allowed=limiter.concurrency,
                pause_s=limiter.pause_s,
                waiting=calls.waiting(name, limiter.in_flight),
                retries=calls.retries(name),
                pace=limiter.pace,
            )
            for name, limiter in self._limiters.items()
        }
        return RunProgress(
            subjects=self._work.tally.snapshot(),
            providers=providers,
            spent_nano_usd=self._budget.spent,
            max_nano_usd=self._budget.cap,
            judges=None if self._work.eval_set.judge is None else self._replies.spend,
            under_way=self._pipeline.under_way,
            is_stopping=self._stop.is_requested,
            stops_early=self._work.scheduler is not None,
        )

    def _keep_unbilled(self, *, at_end: bool = False) -> None:
        """Write the spend of failed calls."""
        if self._work.unbillable is not None:
            billed = self._work.tally.cost_nano_usd + self._replies.spend.cost_nano_usd
            self._work.unbillable.keep(self._budget.spent - billed, at_end=at_end)

    @contextmanager
    def _interruptible(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        """Handle Ctrl-C: finish running work, then stop."""
        try:
            loop.add_signal_handler(signal.SIGINT, self.interrupt)
        except (NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
            yield
            return
        try:
            yield
        finally:
            loop.remove_signal_handler(signal.SIGINT)
