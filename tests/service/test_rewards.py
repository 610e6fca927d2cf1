"""Reward functions give trainers what the service says, in the form that each expects."""

import asyncio

import pytest

from steelyard.errors import UserError
from steelyard.rewards import (
    InfrastructureRewardError,
    RewardService,
    for_openrlhf,
    for_trl,
    for_trl_async,
    for_verl,
)
from tests.service.servers import DOUBLE, WRONG, Server

CASES = ["small/double", "small/double"]
SLEEPER = "import time\ndef double(n):\n    time.sleep(20)\n"


def test_trl_gets_a_list_with_none_for_infrastructure_errors(server: Server) -> None:
    reward = for_trl(RewardService(url=server.url, deadline_s=2.5))
    chat = [{"role": "assistant", "content": DOUBLE}]

    rewards = reward(prompts=["", "", ""], completions=[chat, WRONG, SLEEPER], case=[*CASES, "small/patient"])

    assert rewards == [1.0, 0.0, None]


def test_trl_may_await_the_reward(server: Server) -> None:
    reward = for_trl_async(RewardService(url=server.url))

    assert asyncio.run(reward(prompts=["", ""], completions=[DOUBLE, WRONG], case=CASES)) == [1.0, 0.0]


def test_verl_gets_a_number_or_an_error(server: Server) -> None:
    score = for_verl(RewardService(url=server.url, deadline_s=1))

    assert score(data_source="code", solution_str=DOUBLE, ground_truth="small/double", extra_info={}) == 1.0
    with pytest.raises(InfrastructureRewardError):
        score(data_source="code", solution_str=SLEEPER, ground_truth="small/patient", extra_info={})


def test_openrlhf_gets_rewards_and_scores(server: Server) -> None:
    reward = for_openrlhf(RewardService(url=server.url))

    result = reward(["say: " + DOUBLE, WRONG], ["say: ", ""], CASES)

    assert (result["rewards"], result["scores"]) == ([1.0, 0.0], [1.0, 0.0])


def test_a_case_that_is_not_served_is_the_users_error(server: Server) -> None:
    with pytest.raises(UserError, match="gone"):
        RewardService(url=server.url).rewards(["small/gone"], [DOUBLE])


def test_remote_rewards_over_http(server: Server) -> None:
    body = {"query": ["say: " + DOUBLE, WRONG], "prompts": ["say: ", ""], "labels": CASES}

    assert server.request("POST", "/remote_rm", body).json["rewards"] == [1.0, 0.0]


def test_nemo_gym_masks_infrastructure_errors(server: Server) -> None:
    body = {
        "responses_create_params": {"input": []},
        "response": {"output": [{"type": "message", "content": [{"type": "output_text", "text": DOUBLE}]}]},
        "verifier_metadata": {"eval_set": "small", "case": "double"},
    }

    reply = server.request("POST", "/verify", body).json

    assert (reply["reward"], reply["mask_sample"]) == (1.0, False)
    assert reply["response"] == body["response"]
