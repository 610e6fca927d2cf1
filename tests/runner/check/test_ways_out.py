"""No wrong answer leaves the score by breaking its own check."""

from collections.abc import Iterator

import pytest

from steelyard.model.sample import Sample
from steelyard.runner.check.checking import Checking
from steelyard.runner.check.sandboxes import make_sandbox
from tests.runner.check.ways_out import WayOut, ways_out

WAYS = tuple(ways_out())


@pytest.fixture(scope="module")
def checking(pytestconfig: pytest.Config) -> Iterator[Checking]:
    sandbox = make_sandbox(pytestconfig.getoption("--sandbox"))
    yield Checking(sandbox)
    sandbox.close()  # type: ignore[attr-defined]  # every one of ours can be closed


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_a_wrong_answer_counts_as_wrong_whatever_it_tries(way: WayOut, checking: Checking) -> None:
    sample = Sample(model="m", tier="T0", suite="s", case=way.case.id, digest="d", attempt=0, text=way.text)

    found = checking.outcome(way.case, sample)

    kind = found.facts.classification
    assert kind is not None, found.detail
    assert kind.is_failure, f"{kind}: {found.detail}"
    assert not found.broke_its_check, found.detail
    assert found.check_digest, "graded as every other answer to the case"


def test_more_than_sixty_ways_are_tried() -> None:
    assert len(WAYS) >= 60
    assert len({way.name for way in WAYS}) == len(WAYS)
