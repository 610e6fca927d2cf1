"""Schedule the samples that a stop rule still needs.

A case continues as soon as its own outcomes are committed. Only samples that the rule needs in any event are
scheduled.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from steelyard.metrics.stopping import StopRule, sure_samples
from steelyard.model.sample import SampleKey
from steelyard.runner.requests import provider_name
from steelyard.store.run.progress import CaseName, CaseProgress

CHECK_S = 0.2  # poll interval for the end of generation
NOTHING = CaseProgress(samples=0, cost_nano_usd=0, unpriced=0, evidence=0, passes=0, errors=0)


@dataclass(slots=True)
class _Case:
    """The state of one case of one subject."""

    pending: deque[int] = field(default_factory=deque)  # attempts
    n: int = 0  # evidence
    c: int = 0  # passes among it
    awaited: int = 0  # scheduled samples without an outcome


class StopRuleScheduler:
    """Schedules samples by provider; for one event loop."""

    def __init__(
        self,
        rule: StopRule,
        pending: Iterable[SampleKey],
        seen: Mapping[CaseName, CaseProgress],
        *,
        provider_of: Callable[[str, str], str] = lambda model, _: provider_name(model),
    ) -> None:
        """`pending` keys are grouped by case; `seen` are the outcomes so far.

        `provider_of` returns the provider of a model in a tier.
        """
        self._rule = rule
        self._provider_of = provider_of
        self._cases: dict[CaseName, _Case] = {}
        self._ready: dict[str, list[SampleKey]] = {}
        self._awaited: dict[str, int] = {}
        self._changed = asyncio.Event()
        for name, keys in groupby(pending, key=_name_case):
            case_progress = seen.get(name, NOTHING)
            awaited = case_progress.samples - case_progress.evidence - case_progress.errors
            self._cases[name] = _Case(
                deque(key.attempt for key in keys), case_progress.evidence, case_progress.passes, awaited
            )
            self._count_outcome(name, awaited)
            self._schedule(name)
        self._ready = {provider: models_first(keys) for provider, keys in self._ready.items()}

    def add_outcome(self, key: SampleKey, *, passed: bool | None) -> None:
        """Add a committed outcome; `passed` is None after an infrastructure error."""
        case = self._cases.get(_name_case(key))
        if case is None:
            return
        case.awaited -= 1
        self._count_outcome(_name_case(key), -1)
        if passed is not None:
            case.n += 1
            case.c += passed
        self._schedule(_name_case(key))
        self._changed.set()

    async def next_keys(self, provider: str, *, is_over: Callable[[], bool]) -> list[SampleKey]:
        """Return the next keys of a provider, when there are any; an empty list at the end."""
        while not is_over():
            if ready := self._ready.pop(provider, None):
                return ready
            if not self._awaited.get(provider):
                break
            self._changed.clear()
            try:
                async with asyncio.timeout(CHECK_S):
                    await self._changed.wait()
            except TimeoutError:
                continue
        return []

    def _schedule(self, name: CaseName) -> None:
        """Schedule the samples that the rule needs in any event, unless some are in flight."""
        case = self._cases[name]
        if case.awaited:
            return
        requested = min(sure_samples(self._rule, n=case.n, c=case.c), len(case.pending))
        keys = [SampleKey._make((*name, case.pending.popleft())) for _ in range(requested)]
        case.awaited += requested
        self._count_outcome(name, requested)
        if keys:
            self._ready.setdefault(self._provider_of(name[0], name[1]), []).extend(keys)

    def _count_outcome(self, name: CaseName, change: int) -> None:
        provider = self._provider_of(name[0], name[1])
        self._awaited[provider] = self._awaited.get(provider, 0) + change


def models_first(keys: Sequence[SampleKey]) -> list[SampleKey]:
    """Move the first key of each model to the front, to notice misspelt models early."""
    first = {key.model: index for index, key in reversed(list(enumerate(keys)))}
    front = set(first.values())
    return [keys[index] for index in sorted(front)] + [
        key for index, key in enumerate(keys) if index not in front
    ]


def _name_case(key: SampleKey) -> CaseName:
    return key.model, key.tier, key.suite, key.case, key.digest
