"""What a worker does with a piece of work, without Ray: the same functions, called here."""

import pickle
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from steelyard.errors import InfrastructureError
from steelyard.model.environment import Environment
from steelyard.model.outcome import Classification
from steelyard.model.price import Price
from steelyard.model.progress import StopCause
from steelyard.model.sample import Sample
from steelyard.providers.prices.price_list import PriceList
from steelyard.providers.replay import ReplayProvider
from steelyard.runner.draw.drawer import MOST_IN_A_ROW
from steelyard.runner.draw.retries import Retries
from steelyard.runner.ray import worker as ray_worker
from steelyard.runner.ray.worker import NotDrawn, WorkerSetup, check_batch, draw_batch
from steelyard.runner.settings import RunSettings
from steelyard.sources.answers.read import read_answers
from tests.runner.speaker import SET, Speaker, requests
from tests.wheels import use_wheels

AT_ONCE = Retries(most=3, base_s=0.0)
EACH = 100_000  # nano-USD at most, by the price below: 100 tokens, and the prompt


def orders(speaker: Speaker | ReplayProvider, **settings: object) -> bytes:
    """Return what a worker is told."""
    dear = Price(model="lab/*", input_usd=Decimal(0), output_usd=Decimal(1), max_tokens=100)
    told = RunSettings(
        instead=speaker,
        prices=PriceList([dear]),
        retries=AT_ONCE,
        sandbox="process",
        allow_unsafe=True,
        **settings,  # type: ignore[arg-type]  # whatever a test wants
    )
    return pickle.dumps(WorkerSetup(settings=told, calls={"lab": 4}))


@pytest.fixture(autouse=True)
def nothing_is_kept() -> Iterator[None]:
    """Let go of what a test made this process keep."""
    yield
    for known in list(ray_worker._kept):
        ray_worker._kept.pop(known).close()


def test_every_request_of_a_piece_is_drawn_and_what_it_cost_is_told() -> None:
    asked = requests(20)

    drawn = draw_batch(orders(Speaker(cost=7)), asked, None)

    assert list(drawn.found) == [request.key for request in asked]
    assert all(isinstance(found, Sample) and found.error is None for found in drawn.found.values())
    assert drawn.spent == 20 * 7


def test_the_parts_are_made_once_and_those_of_an_earlier_run_are_let_go() -> None:
    first, second = orders(Speaker(cost=1)), orders(Speaker(cost=2))
    draw_batch(first, requests(1), None)
    made = ray_worker._kept[first]

    draw_batch(first, requests(1), None)

    assert ray_worker._kept[first] is made
    draw_batch(second, requests(1), None)
    assert list(ray_worker._kept) == [second]


def test_a_fatal_fault_comes_back_for_the_whole_piece_after_a_few_calls() -> None:
    drawn = draw_batch(orders(Speaker(fault="bad_key")), requests(20), None)

    assert set(drawn.found.values()) == {NotDrawn("wrong key", StopCause.PROVIDER)}
    assert len(drawn.found) == 20


def test_failures_in_a_row_are_counted_from_piece_to_piece() -> None:
    told = orders(Speaker(fault="rejected"))
    found = [
        result for _ in range(MOST_IN_A_ROW) for result in draw_batch(told, requests(1), None).found.values()
    ]

    assert [isinstance(result, NotDrawn) for result in found] == [False] * (MOST_IN_A_ROW - 1) + [True]


def test_a_worker_never_spends_more_than_was_set_aside_for_its_piece() -> None:
    cap = 5 * EACH

    drawn = draw_batch(orders(Speaker(fault="cut")), requests(5), cap)

    assert drawn.spent == cap
    refused = [result for result in drawn.found.values() if isinstance(result, NotDrawn)]
    assert refused
    assert {result.cause for result in refused} == {StopCause.BUDGET}


def test_nothing_begins_in_a_piece_that_has_lasted_long_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_worker, "ENOUGH_S", 0.05)

    drawn = draw_batch(orders(Speaker(seconds=0.06)), requests(20), None)

    assert 1 <= len(drawn.found) <= 8
    assert all(isinstance(found, Sample) for found in drawn.found.values())


def test_a_piece_is_checked_in_order() -> None:
    told = orders(Speaker())
    samples = list(draw_batch(told, requests(6), None).found.values())
    tasks = [(SET.cases[0], sample) for sample in samples if isinstance(sample, Sample)]

    checked = check_batch(told, tasks)

    kinds = [outcome.facts.classification for outcome in checked.outcomes]
    assert kinds == [Classification.PASS, Classification.FAIL] * 3
    assert checked.seconds > 0


def test_a_tool_that_only_a_worker_lacks_is_missed_by_the_name_of_its_machine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = pickle.dumps(WorkerSetup(settings=RunSettings(instead=Speaker()), calls={"lab": 1}))
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(InfrastructureError, match=r"on .*, a machine of the cluster: "):
        draw_batch(told, requests(1), None)


def test_a_package_that_a_machine_cannot_install_is_missed_by_the_name_of_the_machine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use_wheels(tmp_path, monkeypatch)
    told = orders(Speaker())
    [sample] = draw_batch(told, requests(1), None).found.values()
    case = replace(SET.cases[0], language="python", environment=Environment(requirements="weights==3.0"))

    assert isinstance(sample, Sample)
    with pytest.raises(InfrastructureError, match=r"(?s)on .*, a machine of the cluster: .*weights==3\.0"):
        check_batch(told, [(case, sample)])


def test_recorded_answers_travel_as_the_path_of_their_file(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"case": "c0", "attempt": 0, "text": "recorded"}\n', encoding="utf-8")
    provider = ReplayProvider(read_answers(path).find, where=str(path))

    [found] = draw_batch(orders(provider), requests(1), None).found.values()

    assert isinstance(found, Sample)
    assert found.text == "recorded"
