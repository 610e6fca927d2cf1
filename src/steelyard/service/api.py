"""Connect served sets, workers and counters, and start and stop them together."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from steelyard.errors import InfrastructureError
from steelyard.model.case import Case, Expectations
from steelyard.model.evalset import EvalSet
from steelyard.model.graded import FunctionCall
from steelyard.service.admission import Refused
from steelyard.service.checked import Checked
from steelyard.service.counters import Counters
from steelyard.service.pool import WorkerLost, WorkerPool
from steelyard.service.requests import CheckRequest
from steelyard.service.served_sets import ServedSets, serve_case
from steelyard.service.service import CheckService
from steelyard.service.worker import WorkerSettings

PROBE = Case(
    id="health",
    language="python",
    timeout_s=5.0,
    expectations=Expectations(function="echo", calls=(FunctionCall(args=(7,), returns=7),)),
)
PROBE_ANSWER = "def echo(number):\n    return number  # {}\n"
PROBE_S = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSettings:
    """How a service runs checks."""

    workers: int
    queue_limit: int = 10_000
    sandbox: str = "bubblewrap"
    allow_unsafe: bool = False
    allow_uploads: bool = False


class Api:
    """What the endpoints work with."""

    def __init__(self, eval_sets: Sequence[EvalSet], settings: ServiceSettings) -> None:
        self.sets = ServedSets()
        for eval_set in eval_sets:
            self.sets.add(eval_set)
        self.counters = Counters()
        self.allows_uploads = settings.allow_uploads
        self._pool = WorkerPool(
            WorkerSettings(sandbox=settings.sandbox, allow_unsafe=settings.allow_unsafe), settings.workers
        )
        self.service = CheckService(self._pool, queue_limit=settings.queue_limit, counters=self.counters)
        self._probe = serve_case(PROBE)
        self._probes = 0

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Start the workers; the server has answered its requests when it leaves."""
        try:
            await self._pool.start()
        except (WorkerLost, TimeoutError):
            raise InfrastructureError(
                "no worker could start; `steelyard doctor` examines this machine"
            ) from None
        try:
            yield
        finally:
            self.service.admission.is_draining = True
            await self._pool.close()

    @property
    def is_ready(self) -> bool:
        """Whether new checks are taken."""
        return not self.service.admission.is_draining

    async def check(self, request: CheckRequest) -> Checked:
        """Check the answer of a request."""
        served = self.sets.case_of(request)
        return await self.service.check(
            served, request.completion, deadline_s=request.deadline_s, source=request.source
        )

    async def health_problem(self) -> str | None:
        """Perform a check with a known result; return what went wrong."""
        self._probes += 1  # a new answer each time: an equal one would not be run again
        answer = PROBE_ANSWER.format(self._probes)
        try:
            checked = await self.service.check(self._probe, answer, deadline_s=PROBE_S, source="healthz")
        except Refused as refused:
            return f"a check was refused: {refused.reason}"
        return (
            None
            if checked.reward == 1
            else f"a known answer was graded {checked.outcome.facts.classification}"
        )

    def metrics(self) -> bytes:
        """Return the metrics in Prometheus' text format."""
        self.counters.queued.set(self._pool.queued)
        self.counters.busy.set(self._pool.busy)
        self.counters.restarts.set(self._pool.restarts)
        self.counters.breaker.set(self.service.admission.breaker.is_open)
        return self.counters.text()
