"""Create the step runners of a checker once per recipe and environment."""

import threading
from collections.abc import Callable

from steelyard.checks.npm import node_packages
from steelyard.checks.toolchains.recipes.precompiled import precompiled_header
from steelyard.checks.toolchains.recipes.recipe import Recipe
from steelyard.checks.toolchains.recipes.step_runner import StepRunner
from steelyard.model.environment import Environment
from steelyard.ports import Sandbox

Prepare = Callable[[Recipe, Environment | None], Recipe]


def _unchanged(recipe: Recipe, environment: Environment | None) -> Recipe:
    del environment
    return recipe


class StepRunners:
    """The step runners of one checker; thread-safe.

    `prepare` fills paths of this machine into a recipe, once because finding them takes time.
    """

    def __init__(self, sandbox: Sandbox, prepare: Prepare = _unchanged) -> None:
        self._sandbox = sandbox
        self._prepare = prepare
        self._lock = threading.Lock()
        self._runners: dict[tuple[str, Environment | None], StepRunner] = {}

    def of(self, recipe: Recipe, environment: Environment | None = None) -> StepRunner:
        """Return the step runner of a recipe in an environment."""
        key = recipe.name, environment
        with self._lock:
            if key not in self._runners:
                self._runners[key] = StepRunner(
                    self._sandbox,
                    self._prepare(recipe, environment),
                    binds=(*node_packages(environment).binds, *precompiled_header(recipe, self._sandbox)),
                )
            return self._runners[key]
