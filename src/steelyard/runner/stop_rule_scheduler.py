"""Choose what to draw next by a stop rule: of each case only what the rule still needs.

A case goes on as soon as its own outcomes are committed; cases do not wait for each other. Nothing is drawn
that the rule might have made unnecessary, and only committed outcomes decide.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from steelyard.metrics.stopping import StopRule, sure_draws
from steelyard.model.sample import SampleKey
from steelyard.runner.requests import provider_name
from steelyard.store.run.progress import CaseName, CaseProgress

CHECK_S = 0.2  # how often to check whether drawing is over while outcomes are awaited
NOTHING = CaseProgress(samples=0, cost_nano_usd=0, unpriced=0, evidence=0, passes=0, errors=0)


@dataclass(slots=True)
class _Case:
    """The state of one case of one subject."""

    undrawn: deque[int] = field(default_factory=deque)  # attempts
    n: int = 0  # evidence
    c: int = 0  # passes among it
    awaited: int = 0  # samples that are drawn or being drawn, and have no outcome yet


class StopRuleScheduler:
    """Which samples come next, by provider; for one event loop."""

    def __init__(
        self,
        rule: StopRule,
        undrawn: Iterable[SampleKey],
        seen: Mapping[CaseName, CaseProgress],
        *,
        provider_of: Callable[[str, str], str] = lambda model, _: provider_name(model),
    ) -> None:
        """Set what could be drawn, attempts of one case together, and the outcomes of each case so far.

        `provider_of` returns the provider of a model in a tier.
        """
        self._rule = rule
        self._provider_of = provider_of
        self._cases: dict[CaseName, _Case] = {}
        self._ready: dict[str, list[SampleKey]] = {}
        self._awaited: dict[str, int] = {}
        self._changed = asyncio.Event()
        for name, keys in groupby(undrawn, key=_name):
            known = seen.get(name, NOTHING)
            awaited = known.samples - known.evidence - known.errors
            self._cases[name] = _Case(
                deque(key.attempt for key in keys), known.evidence, known.passes, awaited
            )
            self._count(name, awaited)
            self._schedule(name)
        self._ready = {provider: models_first(keys) for provider, keys in self._ready.items()}

    def add_outcome(self, key: SampleKey, *, passed: bool | None) -> None:
        """Add a committed outcome; None is an infrastructure error, which is no evidence."""
        case = self._cases.get(_name(key))
        if case is None:
            return
        case.awaited -= 1
        self._count(_name(key), -1)
        if passed is not None:
            case.n += 1
            case.c += passed
        self._schedule(_name(key))
        self._changed.set()

    async def next_keys(self, provider: str, *, is_over: Callable[[], bool]) -> list[SampleKey]:
        """Return what to draw from a provider, as soon as there is something; an empty list at the end."""
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
        """Make ready what the rule needs of a case in any event, unless some of it is under way."""
        case = self._cases[name]
        if case.awaited:
            return
        wanted = min(sure_draws(self._rule, n=case.n, c=case.c), len(case.undrawn))
        keys = [SampleKey._make((*name, case.undrawn.popleft())) for _ in range(wanted)]
        case.awaited += wanted
        self._count(name, wanted)
        if keys:
            self._ready.setdefault(self._provider_of(name[0], name[1]), []).extend(keys)

    def _count(self, name: CaseName, change: int) -> None:
        provider = self._provider_of(name[0], name[1])
        self._awaited[provider] = self._awaited.get(provider, 0) + change


def models_first(keys: Sequence[SampleKey]) -> list[SampleKey]:
    """Return keys with the first one of each model in front: a misspelt model is seen at once."""
    first = {key.model: place for place, key in reversed(list(enumerate(keys)))}
    front = set(first.values())
    return [keys[place] for place in sorted(front)] + [
        key for place, key in enumerate(keys) if place not in front
    ]


def _name(key: SampleKey) -> CaseName:
    return key.model, key.tier, key.suite, key.case, key.digest
