"""What a worker of a cluster does: run an agent or check a batch, with parts that it makes once and keeps.

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
from steelyard.model.config import ProviderSettings
from steelyard.model.outcome import Outcome
from steelyard.model.request import Reply, Request
from steelyard.runner.check.checking import Checking
from steelyard.runner.check.sandboxes import make_sandbox
from steelyard.runner.check.stage import Task
from steelyard.runner.draw.provider_pool import ProviderPool


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSetup:
    """What every worker of a run needs to know."""

    providers: Mapping[str, ProviderSettings]
    sandbox: str
    allow_unsafe: bool = False
    share: bool = True  # whether equal answers to one case are checked once


class Checked(NamedTuple):
    """The outcomes of a batch, in order, and how long they took."""

    outcomes: list[Outcome]
    seconds: float


class Parts:
    """What one worker process needs; its event loop is kept, since connections belong to it."""

    def __init__(self, setup: WorkerSetup) -> None:
        sandbox = make_sandbox(setup.sandbox, allow_unsafe=setup.allow_unsafe)
        self.checking = Checking(sandbox, share=setup.share)
        self.pool = ProviderPool(setup.providers, sandbox)
        self.runner = asyncio.Runner()

    def close(self) -> None:
        """Close the connections."""
        self.runner.run(self.pool.close())
        self.runner.close()


_kept: dict[bytes, Parts] = {}  # the parts of one run, in this process


def ask_agent(setup: bytes, request: Request) -> Reply:
    """Let an agent work on a request; if a tool is missing, the error names this machine."""
    parts = _parts(setup)
    try:
        agent = parts.pool.of(request.provider)
    except SteelyardError as error:
        raise _with_machine(error) from error
    return parts.runner.run(agent.draw(request))


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
