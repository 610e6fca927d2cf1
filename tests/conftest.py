"""Settings that hold for every test."""

import os

from hypothesis import settings

from tests.repo.costs import pytest_configure, pytest_runtest_makereport, pytest_runtest_protocol
from tests.repo.dead_workers import pytest_sessionstart
from tests.repo.scheduling import pytest_xdist_make_scheduler
from tests.repo.sizes import pytest_addoption, pytest_collection_modifyitems, pytest_ignore_collect

__all__ = [
    "pytest_addoption",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_ignore_collect",
    "pytest_runtest_makereport",
    "pytest_runtest_protocol",
    "pytest_sessionstart",
    "pytest_xdist_make_scheduler",
]

# What our tests type is typed by a person, wherever they run: in a job, `.env` is not read. Test workers
# inherit this process's environment, so the fact that this is CI goes to them by another name.
IN_CI = "HOUSE_TESTS_IN_CI"
if os.environ.pop("CI", None) is not None:
    os.environ[IN_CI] = "yes"

# No deadline: a busy machine is not a wrong answer. In CI the same examples every time, so that a run
# that fails there fails again on the next machine.
settings.register_profile("steelyard", deadline=None, derandomize=IN_CI in os.environ)
settings.load_profile("steelyard")
