"""How many requests of a model are submitted at a time, after a vendor put batches back."""

from datetime import UTC, datetime

from steelyard.model.request import Request
from steelyard.model.sample import SampleKey
from steelyard.runner.batch.room import Room
from steelyard.store.run.batches import BatchedRequest, OpenBatch


def key(number: int, model: str = "openai/m") -> SampleKey:
    return SampleKey(model, "T0", "s", f"case-{number}", "d", 0)


def batch(count: int, model: str = "openai/m") -> OpenBatch:
    requests = tuple(BatchedRequest(key(number, model), "p", "q") for number in range(count))
    return OpenBatch(name="n", provider="openai", written_at=datetime.now(UTC), requests=requests)


def admitted(room: Room, model: str = "openai/m") -> int:
    admits = room.admission()
    return sum(admits(Request(key=key(number, model), prompt="")) for number in range(100))


def test_all_requests_are_submitted_until_a_batch_is_put_back() -> None:
    room = Room()
    room.answered(batch(7))

    assert not room.learn()
    assert admitted(room) == 100


def test_half_is_tried_where_nothing_was_answered_and_other_models_are_left_alone() -> None:
    room = Room()
    room.put_back(batch(30))
    room.put_back(batch(40))
    room.answered(batch(5, "openai/n"))

    assert not room.learn()
    assert (admitted(room), admitted(room, "openai/n")) == (20, 100)


def test_what_was_answered_together_fits_again_and_then_twice_as_much_is_tried() -> None:
    room = Room()
    room.answered(batch(10))
    room.answered(batch(5))
    room.put_back(batch(40))

    assert not room.learn()
    assert admitted(room) == 15
    room.answered(batch(15))
    assert not room.learn()
    assert admitted(room) == 30
    assert not room.learn()  # nothing is known that was not known before
    assert admitted(room) == 30


def test_a_single_request_that_is_put_back_is_tried_again() -> None:
    room = Room()
    room.put_back(batch(1))

    assert room.learn()
    assert admitted(room) == 1
