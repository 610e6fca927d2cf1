"""Replay recorded answers without calling a model.

The caller passes a lookup function, into a file or a stored run.
"""

from collections.abc import Callable
from dataclasses import replace

from steelyard.errors import NOT_RECORDED, ProviderError
from steelyard.model.request import Reply, Request
from steelyard.model.sample import JUDGE_TIER, SampleKey

Lookup = Callable[[SampleKey], Reply | None]


class ReplayProvider:
    """Returns recorded replies with their tokens, costs and times.

    A missing answer is an infrastructure error without retries.
    """

    def __init__(self, find: Lookup, *, where: str) -> None:
        self._find = find
        self._where = where

    async def generate(self, request: Request) -> Reply:
        """Return the recorded reply."""
        is_judge = request.key.tier == JUDGE_TIER
        reply = self._find(request.key)
        if reply is None:
            raise ProviderError(_describe_missing(request.key, self._where), kind=NOT_RECORDED)
        return replace(reply, is_kept=True) if is_judge else reply

    async def close(self) -> None:
        """Do nothing: the caller closes the record."""


def _describe_missing(key: SampleKey, where: str) -> str:
    sample = f"{key.suite}/{key.case} in the form {key.digest[:8]}, attempt {key.attempt}"
    return f"{where} has no answer of {key.model} ({key.tier}) to {sample}"
