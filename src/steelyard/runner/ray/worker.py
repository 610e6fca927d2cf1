"""What a worker of a cluster does: draw a batch or check a batch, with parts that it makes once and keeps.

Plain records come in and go out, and nothing is written. This file does not import Ray.
"""

import asyncio
import pickle
import platform
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from steelyard.errors import InfrastructureError, SteelyardError
from steelyard.model.outcome import Outcome
from steelyard.model.progress import StopCause
from steelyard.model.request import Request
from steelyard.model.sample import Sample, SampleKey
from steelyard.providers.limiter import Limiter
from steelyard.runner.check.checking import Checking
from steelyard.runner.check.sandboxes import make_sandbox
from steelyard.runner.check.stage import Task
from steelyard.runner.draw.budget import Budget
from steelyard.runner.draw.drawer import CallPolicy, Drawer, StopDrawing
from steelyard.runner.draw.provider_pool import ProviderPool
from steelyard.runner.draw.worker_pool import KeyBatch, WorkerPool
from steelyard.runner.settings import RunSettings

ENOUGH_S = 5.0  # no call begins later than this in a batch, so little is lost if the driver dies


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSetup:
    """What every worker of a run needs to know."""

    settings: RunSettings
    calls: Mapping[str, int]  # calls of each provider that one worker makes at a time


class NotDrawn(NamedTuple):
    """Why a request was not drawn; an exception could not be sent to the driver."""

    message: str
    cause: StopCause
    model: str = ""
    near: str = ""


class Drawn(NamedTuple):
    """The results of a batch; a request without a result was not begun."""

    found: dict[SampleKey, Sample | NotDrawn]
    spent: int


class Checked(NamedTuple):
    """The outcomes of a batch, in order, and how long they took."""

    outcomes: list[Outcome]
    seconds: float


class Parts:
    """What one worker process needs; its event loop is kept, since connections belong to it."""

    def __init__(self, setup: WorkerSetup) -> None:
        settings = self.settings = setup.settings
        sandbox = make_sandbox(settings.sandbox, allow_unsafe=settings.allow_unsafe)
        self.checking = Checking(sandbox, share=settings.share)
        self.pool = ProviderPool(settings.providers, sandbox, instead=settings.instead)
        self.limiters = {name: Limiter(most=calls) for name, calls in setup.calls.items()}
        self.retries = settings.retries.copy()
        self.failed_in_a_row: dict[str, int] = {}
        self.runner = asyncio.Runner()

    def close(self) -> None:
        """Close the connections."""
        self.runner.run(self.pool.close())
        self.runner.close()


_kept: dict[bytes, Parts] = {}  # the parts of one run, in this process


def draw_batch(setup: bytes, requests: Sequence[Request], cap: int | None) -> Drawn:
    """Draw answers of one provider, as many at a time as it allows, for no more than a cap."""
    parts, budget = _parts(setup), Budget(cap)
    return Drawn(parts.runner.run(_draw(parts, requests, budget)), budget.spent)


def check_batch(setup: bytes, tasks: Sequence[Task]) -> Checked:
    """Check answers, one after the other; if a tool is missing, the error names this machine."""
    parts = _parts(setup)
    try:
        parts.checking.prepare(case for case, _ in tasks)
    except SteelyardError as error:
        raise _with_machine(error) from error
    began = time.monotonic()
    outcomes = parts.checking.outcomes(tasks)
    return Checked(outcomes, time.monotonic() - began)


async def _draw(
    parts: Parts, requests: Sequence[Request], budget: Budget
) -> dict[SampleKey, Sample | NotDrawn]:
    policy = CallPolicy(budget=budget, prices=parts.settings.prices, retries=parts.retries)
    drawer = Drawer(parts.pool, policy, limiters=parts.limiters, failed_in_a_row=parts.failed_in_a_row)
    by_key = {request.key: request for request in requests}
    keys = [list(by_key), []]
    found: dict[SampleKey, Sample | NotDrawn] = {}
    refused: list[NotDrawn] = []
    until = time.monotonic() + ENOUGH_S

    async def refill() -> list[SampleKey]:
        return keys.pop(0)

    async def draw(batch: KeyBatch) -> None:
        (key,) = batch
        try:
            found[key] = await drawer.draw_one(by_key[key])
        except StopDrawing as stop:
            refused.append(NotDrawn(str(stop), stop.cause, stop.reason.model, stop.reason.near))
            found[key] = refused[-1]

    limiter = parts.limiters[requests[0].provider]
    await WorkerPool(
        refill=refill,
        draw=draw,
        width=lambda: limiter.width,
        batch_size=1,
        is_over=lambda: bool(refused) or time.monotonic() > until,
    ).run()
    if refused and refused[0].cause is not StopCause.BUDGET:  # with more money, the others may still be drawn
        found.update((key, refused[0]) for key in by_key if key not in found)
    return found


def _parts(setup: bytes) -> Parts:
    """Return the parts of a run; those of an earlier run are closed."""
    if setup not in _kept:
        for known in list(_kept):
            _kept.pop(known).close()
        try:
            _kept[setup] = Parts(pickle.loads(setup))  # noqa: S301  # written by our own driver
        except SteelyardError as error:
            raise _with_machine(error) from error
    return _kept[setup]


def _with_machine(error: SteelyardError) -> InfrastructureError:
    """Name the machine of the cluster; the driver's own has what is missing, or the run would not begin."""
    return InfrastructureError(f"on {platform.node()}, a machine of the cluster: {error}")
