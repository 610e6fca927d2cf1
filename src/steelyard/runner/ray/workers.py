"""The workers of a session on a cluster; each of them limits calls on its own."""

import pickle
from collections.abc import Mapping

from steelyard.errors import UserError
from steelyard.providers.limiter import Limiter
from steelyard.runner.draw.budget import Budget
from steelyard.runner.draw.drawer import CallPolicy
from steelyard.runner.ray.check_workers import RayCheckWorkers
from steelyard.runner.ray.draw_workers import DRAWS_PER_CORE, RayDrawWorkers
from steelyard.runner.ray.engine import cores
from steelyard.runner.ray.tasks import RayTasks
from steelyard.runner.ray.worker import WorkerSetup
from steelyard.runner.resources import RunResources
from steelyard.runner.settings import RunSettings
from steelyard.runner.workers import Workers


def ray_workers(resources: RunResources, limiters: Mapping[str, Limiter], budget: Budget) -> Workers:
    """Return the workers of a session on the cluster that there is, or on one that is started."""
    calls = {name: resources.most_calls(name) for name in limiters}
    return workers_of(resources.settings, budget, calls=calls)


def workers_of(settings: RunSettings, budget: Budget, *, calls: Mapping[str, int]) -> Workers:
    """Return workers that make so many calls of each provider at a time, all together."""
    tasks = RayTasks()
    widths = {name: min(most, cores() * DRAWS_PER_CORE) for name, most in calls.items()}
    each = {name: calls[name] // width for name, width in widths.items()}
    setup = _pickled(WorkerSetup(settings=settings, calls=each))
    policy = CallPolicy(budget=budget, prices=settings.prices, retries=settings.retries)
    return Workers(
        draw=RayDrawWorkers(tasks, setup, policy, widths=widths), check=RayCheckWorkers(tasks, setup)
    )


def _pickled(setup: WorkerSetup) -> bytes:
    try:
        return pickle.dumps(setup)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise UserError(
            f"`engine=ray`: a part of the run cannot be sent to the cluster: {error}; use `engine=local`"
        ) from error
