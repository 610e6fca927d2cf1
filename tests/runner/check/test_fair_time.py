"""A check knows whether its commands got longer than their limits."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from steelyard.model.case import Case, Expectations
from steelyard.model.execution import Command, ExecResult, Limits
from steelyard.model.sample import Sample
from steelyard.runner.check.checking import Checking
from steelyard.runner.check.fair_time import CommandUsage, FairSandbox

COMMAND = Command(argv=("true",), limits=Limits(wall_s=3))


class Recorded:
    """A sandbox that keeps what it is given."""

    def __init__(self, result: ExecResult) -> None:
        self.result = result
        self.asked: list[Command] = []

    def run(self, command: Command) -> ExecResult:
        self.asked.append(command)
        return self.result


def test_a_command_may_take_longer_where_others_have_the_processors() -> None:
    inner = Recorded(ExecResult(exit_code=0))

    FairSandbox(inner, CommandUsage()).run(COMMAND)

    assert inner.asked[0].limits == Limits(wall_s=3, busy_wall_s=4 * 3)  # as the pages say


@pytest.mark.parametrize("had_longer", [True, False])
def test_it_is_noted_that_one_did_until_the_next_check_begins(*, had_longer: bool) -> None:
    usage = CommandUsage()

    FairSandbox(Recorded(ExecResult(exit_code=0, had_longer=had_longer)), usage).run(COMMAND)

    assert usage.had_longer is had_longer

    usage.reset()

    assert not usage.had_longer


def test_the_processor_time_of_all_commands_is_added_up() -> None:
    usage = CommandUsage()
    sandbox = FairSandbox(Recorded(ExecResult(exit_code=0, cpu_s=0.5)), usage)

    sandbox.run(COMMAND)
    sandbox.run(COMMAND)

    assert usage.cpu_s == 1.0


def test_each_thread_has_notes_of_its_own() -> None:
    usage = CommandUsage()
    usage.add(ExecResult(exit_code=0, had_longer=True))

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: usage.had_longer).result() is False


@pytest.mark.parametrize("had_longer", [True, False])
def test_an_outcome_says_whether_its_check_got_longer(*, had_longer: bool) -> None:
    checking = Checking(Recorded(ExecResult(exit_code=0, had_longer=had_longer)), share=False)
    case = Case(id="a", language="python", expectations=Expectations(tests="assert f() == 1"))
    sample = Sample(
        model="m",
        tier="T0",
        suite="s",
        case="a",
        digest="d",
        attempt=0,
        text="```python\ndef f(): return 1\n```",
    )

    assert checking.outcome(case, sample).had_longer is had_longer
