"""Create the checker of tasks."""

from steelyard.checks.tasks.checker import TaskChecker
from steelyard.ports import Sandbox
from steelyard.runner.tasks.engine import container_engine


def task_checker(sandbox: Sandbox) -> TaskChecker:
    """Return a checker that runs the tests of tasks in containers instead of the sandbox."""
    del sandbox
    return TaskChecker(container_engine())
