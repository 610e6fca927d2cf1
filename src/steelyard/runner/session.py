"""Run the work of a run, or of a regrade, to its end or to the reason why it stopped."""

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
from steelyard.runner.draw.budget import Budget
from steelyard.runner.judge.client import JudgeClient
from steelyard.runner.judge.replies import JudgeReplies
from steelyard.runner.local.workers import local_drawer
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
    """Create the store of a new run with its eval set; without an address, below a root by its id."""
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
    """Plan more for a run that is held for writing: what it has stays, and changed cases count anew."""
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
    """Draw and check what is left of a run that is held for writing; compact it when nothing is left.

    With a `shortage` of money, by provider, nothing is drawn, and what is drawn already is checked.
    What ended in an infrastructure error is tried again. Ctrl-C once finishes what is under way, twice stops.
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
    """Run a session; where an event loop is running already, as in a notebook, in a thread of its own."""
    session = Session(work, resources, progress)
    session.end_drawing(shortage)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(session.run())
    with ThreadPoolExecutor(1, thread_name_prefix="session") as thread:
        # With the context of the caller, so that the spans of calls and checks are inside that of the run.
        future = thread.submit(copy_context().run, asyncio.run, session.run())
        while True:
            try:
                return future.result()
            except KeyboardInterrupt:
                session.interrupt_from_thread()


class Session:
    """Owns what one session needs: budget, limiters, judges' replies, and whether to stop."""

    def __init__(self, work: Work, resources: RunResources, report: ProgressCallback) -> None:
        self._work = work
        self._resources = resources
        self._report = report
        self._stop = StopState()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[RunResult] | None = None
        self._limiters = resources.limiters()
        files = ReplyFiles(work.store.location)
        self._replies = JudgeReplies(files, takes_unmarked=_judges_as_before(work))
        earlier = 0 if work.unbillable is None else work.unbillable.nano_usd
        spent = work.tally.cost_nano_usd + self._replies.spend.cost_nano_usd + earlier
        self._budget = Budget(resources.settings.max_nano_usd, spent=spent)

    async def run(self) -> RunResult:
        """Draw and check everything, or until the session is stopped; then shut the workers down."""
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
            closing = (item.close() for item in (workers.check, self._resources.pool))
            await close_all((pipeline.shut_down(), *closing), at_once=at_once, kept=earlier)
            self._keep_unbilled(at_end=True)
        return RunResult(
            address=self._work.store.location.address,
            progress=self._snapshot(),
            stopped=self._stop.reasons,
            was_stopped=self._stop.is_requested,
        )

    def end_drawing(self, reasons: Mapping[str, StopReason]) -> None:
        """Draw nothing from these providers, before the session begins."""
        for provider, reason in reasons.items():
            self._stop.end_drawing(provider, reason)

    def interrupt(self) -> None:
        """Finish what is under way; the second time, stop now."""
        if self._stop.is_requested and self._task is not None:
            self._task.cancel()
        self._stop.request()

    def interrupt_from_thread(self) -> None:
        """Do as `interrupt`, from another thread than that of the session."""
        if self._loop is None:
            self._stop.request()
            return
        with suppress(RuntimeError):  # the session has ended meanwhile
            self._loop.call_soon_threadsafe(self.interrupt)

    def _judges(self) -> JudgeClient | None:
        plan = self._work.eval_set.judge
        if plan is None:
            return None
        drawer = local_drawer(self._resources, self._limiters, self._budget)
        return JudgeClient(plan, drawer, self._replies, self._stop)

    async def _reporting(self, work: Awaitable[None]) -> None:
        """Do the work, and report progress now and then and once at the end."""

        async def report() -> None:
            while True:
                self._show_progress()
                with suppress(StoreError):  # it is written anew each time, and at the end without fail
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
        """Tell how far the run is; a callback that breaks is not called again, and costs nothing else."""
        progress = self._snapshot()
        try:
            self._report(progress)
        except Exception as error:  # noqa: BLE001  # whatever it is, answers are drawn and paid for meanwhile
            self._report = lambda _: None
            warnings.warn(f"progress is no longer reported: {type(error).__name__}: {error}", stacklevel=2)

    def _snapshot(self) -> RunProgress:
        calls = self._resources.calls
        providers = {
            name: ProviderProgress(
                in_flight=one.in_flight,
                allowed=one.width,
                pause_s=one.pause_s,
                waiting=calls.waiting(name, one.in_flight),
                retries=calls.retries(name),
                pace=one.pace,
            )
            for name, one in self._limiters.items()
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
        """Write down what was spent on calls that brought no answer."""
        if self._work.unbillable is not None:
            billed = self._work.tally.cost_nano_usd + self._replies.spend.cost_nano_usd
            self._work.unbillable.keep(self._budget.spent - billed, at_end=at_end)

    @contextmanager
    def _interruptible(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        """Let Ctrl-C finish what is under way, and a second one stop."""
        try:
            loop.add_signal_handler(signal.SIGINT, self.interrupt)
        except (NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
            yield
            return
        try:
            yield
        finally:
            loop.remove_signal_handler(signal.SIGINT)


def _judges_as_before(work: Work) -> bool:
    """Whether the judges are asked with the parameters that the run states for its judgements so far."""
    before, now = work.store.manifest.judges, work.eval_set.judge
    return before is not None and now is not None and before.parameters == now.record.parameters
