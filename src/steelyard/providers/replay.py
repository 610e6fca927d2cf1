"""Give recorded answers instead of asking anybody: the offline mode.

The caller passes a function that looks an answer up, in a file or in a stored run.
"""

from collections.abc import Callable
from dataclasses import replace

from steelyard.errors import NOT_RECORDED, ProviderError
from steelyard.model.request import Reply, Request
from steelyard.model.sample import JUDGE_TIER, SampleKey, without_terms

Lookup = Callable[[SampleKey], Reply | None]


class ReplayProvider:
    """Replies with what is on record, word for word, with its tokens, cost and times.

    An answer that is not on record is an error of ours and no evidence; asking again would not help.
    """

    def __init__(self, find: Lookup, *, where: str) -> None:
        self._find = find
        self._where = where

    async def draw(self, request: Request) -> Reply:
        """Return the recorded reply; nothing is waited for."""
        is_judge = request.key.tier == JUDGE_TIER
        reply = self._find(request.key)
        if reply is None and (earlier := request.earlier_key) is not None:  # a record of an earlier version
            reply = self._find(earlier) or self._find(without_terms(earlier))
        if reply is None:
            raise ProviderError(_missing(request.key, self._where), kind=NOT_RECORDED)
        return replace(reply, is_kept=True) if is_judge else reply

    async def close(self) -> None:
        """Do nothing: the caller opened the record and closes it."""


def _missing(key: SampleKey, where: str) -> str:
    asked = f"{key.suite}/{key.case} in the form {key.digest[:8]}, attempt {key.attempt}"
    return f"{where} holds no answer of {key.model} ({key.tier}) to {asked}"
