"""A person rates samples blind, and the ratings are compared with the verdicts of checks and judges."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from steelyard.app.view import rating
from steelyard.app.view.rating import blind_queue, human_agreement
from steelyard.app.view.run_view import RunView
from steelyard.store.run.files import RunReader
from steelyard.store.run.viewing.random_samples import SamplePlace, Verdicts
from tests.web.runs import BAD, make_run


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunView]:
    monkeypatch.setattr(rating, "QUEUE", 6)
    make_run(tmp_path / "run")
    opened = RunView("1", str(tmp_path / "run"), "run", RunReader(str(tmp_path / "run")))
    yield opened
    opened.close()


def rate(run: RunView, *, agreeing: bool) -> int:
    """Rate the next sample as its check did, or the other way round, and return how many are left."""
    queue = blind_queue(run)
    assert queue.following is not None
    is_right = (queue.following.text != BAD) is agreeing
    place = queue.following.row.key, queue.following.attempt
    run.mark(*place, label="right" if is_right else "wrong", note="", is_blind=True)
    return queue.total - queue.done - 1


def test_the_queue_ends_when_each_sample_generated_is_rated(run: RunView) -> None:
    assert [rate(run, agreeing=True) for _ in range(6)] == [5, 4, 3, 2, 1, 0]

    done = blind_queue(run)
    assert (done.total, done.done, done.following) == (6, 6, None)
    (found,) = human_agreement(run)
    assert (found.verdict_of, found.found.answers, found.found.shares.agreement) == ("the checks", 6, 1.0)


def test_a_rating_that_differs_lowers_the_agreement(run: RunView) -> None:
    for place in range(4):
        rate(run, agreeing=place != 0)

    (found,) = human_agreement(run)

    assert found.found.shares.agreement == 0.75


def test_a_later_rating_of_a_sample_counts_instead(run: RunView) -> None:
    first = blind_queue(run).following
    assert first is not None
    rate(run, agreeing=False)
    right = "wrong" if first.text == BAD else "right"
    run.mark(first.row.key, first.attempt, label=right, note="", is_blind=True)

    assert [one.found.shares.agreement for one in human_agreement(run)] == [1.0]


def test_marks_that_were_not_blind_and_unclear_ones_are_no_ratings(run: RunView) -> None:
    first = blind_queue(run).following
    assert first is not None
    run.mark(first.row.key, first.attempt, label="right", note="")
    assert blind_queue(run).done == 0
    run.mark(first.row.key, first.attempt, label="unclear", note="", is_blind=True)

    assert blind_queue(run).done == 1
    assert human_agreement(run) == []


def test_judges_are_compared_where_they_gave_a_verdict() -> None:
    ended = {SamplePlace(1, 0): Verdicts(True, False), SamplePlace(1, 1): Verdicts(True, None)}  # noqa: FBT003
    said = dict.fromkeys(ended, True)

    found = rating._compare_ratings(said, ended, rating.VERDICTS["the judges"])

    assert found is not None
    assert (found.answers, found.shares.agreement) == (1, 0.0)
