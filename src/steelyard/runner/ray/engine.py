"""Run functions on Ray: on all cores of this machine, or on a cluster.

Tasks of dead workers are repeated. The engine stops a cluster that it started.
"""

import logging
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import ray

from steelyard.errors import InfrastructureError, SteelyardError

Item = TypeVar("Item")
Result = TypeVar("Result")

RETRIES = 3
STALL_S = 300.0  # above the 150 s after which Ray notices a broken network
PARTS_PER_SLOT = 4  # slow machines get fewer parts, dead ones lose little
TASKS_PER_SLOT = 2  # one running, one queued; more would only fill memory with results
OBJECT_STORE_BYTES = 512 * 2**20  # results are counts; Ray would otherwise take a third of the memory
ATTEMPTS = 3
TIMED_OUT = "timed out during startup"  # Ray's message after its limit of 30 s, on busy machines

# Steelyard sends no usage statistics, and `uv run` must not upload the user's folder to workers.
SETTINGS = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0"}


class RayEngine:
    """Runs each item as a Ray task with one core per thread.

    Uses the connected cluster or that of RAY_ADDRESS; otherwise starts one.
    """

    def __init__(
        self, *, threads: int | None = None, retries: int = RETRIES, stall_s: float = STALL_S
    ) -> None:
        """Connect to a cluster or start one, until `close`."""
        self.threads = threads or 1
        self._retries = retries
        self._stall_s = stall_s
        self._is_ours = connect()
        self._slots = max(1, cores() // self.threads)

    @property
    def parts(self) -> int:
        """Several per slot of the cluster, so all slots finish at about the same time."""
        return self._slots * PARTS_PER_SLOT

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        """Return the function's result for each item, in order; each is computed at least once."""
        task: Any = ray.remote(num_cpus=self.threads, max_retries=self._retries)(_applied)
        running: deque[ray.ObjectRef[Result]] = deque()
        try:
            for element in items:
                if len(running) >= self._slots * TASKS_PER_SLOT:
                    yield self._next_result(running)
                running.append(task.remote(function, element))
            while running:
                yield self._next_result(running)
        finally:
            for reference in _unfinished(running):
                ray.cancel(reference, force=True)

    def close(self) -> None:
        """Stop the cluster if it was started here."""
        if self._is_ours:
            ray.shutdown()
            self._is_ours = False

    def _next_result(self, running: "deque[ray.ObjectRef[Result]]") -> Result:
        """Wait for the first task, while any task finishes in time."""
        first, pending = running[0], list(running)
        while first in pending:
            done, pending = ray.wait(pending, num_returns=1, timeout=self._stall_s)
            if not done:
                raise InfrastructureError(
                    f"Ray: no task has finished for {self._stall_s:g} s; check the cluster (`ray status`), "
                    f"or use `engine=local`"
                )
        running.popleft()
        result: Result = _result(first)
        return result


def _unfinished(running: "deque[ray.ObjectRef[Result]]") -> "list[ray.ObjectRef[Result]]":
    """Return the unfinished tasks; Ray 2.60 crashes if a finished one is cancelled."""
    if not running:
        return []
    _, pending = ray.wait(list(running), num_returns=len(running), timeout=0)
    return list(pending)


def _applied(function: Callable[[Item], Result], item: Item) -> Result:
    """Apply the function in a worker, which imports it by name."""
    return function(item)


def _result(reference: Any) -> Any:  # noqa: ANN401  # Ray hands back whatever the function returned
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, SteelyardError):
            raise error.cause from error
        raise
    except ray.exceptions.RayError as error:
        first_line = str(error).strip().partition("\n")[0]
        raise InfrastructureError(f"Ray: a task was lost, and so were its retries: {first_line}") from error


def connect() -> bool:
    """Connect to a cluster or start one; return True if it was started."""
    if ray.is_initialized():
        return False
    _start(os.environ.get("RAY_ADDRESS"))
    return True


def cores() -> int:
    """Return the number of cores of the cluster."""
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]  # Ray's own gap
    return max(1, int(resources.get("CPU", 1)))


def _start(address: str | None) -> None:
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    try:
        if address:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        else:
            _start_here()
    except Exception as error:  # Ray raises bare ones too
        where = f"no cluster answers at RAY_ADDRESS={address}" if address else "Ray does not start"
        raise InfrastructureError(f"Ray: {where}: {error}") from error


def _start_here(attempts: int = ATTEMPTS) -> None:
    """Start a local cluster; retry if Ray timed out."""
    try:
        ray.init(
            address="local",
            include_dashboard=False,
            object_store_memory=OBJECT_STORE_BYTES,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
    except Exception as error:
        if attempts == 1 or TIMED_OUT not in str(error):
            raise
        _start_here(attempts - 1)  # what the first attempt started ends with this process
