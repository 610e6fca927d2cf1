"""A timeout on a busy machine counts only after a second run, alone."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import pytest

from steelyard.model.execution import Command, ExecResult, Limit
from steelyard.runner.check.second_run import AloneLock, FairSandbox, SecondRuns, is_doubtful, processor_times

COMMAND = Command(argv=("true",))
STARVED = ExecResult(exit_code=None, limit=Limit.WALL, wall_s=3.0, cpu_s=0.1)
GOOD = ExecResult(exit_code=0, wall_s=1.0, cpu_s=1.0)


class Recorded:
    """A sandbox that gives recorded results, and keeps this machine busy meanwhile."""

    def __init__(self, *results: ExecResult) -> None:
        self.left = list(results)

    def run(self, command: Command) -> ExecResult:
        before = processor_times()
        while sum(processor_times()) - sum(before) < 20:
            pass  # until the kernel has counted some time
        return self.left.pop(0)


@pytest.mark.parametrize(
    ("result", "idle", "doubtful"),
    [
        (STARVED, 0.0, True),
        (STARVED, None, True),
        (STARVED, 0.5, False),  # there was a processor to spare: it slept
        (replace(STARVED, could_run=True), 0.0, True),
        (replace(STARVED, could_run=False), 0.0, False),  # it slept when its time was up
        (ExecResult(exit_code=None, limit=Limit.WALL, wall_s=3.0, cpu_s=2.9), 0.0, False),  # it computed
        (ExecResult(exit_code=None, limit=Limit.WALL, wall_s=3.0), 0.0, True),
        (ExecResult(exit_code=None, limit=Limit.CPU, wall_s=3.0, cpu_s=0.1), 0.0, False),
        (GOOD, 0.0, False),
    ],
)
def test_only_a_timeout_without_a_processor_is_doubtful(
    result: ExecResult, idle: float | None, *, doubtful: bool
) -> None:
    assert is_doubtful(result, idle=idle) is doubtful


def test_a_doubtful_command_runs_again_and_the_second_result_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "steelyard.runner.check.second_run.BUSY", 1.1
    )  # whatever this machine does, it is busy
    runs = SecondRuns()

    assert FairSandbox(Recorded(STARVED, GOOD), runs).run(COMMAND) is GOOD
    assert runs.count() == 1

    runs.reset()

    assert runs.count() == 0


def test_a_command_that_ends_is_run_once() -> None:
    runs = SecondRuns()

    assert FairSandbox(Recorded(GOOD), runs).run(COMMAND) is GOOD
    assert runs.count() == 0


def test_nothing_else_runs_beside_a_command_that_is_alone() -> None:
    alone_lock, now, seen_alone, seen_together = AloneLock(), [0], [0], [0]
    lock = threading.Lock()

    @contextmanager
    def counted(seen: list[int]) -> Iterator[None]:
        with lock:
            now[0] += 1
            seen[0] = max(seen[0], now[0])
        time.sleep(0.001)
        yield
        with lock:
            now[0] -= 1

    def together() -> None:
        with alone_lock.together(), counted(seen_together):
            pass

    def alone() -> None:
        with alone_lock.alone(), counted(seen_alone):
            pass

    with ThreadPoolExecutor(8) as pool:
        ended = [pool.submit(alone if number % 7 == 0 else together) for number in range(200)]
    assert [each.result() for each in ended] == [None] * 200
    assert seen_alone == [1]
    assert seen_together[0] > 1


def test_answers_that_only_sleep_do_not_hold_up_the_others_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("steelyard.runner.check.second_run.BUSY", 1.1)
    runs = SecondRuns()
    asleep = replace(STARVED, wall_s=40.0)
    sandbox = FairSandbox(Recorded(*[asleep] * 8), runs)

    for _ in range(4):
        sandbox.run(COMMAND)

    assert runs.count() == 2  # 80 s alone are more than this run has for it


def test_the_time_that_other_answers_take_lets_more_commands_run_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("steelyard.runner.check.second_run.BUSY", 1.1)
    runs = SecondRuns()
    long = replace(GOOD, wall_s=100.0)  # a fifth of which is enough for one more
    sandbox = FairSandbox(Recorded(long, *[replace(STARVED, wall_s=40.0)] * 8), runs)

    for _ in range(5):
        sandbox.run(COMMAND)

    assert runs.count() == 3
