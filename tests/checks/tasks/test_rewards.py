"""Rewards as a verifier wrote them."""

import pytest

from steelyard.checks.tasks.rewards import is_full, read_rewards
from steelyard.model.tree import File, Tree


def written(**texts: str) -> Tree:
    return Tree(files={name.replace("_", "."): File(content=text.encode()) for name, text in texts.items()})


def test_a_table_of_rewards_wins_over_a_single_one() -> None:
    assert read_rewards(written(reward_json='{"a": 1, "b": 0.5}', reward_txt="1")) == {"a": 1.0, "b": 0.5}
    assert read_rewards(written(reward_txt=" 1\n")) == {"reward": 1.0}


@pytest.mark.parametrize("text", ["", "nan", "inf", "one", "1 1"])
def test_what_is_no_finite_number_is_no_reward(text: str) -> None:
    with pytest.raises(ValueError, match=r"reward\.txt"):
        read_rewards(written(reward_txt=text))


@pytest.mark.parametrize("text", ["", "[1]", "{}", '{"a": null}', '{"a": "x"}', '{"a": NaN}', "[" * 100_000])
def test_a_table_without_finite_numbers_is_no_reward(text: str) -> None:
    with pytest.raises(ValueError, match=r"reward\.json"):
        read_rewards(written(reward_json=text))


def test_a_missing_reward_and_a_link_are_refused() -> None:
    with pytest.raises(ValueError, match="no reward"):
        read_rewards(Tree())
    with pytest.raises(ValueError, match="a symbolic link"):
        read_rewards(Tree(others={"reward.txt": "a symbolic link to /etc/passwd"}))


def test_rewards_are_full_only_if_all_are() -> None:
    assert is_full({"a": 1.0, "b": 1.5})
    assert not is_full({"a": 1.0, "b": 0.99})
    assert not is_full({})
