"""The functions of cluster workers: run an agent, check a batch.

Their parts are created once per process. Workers write nothing; this module does not import Ray.
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
from steelyard.runner.generate.provider_pool import ProviderPool


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSetup:
    """The setup shared by all workers of a run."""

    providers: Mapping[str, ProviderSettings]
    sandbox: str
    allow_unsafe: bool = False
    share: bool = True  # whether equal answers to one case are checked once


class Checked(NamedTuple):
    """The outcomes of a batch, in order, and their duration."""

    outcomes: list[Outcome]
    seconds: float


class Parts:
    """The parts of one worker process, with the event loop of its connections."""

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


def call_agent(setup: bytes, request: Request) -> Reply:
    """Run an agent; errors about missing tools name this machine."""
    parts = _parts(setup)
    try:
        agent = parts.pool.of(request.provider)
    except SteelyardError as error:
        raise _with_machine(error) from error
    return parts.runner.run(agent.generate(request))


def check_batch(setup: bytes, tasks: Sequence[Task]) -> Checked:
    """Check answers sequentially; errors about missing tools name this machine."""
    parts = _parts(setup)
    try:
        parts.checking.prepare(case for case, _ in tasks)
    except SteelyardError as error:
        raise _with_machine(error) from error
    began = time.monotonic()
    outcomes = parts.checking.outcomes(tasks)
    return Checked(outcomes, time.monotonic() - began)


def _parts(setup: bytes) -> Parts:
    """Return the parts of a run; close those of an earlier run."""
    if setup not in _kept:
        for known in list(_kept):
            _kept.pop(known).close()
        try:
            _kept[setup] = Parts(pickle.loads(setup))  # noqa: S301  # written by our own driver
        except SteelyardError as error:
            raise _with_machine(error) from error
    return _kept[setup]


def _with_machine(error: SteelyardError) -> InfrastructureError:
    """Add the name of this machine: the driver's has the tool."""
    return InfrastructureError(f"on {platform.node()}, a machine of the cluster: {error}")
