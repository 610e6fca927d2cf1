"""Spread the settings of a simulation over the processors."""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

import numpy as np

Task = TypeVar("Task")
Found = TypeVar("Found")


def side_by_side(
    work: Callable[[Task, np.random.Generator], Found], tasks: Sequence[Task], rng: np.random.Generator
) -> list[Found]:
    """Do each task with a stream of its own: what is found depends on no number of processors."""
    with ProcessPoolExecutor() as pool:
        return list(pool.map(work, tasks, rng.spawn(len(tasks))))
