"""OpenTelemetry spans and metrics of a run: calls, checks, tokens, cost, retries.

Names follow OpenTelemetry's conventions for generative AI. Only the API is used; an exporter is configured
outside, such as by `opentelemetry-instrument`. Without it or the extra `otel`, nothing happens. Prompts,
answers, error messages and keys are never sent.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from steelyard.errors import ProviderError
from steelyard.model.outcome import Outcome
from steelyard.model.request import Reply, Request, Usage
from steelyard.model.sample import Sample
from steelyard.model.units import NANO_USD

try:
    from opentelemetry import metrics, trace
except ModuleNotFoundError:  # the extra `otel` is not installed
    _found = None
else:
    _found = trace.get_tracer("steelyard"), metrics.get_meter("steelyard")

Attributes = dict[str, str | int | float]


class Instruments:
    """The tracer and the instruments of a run."""

    def __init__(self, tracer: "trace.Tracer", meter: "metrics.Meter") -> None:
        # Error messages may contain anything.
        self._start = partial(
            tracer.start_as_current_span, record_exception=False, set_status_on_exception=False
        )
        self.tokens = meter.create_histogram("gen_ai.client.token.usage", "{token}")
        self.seconds = meter.create_histogram("gen_ai.client.operation.duration", "s")
        self.cost = meter.create_counter("steelyard.cost", "USD")
        self.retries = meter.create_counter("steelyard.retries", "{retry}")
        self.under_way = meter.create_up_down_counter("steelyard.under_way", "{item}")
        self.samples = meter.create_counter("steelyard.samples", "{sample}")

    @contextmanager
    def span(
        self, name: str, about: Attributes, *, kind: "trace.SpanKind | None" = None
    ) -> Iterator["trace.Span"]:
        """Open a span that records errors without their messages."""
        chosen = trace.SpanKind.INTERNAL if kind is None else kind
        with self._start(name, attributes=about, kind=chosen) as span:
            try:
                yield span
            except Exception:
                span.set_status(trace.StatusCode.ERROR)
                raise


_otel = None if _found is None else Instruments(*_found)


@contextmanager
def run_span(run: str, eval_set: str) -> Iterator[None]:
    """Open the span of a session; calls and checks are inside it."""
    if _otel is None:
        yield
        return
    about: Attributes = {"steelyard.run": run, "steelyard.eval_set": eval_set}
    with _otel.span("steelyard run", about):
        yield


@contextmanager
def call_span(request: Request) -> Iterator[Callable[[Reply], None]]:
    """Open the span of one model call; yields a function that takes the reply."""
    if _otel is None:
        yield lambda _: None
        return
    about, began = _about_call(request), time.monotonic()
    more = _list_parameters(request) | _about_case(request.key.suite, request.key.case, request.key.attempt)
    with _otel.span(f"chat {request.model_name}", about | more, kind=trace.SpanKind.CLIENT) as span:
        _otel.under_way.add(1, {"steelyard.stage": "call"})
        try:
            yield partial(_record_reply, _otel, span, about)
        except ProviderError as error:
            about["error.type"] = error.kind
            span.set_attribute("error.type", error.kind)
            raise
        finally:
            _otel.under_way.add(-1, {"steelyard.stage": "call"})
            _otel.seconds.record(time.monotonic() - began, about)


def check_span(sample: Sample, check: Callable[[], Outcome]) -> Outcome:
    """Check a sample inside a span."""
    if _otel is None:
        return check()
    about: Attributes = {"gen_ai.request.model": sample.model, "steelyard.tier": sample.tier}
    whole = about | _about_case(sample.suite, sample.case, sample.attempt)
    with _otel.span(f"check {sample.case}", whole) as span:
        _otel.under_way.add(1, {"steelyard.stage": "check"})
        try:
            outcome = check()
        finally:
            _otel.under_way.add(-1, {"steelyard.stage": "check"})
        ended: Attributes = {"steelyard.classification": str(outcome.facts.classification or "unknown")}
        span.set_attributes(ended)
        _otel.samples.add(1, about | ended)
    return outcome


def record_cost(request: Request, nano_usd: int | None) -> None:
    """Record the cost of a call, if known."""
    if _otel is not None and nano_usd is not None:
        _otel.cost.add(nano_usd / NANO_USD, _about_call(request))


def record_tokens(request: Request, usage: Usage) -> None:
    """Record the tokens of an answer without its own call, as from a batch."""
    if _otel is not None:
        _record_tokens(_otel, _about_call(request), usage)


def record_retry(request: Request, kind: str) -> None:
    """Record a retry."""
    if _otel is not None:
        _otel.retries.add(1, _about_call(request) | {"error.type": kind})


def _about_call(request: Request) -> Attributes:
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": request.provider,
        "gen_ai.request.model": request.model_name,
    }


def _list_parameters(request: Request) -> Attributes:
    parameters = request.parameters
    named = {
        "gen_ai.request.temperature": parameters.temperature,
        "gen_ai.request.top_p": parameters.top_p,
        "gen_ai.request.max_tokens": parameters.max_tokens,
        "gen_ai.request.seed": parameters.seed,
    }
    return {name: value for name, value in named.items() if value is not None}


def _about_case(suite: str, case: str, attempt: int) -> Attributes:
    return {"steelyard.suite": suite, "steelyard.case": case, "steelyard.attempt": attempt}


def _record_reply(otel: Instruments, span: "trace.Span", about: Attributes, reply: Reply) -> None:
    _record_tokens(otel, about, reply.usage)
    for kind, count in _token_counts(reply.usage).items():
        span.set_attribute(f"gen_ai.usage.{kind}_tokens", count)
    if reply.finish_reason is not None:
        span.set_attribute("gen_ai.response.finish_reasons", [reply.finish_reason])


def _record_tokens(otel: Instruments, about: Attributes, usage: Usage) -> None:
    for kind, count in _token_counts(usage).items():
        otel.tokens.record(count, about | {"gen_ai.token.type": kind})


def _token_counts(usage: Usage) -> dict[str, int]:
    kinds = {"input": usage.tokens_in, "output": usage.tokens_out}
    return {kind: count for kind, count in kinds.items() if count is not None}
