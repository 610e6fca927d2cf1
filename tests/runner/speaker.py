"""A provider for tests that can be sent to a worker: it says the same to the same request everywhere."""

import asyncio
from dataclasses import dataclass

from steelyard.errors import ProviderError
from steelyard.model.case import Case, Expectations
from steelyard.model.evalset import EvalSet, Suite
from steelyard.model.request import Parameters, Reply, Request, Usage
from steelyard.model.sample import SampleKey

CASES = 8
FAULTS = {
    "cut": ProviderError("cut", kind="cut", may_retry=True, may_be_billed=True),
    "bad_key": ProviderError("wrong key", kind="bad_key", is_fatal=True),
    "rejected": ProviderError("too long", kind="rejected"),
}
SET = EvalSet(
    id="s",
    cases=tuple(
        Case(
            id=f"c{number}",
            language="text",
            prompt=f"{number}?",
            expectations=Expectations(settings={"exact": "1"}),
        )
        for number in range(CASES)
    ),
    suites=(Suite(id="default"),),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaker:
    """Answers after a while, with 1 or 0 in turn; or fails in the same way every time."""

    seconds: float = 0.0
    cost: int | None = 1_000
    fault: str | None = None  # one of FAULTS

    async def generate(self, request: Request) -> Reply:
        """Answer, or fail."""
        await asyncio.sleep(self.seconds)
        if self.fault is not None:
            raise FAULTS[self.fault]
        key = request.key
        answer = (len(key.model) + int(key.case[1:]) + key.attempt) % 2
        usage = Usage(tokens_in=10, tokens_out=1)
        return Reply(text=str(answer), usage=usage, cost_nano_usd=self.cost, latency_us=5)

    async def close(self) -> None:
        """Nothing is open."""


def requests(count: int, *, max_tokens: int | None = None) -> list[Request]:
    """Return some requests to one case."""
    case = SET.cases[0]
    return [
        Request(
            key=SampleKey("lab/m", "T0", case.suite, case.id, case.digest, attempt),
            prompt=case.prompt,
            parameters=Parameters(max_tokens=max_tokens),
        )
        for attempt in range(count)
    ]
