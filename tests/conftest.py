"""Settings that hold for every test."""

import os

from hypothesis import settings

from tests.house.dead_workers import pytest_sessionstart
from tests.house.kinds import pytest_addoption, pytest_collection_modifyitems, pytest_ignore_collect

__all__ = [
    "pytest_addoption",
    "pytest_collection_modifyitems",
    "pytest_ignore_collect",
    "pytest_sessionstart",
]

# No deadline: a busy machine is not a wrong answer. In CI the same examples every time, so that a run
# that fails there fails again on the next machine.
settings.register_profile("house", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("house")

# What our tests type is typed by a person, wherever they run: in a job, `.env` is not read.
os.environ.pop("CI", None)
