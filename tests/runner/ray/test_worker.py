"""What a worker does with a piece of work, without Ray: the same functions, called here."""

import pickle
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.errors import InfrastructureError, ProviderError
from steelyard.model.environment import Environment
from steelyard.model.outcome import Classification
from steelyard.model.sample import Sample
from steelyard.runner.ray import worker as ray_worker
from steelyard.runner.ray.worker import WorkerSetup, call_agent, check_batch
from tests.providers.agents import request_for, settings_for
from tests.runner.speaker import SET
from tests.wheels import use_wheels


def setup(agent: str = "print('done')", *, sandbox: str = "bubblewrap") -> bytes:
    """Return what a worker is told; the agent is a script."""
    told = WorkerSetup(
        providers={"agent": settings_for(agent)}, sandbox=sandbox, allow_unsafe=sandbox == "process"
    )
    return pickle.dumps(told)


def answers(*texts: str) -> list[Sample]:
    case = SET.cases[0]
    return [
        Sample(model="lab/m", suite=case.suite, case=case.id, digest=case.digest, attempt=attempt, text=text)
        for attempt, text in enumerate(texts)
    ]


@pytest.fixture(autouse=True)
def nothing_is_kept() -> Iterator[None]:
    """Let go of what a test made this process keep."""
    yield
    for known in list(ray_worker._kept):
        ray_worker._kept.pop(known).close()


def test_an_agent_works_and_its_reply_comes_back() -> None:
    assert call_agent(setup(), request_for()).text == "done\n"


def test_the_parts_are_made_once_and_those_of_an_earlier_run_are_let_go() -> None:
    first, second = setup("print(1)"), setup("print(2)")
    call_agent(first, request_for())
    made = ray_worker._kept[first]

    call_agent(first, request_for())

    assert ray_worker._kept[first] is made
    call_agent(second, request_for())
    assert list(ray_worker._kept) == [second]


def test_the_error_of_an_agent_can_be_sent_to_the_driver_with_all_it_says() -> None:
    error = ProviderError(
        "no", kind="cut", may_retry=True, may_be_billed=True, retry_after_s=2.0, egress="[]"
    )

    sent = pickle.loads(pickle.dumps(error))  # noqa: S301  # written in the same line

    assert (type(sent), str(sent), vars(sent)) == (ProviderError, "no", vars(error))


def test_a_piece_is_checked_in_order() -> None:
    tasks = [(SET.cases[0], sample) for sample in answers("1", "0", "1")]

    checked = check_batch(setup(sandbox="process"), tasks)

    kinds = [outcome.facts.classification for outcome in checked.outcomes]
    assert kinds == [Classification.PASS, Classification.FAIL, Classification.PASS]
    assert checked.seconds > 0


def test_a_tool_that_only_a_worker_lacks_is_missed_by_the_name_of_its_machine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = setup()
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(InfrastructureError, match="machine"):
        call_agent(told, request_for())


@pytest.mark.check_all
def test_a_package_that_a_machine_cannot_install_is_missed_by_the_name_of_the_machine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use_wheels(tmp_path, monkeypatch)
    case = replace(SET.cases[0], language="python", environment=Environment(requirements="weights==3.0"))

    with pytest.raises(InfrastructureError, match=r"(?s)on .*, a machine of the cluster: .*weights==3\.0"):
        check_batch(setup(sandbox="process"), [(case, sample) for sample in answers("x")])
