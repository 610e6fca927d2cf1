"""Measure what each test costs, in processor and wall seconds, and show the sums by folder."""

import os
import resource
import time
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest

PROCESSOR, WALL = "processor_s", "wall_s"
# Names a file for one line per part, as in scripts/ci/timed: its name, wall seconds, processor seconds.
COSTS_FILE = "STEELYARD_CI_COSTS"
# Packages whose folders are parts of their own.
SPLIT = ("checks", "runner", "store")

_STARTED = pytest.StashKey[tuple[float, float]]()


def processor_s() -> float:
    """Return the processor seconds of this process and of its children that have ended."""
    usages = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def part_of(nodeid: str) -> str:
    """Return the folder a test is counted under."""
    folders = nodeid.partition("::")[0].split("/")[:-1]
    depth = 3 if len(folders) > 1 and folders[1] in SPLIT else 2
    return "/".join(folders[:depth])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    item.stash[_STARTED] = (processor_s(), time.monotonic())
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Attach the cost to the last report of a test, which a worker sends to the main process."""
    report = yield
    if call.when == "teardown":
        processor, wall = item.stash[_STARTED]
        report.user_properties.append((PROCESSOR, processor_s() - processor))
        report.user_properties.append((WALL, time.monotonic() - wall))
    return report


class CostsByPart:
    """Sums up the costs in the process that reports on the run."""

    def __init__(self) -> None:
        self._processor = defaultdict[str, float](float)
        self._wall = defaultdict[str, float](float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for sums, name in ((self._processor, PROCESSOR), (self._wall, WALL)):
            seconds = dict(report.user_properties).get(name)
            if report.when == "teardown" and isinstance(seconds, float):
                sums[part_of(report.nodeid)] += seconds

    def pytest_sessionfinish(self) -> None:
        lines = [f"{part}\t{wall:.2f}\t{self._processor[part]:.2f}\n" for part, wall in self._wall.items()]
        with Path(os.environ[COSTS_FILE]).open("a", encoding="utf-8") as file:
            file.writelines(lines)


def pytest_configure(config: pytest.Config) -> None:
    if COSTS_FILE in os.environ and not hasattr(config, "workerinput"):
        config.pluginmanager.register(CostsByPart())
