"""Draw by a stop rule: of each case only what the rule still demands after all that was seen of it.

A case goes on as soon as its own outcomes are kept; nobody waits for the others. Nothing is drawn that the
rule might have spared, and nothing is decided by what has not been kept.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from steelyard.metrics.stopping import StopRule, sure_draws
from steelyard.model.sample import SampleKey
from steelyard.runner.draw.provider_pool import provider_name
from steelyard.store.run.progress import CaseName, CaseProgress

LOOK_S = 0.2  # between two looks whether drawing is over while outcomes are awaited
NOTHING = CaseProgress(samples=0, cost_nano_usd=0, unpriced=0, evidence=0, passes=0, errors=0)


@dataclass(slots=True)
class _Case:
    """How far one subject's case is."""

    undrawn: deque[int] = field(default_factory=deque)  # attempts
    n: int = 0  # evidence
    c: int = 0  # passes among it
    awaited: int = 0  # samples that are drawn or being drawn, and have no outcome yet


class Rounds:
    """Which samples come next, by provider; for one event loop."""

    def __init__(
        self,
        rule: StopRule,
        undrawn: Iterable[SampleKey],
        seen: Mapping[CaseName, CaseProgress],
        *,
        provider_of: Callable[[str, str], str] = lambda model, _: provider_name(model),
    ) -> None:
        """Take what could be drawn, attempts of one case together, and what was seen of each case before.

        `provider_of` tells who is asked for a model in a tier.
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
            self._go_on(name)

    def saw(self, key: SampleKey, *, passed: bool | None) -> None:
        """Note an outcome that was kept; None is our own error, which is no evidence."""
        case = self._cases.get(_name(key))
        if case is None:
            return
        case.awaited -= 1
        self._count(_name(key), -1)
        if passed is not None:
            case.n += 1
            case.c += passed
        self._go_on(_name(key))
        self._changed.set()

    async def more(self, provider: str, *, is_over: Callable[[], bool]) -> list[SampleKey]:
        """Return what is to be drawn from a provider, as soon as there is something; nothing at the end."""
        while not is_over():
            if ready := self._ready.pop(provider, None):
                return ready
            if not self._awaited.get(provider):
                break
            self._changed.clear()
            try:
                async with asyncio.timeout(LOOK_S):
                    await self._changed.wait()
            except TimeoutError:
                continue
        return []

    def _go_on(self, name: CaseName) -> None:
        """Make ready what the rule demands of a case, whatever it will show, unless some is under way."""
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


def _name(key: SampleKey) -> CaseName:
    return key.model, key.tier, key.suite, key.case, key.digest
