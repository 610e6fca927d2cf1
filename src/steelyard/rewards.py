"""Reward functions for trainers, with the verdicts of `steelyard run`.

Each calls `steelyard serve`. An infrastructure error gives None
where the trainer has a word for "no reward", and raises an error where it has none; it is never a 0.
"""

import asyncio
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from steelyard.errors import InfrastructureError, UserError

PATIENCE_S = 600.0  # for a service that refuses checks because it is busy
LONGEST_PAUSE_S = 10.0
BATCH = 256
CONNECTIONS = 8
TRY_AGAIN = frozenset({"queue_full", "too_late", "breaker_open", "draining", "worker_lost"})

Message = Mapping[str, str]
Completion = str | Sequence[Message]


class InfrastructureRewardError(InfrastructureError):
    """An answer got no verdict, and the trainer has no way to leave it out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardService:
    """A client of `steelyard serve`."""

    url: str
    token: str | None = None
    source: str = ""
    deadline_s: float | None = None

    def rewards(self, cases: Sequence[str], completions: Sequence[Completion]) -> list[float | None]:
        """Return the reward of each completion to the case `SET/CASE`; None for infrastructure errors."""
        items = [self._item(case, text_of(answer)) for case, answer in zip(cases, completions, strict=True)]
        batches = [items[start : start + BATCH] for start in range(0, len(items), BATCH)]
        with ThreadPoolExecutor(CONNECTIONS) as threads:
            return [reward for rewards in threads.map(self._rewards_of, batches) for reward in rewards]

    def _item(self, case: str, completion: str) -> dict[str, object]:
        eval_set, slash, case_id = case.partition("/")
        if not slash:
            raise UserError(f"case {case!r} is not of the form SET/CASE")
        item: dict[str, object] = {
            "completion": completion,
            "eval_set": eval_set,
            "case": case_id,
            "source": self.source,
        }
        return item if self.deadline_s is None else {**item, "deadline_s": self.deadline_s}

    def _rewards_of(self, items: Sequence[Mapping[str, object]]) -> list[float | None]:
        """Return rewards in order; refused items are sent again until the patience ends."""
        rewards: dict[int, float | None] = {}
        remaining = dict(enumerate(items))
        give_up_at = time.monotonic() + PATIENCE_S
        while remaining:
            pause_s = 0.0
            for index, reply in self._replies(remaining):
                error = reply["error"] or {}
                if error.get("kind") == "invalid_request":
                    raise UserError(
                        f"{remaining[index]['eval_set']}/{remaining[index]['case']}: {error['detail']}"
                    )
                if error.get("kind") in TRY_AGAIN and time.monotonic() < give_up_at:
                    pause_s = max(pause_s, min(error.get("retry_after_s", 1), LONGEST_PAUSE_S))
                    continue
                rewards[index] = reply["reward"]
            remaining = {index: item for index, item in remaining.items() if index not in rewards}
            time.sleep(pause_s)
        return [rewards[index] for index in range(len(items))]

    def _replies(self, items: Mapping[int, Mapping[str, object]]) -> Iterator[tuple[int, dict]]:  # type: ignore[type-arg]
        body = {"items": [{**item, "id": str(index)} for index, item in items.items()]}
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(  # noqa: S310  # the user's own address
            f"{self.url.rstrip('/')}/v1/check/batch", json.dumps(body).encode(), headers
        )
        try:
            with urllib.request.urlopen(request) as lines:  # noqa: S310
                for line in lines:
                    reply = json.loads(line)
                    yield int(reply["id"]), reply
        except urllib.error.HTTPError as error:
            raise InfrastructureError(
                f"{self.url}: {error.code}: {error.read().decode(errors='replace')}"
            ) from error
        except OSError as error:
            raise InfrastructureError(f"{self.url}: {error}") from error


def text_of(completion: Completion) -> str:
    """Return the text of a completion, which may be a list of chat messages."""
    return (
        completion if isinstance(completion, str) else "".join(part["content"] or "" for part in completion)
    )


def for_trl(service: RewardService, *, column: str = "case") -> Callable[..., list[float | None]]:
    """Return a reward function for TRL; the data set's `column` names the case as `SET/CASE`.

    TRL leaves samples whose reward is None out of the update.
    """

    def steelyard_reward(
        prompts: Sequence[object],  # noqa: ARG001  # TRL passes it by name
        completions: Sequence[Completion],
        **columns: Sequence[str],
    ) -> list[float | None]:
        return service.rewards(columns[column], completions)

    return steelyard_reward


def for_trl_async(
    service: RewardService, *, column: str = "case"
) -> Callable[..., Coroutine[None, None, list[float | None]]]:
    """Return the same as a coroutine function, which TRL awaits beside its other rewards."""
    reward = for_trl(service, column=column)

    async def steelyard_reward(
        prompts: Sequence[object], completions: Sequence[Completion], **columns: Sequence[str]
    ) -> list[float | None]:
        return await asyncio.to_thread(reward, prompts, completions, **columns)

    return steelyard_reward


def for_verl(service: RewardService) -> Callable[..., float]:
    """Return a `compute_score` for verl; `ground_truth` names the case as `SET/CASE`.

    verl has no word for a missing reward, so an infrastructure error raises.
    """

    def compute_score(
        data_source: str,  # noqa: ARG001  # verl passes it by name, as it does further words
        solution_str: str,
        ground_truth: str,
        **_: object,
    ) -> float:
        (reward,) = service.rewards([ground_truth], [solution_str])
        return _required(reward, ground_truth)

    return compute_score


def for_openrlhf(service: RewardService) -> Callable[..., dict[str, object]]:
    """Return a `reward_func` for OpenRLHF; labels name cases as `SET/CASE`. Infrastructure errors raise."""

    def reward_func(
        queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str], **_: object
    ) -> dict[str, object]:
        answers = [query.removeprefix(prompt) for query, prompt in zip(queries, prompts, strict=True)]
        rewards = [
            _required(reward, label)
            for reward, label in zip(service.rewards(labels, answers), labels, strict=True)
        ]
        return {"rewards": rewards, "scores": rewards, "extra_logs": {}}

    return reward_func


def _required(reward: float | None, case: str) -> float:
    if reward is None:
        raise InfrastructureRewardError(f"{case}: the check ended in an infrastructure error; call it again")
    return reward
