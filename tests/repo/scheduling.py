"""Decide which tests of a distributed run stay together on one worker."""

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from tests.repo.kinds import kinds_of


def group_of(nodeid: str) -> str:
    """Return the tests' group: their file, one for all that start Ray, none for pages."""
    kinds = kinds_of(nodeid)
    if "ray" in kinds:
        return "ray"
    return nodeid if "pages" in kinds else nodeid.partition("::")[0]


class Grouped(LoadFileScheduling):  # type: ignore[misc]  # xdist has no types
    """Runs the tests of a group one after the other."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)


@pytest.hookimpl(optionalhook=True)  # where tests run without xdist
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Grouped | None:
    return Grouped(config, log) if config.getoption("dist") == "loadfile" else None
