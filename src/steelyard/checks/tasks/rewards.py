"""Read the rewards that a verifier wrote."""

import json
import math
from collections.abc import Mapping

from steelyard.model.tree import Tree

LARGEST = 1 << 20
JSON_FILE, TEXT_FILE = "reward.json", "reward.txt"
FULL = 1.0


def read_rewards(written: Tree) -> dict[str, float]:
    """Return the rewards by name, as Harbor reads them; raises ValueError if there are none.

    >>> from steelyard.model.tree import File
    >>> read_rewards(Tree(files={"reward.txt": File(content=b"0.5")}))
    {'reward': 0.5}
    """
    for name in (JSON_FILE, TEXT_FILE):
        if name in written.others:
            raise ValueError(f"{name} is {written.others[name]}")
        if name in written.files:
            content = written.files[name].content
            if len(content) > LARGEST:
                raise ValueError(f"{name} has {len(content):,} bytes")
            return _rewards_of(name, content.decode("utf-8", "replace"))
    raise ValueError("the verifier wrote no reward")


def is_full(rewards: Mapping[str, float]) -> bool:
    """Whether every reward is 1 or more."""
    return bool(rewards) and all(reward >= FULL for reward in rewards.values())


def _rewards_of(name: str, text: str) -> dict[str, float]:
    if name == TEXT_FILE:
        return {"reward": _number(name, text.strip())}
    try:
        table = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"{name} is no JSON") from None
    if not isinstance(table, dict) or not table:
        raise ValueError(f"{name} holds no table of rewards")
    return {str(key): _number(name, value) for key, value in table.items()}


def _number(name: str, value: object) -> float:
    try:
        number = float(value) if isinstance(value, str | int | float) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{name} holds {str(value)[:40]!r}, which is no finite number")
    return number
