"""Ray tasks of one session, as awaitables of its event loop."""

import asyncio
from typing import Any

import ray

from steelyard.errors import InfrastructureError, SteelyardError
from steelyard.runner.ray.engine import connect

TRIES = 4  # of a batch whose worker dies


class WorkerLost(InfrastructureError):
    """A worker, or its machine, has died."""


class RayTasks:
    """Connects to a cluster or starts one, until `close`."""

    def __init__(self) -> None:
        self._is_ours = connect()
        self._running: set[Any] = set()

    async def result(self, reference: Any) -> Any:  # noqa: ANN401  # Ray returns whatever the task returned
        """Wait for a task; re-raises its SteelyardError."""
        self._running.add(reference)
        try:
            return await reference
        except asyncio.CancelledError:
            ray.cancel(reference, force=True)  # otherwise an agent would continue to spend
            raise
        except ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, SteelyardError):
                raise error.cause from error
            raise
        except ray.exceptions.RayError as error:
            first_line = str(error).strip().partition("\n")[0]
            raise WorkerLost(f"Ray: work was lost with its worker: {first_line}") from error
        finally:
            self._running.discard(reference)

    async def close(self) -> None:
        """Cancel running tasks; stop Ray if it was started here."""
        for reference in self._running:
            ray.cancel(reference, force=True)
        if self._is_ours:
            ray.shutdown()
            self._is_ours = False
