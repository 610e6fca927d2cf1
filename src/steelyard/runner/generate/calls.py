"""Count waiting and retried calls per provider, and report finished ones."""

import asyncio
import warnings
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime

from steelyard.errors import ProviderError
from steelyard.model.call import CallObserver, CallRecord
from steelyard.model.request import Reply, Request
from steelyard.model.sample import SampleKey
from steelyard.model.units import MICROSECONDS, NANO_USD
from steelyard.runner.generate.clean import clean_text
from steelyard.runner.telemetry import record_cost, record_retry, record_tokens

OK = "ok"


class Calls:
    """The calls of one session, in this process."""

    def __init__(self, observe: CallObserver = lambda _: None) -> None:
        self._observe = observe
        self._answers: Counter[str] = Counter()  # that are being generated, by provider
        self._retries: dict[str, Counter[str]] = {}

    def waiting(self, provider: str, in_flight: int) -> int:
        """Return the number of answers waiting for a slot, budget or a retry."""
        return max(0, self._answers[provider] - in_flight)

    def retries(self, provider: str) -> Mapping[str, int]:
        """Return the number of retries by kind of error."""
        return dict(self._retries.get(provider, {}))

    @contextmanager
    def generating(self, request: Request) -> Iterator[None]:
        """Count an answer as active within this context."""
        self._answers[request.provider] += 1
        try:
            yield
        finally:
            self._answers[request.provider] -= 1

    def answered(self, request: Request, number: int, reply: Reply) -> None:
        """Report a successful call."""
        latency, cost = reply.latency_us, reply.cost_nano_usd
        record_cost(request, cost)
        self._report(
            request,
            number,
            OK,
            latency_s=None if latency is None else latency / MICROSECONDS,
            tokens_in=reply.usage.tokens_in,
            tokens_out=reply.usage.tokens_out,
            cost_usd=None if cost is None else cost / NANO_USD,
            request_id=reply.request_id,
        )

    def answered_in_batch(self, key: SampleKey, reply: Reply) -> None:
        """Report an answer of a batch as one call of unknown duration."""
        request = Request(key=key, prompt="")  # reports contain no prompt, and the case may have changed
        record_tokens(request, reply.usage)
        self.answered(request, 1, reply)

    def failed(self, request: Request, number: int, error: ProviderError, *, will_retry: bool) -> None:
        """Report a call that failed."""
        if will_retry:
            self._retries.setdefault(request.provider, Counter())[error.kind] += 1
            record_retry(request, error.kind)
        # The provider has taken its key out of the message.
        self._report(request, number, error.kind, will_retry=will_retry, message=clean_text(str(error)))

    def _report(self, request: Request, number: int, ended: str, **more: object) -> None:
        key = request.key
        record = CallRecord(
            at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            provider=request.provider,
            model=key.model,
            tier=key.tier,
            suite=key.suite,
            case=key.case,
            attempt=key.attempt,
            number=number,
            ended=ended,
            **more,  # type: ignore[arg-type]  # named as the fields are
        )
        try:
            self._observe(record)
        except Exception as error:  # noqa: BLE001  # a full disk must not lose a paid answer
            self._observe = lambda _: None
            warnings.warn(f"calls are no longer reported: {type(error).__name__}: {error}", stacklevel=2)


class GivenUp(Exception):
    """The call was cancelled before it began; the request stays pending."""


class Waiting:
    """The queued calls by provider; for one event loop."""

    def __init__(self) -> None:
        self._calls: dict[asyncio.Timeout, str] = {}

    @asynccontextmanager
    async def of(self, provider: str) -> AsyncIterator[None]:
        """Context of a wait; raises GivenUp if it is cancelled."""
        patience = asyncio.timeout(None)
        try:
            async with patience:
                self._calls[patience] = provider
                yield
        except TimeoutError:
            raise GivenUp from None
        finally:
            self._calls.pop(patience, None)

    def end(self, is_over: Callable[[str], bool]) -> None:
        """Cancel the queued calls of the providers that `is_over`."""
        now = asyncio.get_running_loop().time()
        for patience in [waiting for waiting, provider in self._calls.items() if is_over(provider)]:
            del self._calls[patience]  # cancelled once, even if the session is stopped again
            patience.reschedule(now)
