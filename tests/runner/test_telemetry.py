"""What OpenTelemetry is told about a run, collected in memory by its own library."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader, NumberDataPoint
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import steelyard
from steelyard.errors import ProviderError
from steelyard.model.request import Parameters, Reply, Request, Usage
from steelyard.model.sample import SampleKey
from steelyard.runner import telemetry
from steelyard.runner.telemetry import Instruments, call_span, record_retry, run_span

STORED = Path(__file__).parents[1] / "app" / "data" / "small_set"
SECRET = "sk-1234567890"
REQUEST = Request(
    key=SampleKey("lab/m", "T0", "s", "c", "d", 3),
    prompt=f"a prompt with {SECRET}",
    parameters=Parameters(temperature=0.5),
)


class Collected:
    """The spans and metrics that were told."""

    def __init__(self) -> None:
        self._spans, self._reader = InMemorySpanExporter(), InMemoryMetricReader()
        tracers, meters = TracerProvider(), MeterProvider([self._reader])
        tracers.add_span_processor(SimpleSpanProcessor(self._spans))
        self.instruments = Instruments(tracers.get_tracer("test"), meters.get_meter("test"))

    def spans(self) -> tuple[ReadableSpan, ...]:
        return self._spans.get_finished_spans()

    def totals(self) -> dict[str, float]:
        """Return the sum of each metric over all its attributes."""
        data = self._reader.get_metrics_data()
        found: Counter[str] = Counter()
        for scope in data.resource_metrics[0].scope_metrics if data else ():
            for metric in scope.metrics:
                for point in metric.data.data_points:
                    value = point.value if isinstance(point, NumberDataPoint) else point.sum
                    found[metric.name] += value  # type: ignore[assignment]  # a number
        return dict(found)


@pytest.fixture
def collected(monkeypatch: pytest.MonkeyPatch) -> Collected:
    found = Collected()
    monkeypatch.setattr(telemetry, "_otel", found.instruments)
    return found


def test_a_run_has_a_span_with_its_calls_and_checks_inside(collected: Collected, tmp_path: Path) -> None:
    steelyard.run(
        STORED / "set.toml", address=tmp_path / "run", replay=STORED / "answers.jsonl",
        prices={"lab/m": (3, 15)},
    )  # fmt: skip

    kinds = Counter(span.name.partition(" ")[0] for span in collected.spans())
    [run] = [span for span in collected.spans() if span.name == "steelyard run"]
    others = [span for span in collected.spans() if span is not run]
    assert kinds == {"steelyard": 1, "chat": 24, "check": 24}
    assert {span.parent.span_id for span in others if span.parent} == {run.context.span_id}
    totals = collected.totals()
    assert (totals["steelyard.samples"], totals["steelyard.under_way"]) == (24, 0)
    assert totals["gen_ai.client.token.usage"] > 0


def test_in_a_notebook_too_calls_and_checks_are_inside_the_span_of_the_run(
    collected: Collected, tmp_path: Path
) -> None:
    async def cell() -> None:
        steelyard.run(STORED / "set.toml", address=tmp_path / "run", replay=STORED / "answers.jsonl")

    asyncio.run(cell())

    [run] = [span for span in collected.spans() if span.name == "steelyard run"]
    parents = {span.parent and span.parent.span_id for span in collected.spans() if span is not run}
    assert parents == {run.context.span_id}


def test_a_call_is_named_as_the_conventions_say(collected: Collected) -> None:
    reply = Reply(text=SECRET, usage=Usage(tokens_in=7, tokens_out=2), finish_reason="stop")

    with call_span(REQUEST) as replied:
        replied(reply)

    [span] = collected.spans()
    assert span.name == "chat m"
    assert dict(span.attributes or {}) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "lab",
        "gen_ai.request.model": "m",
        "gen_ai.request.temperature": 0.5,
        "gen_ai.usage.input_tokens": 7,
        "gen_ai.usage.output_tokens": 2,
        "gen_ai.response.finish_reasons": ("stop",),
        "steelyard.suite": "s",
        "steelyard.case": "c",
        "steelyard.attempt": 3,
    }


def test_a_failed_call_tells_its_kind_and_never_a_message(collected: Collected) -> None:
    with pytest.raises(ProviderError), call_span(REQUEST):
        raise ProviderError(f"refused: {SECRET}", kind="rate_limited", may_be_billed=False)
    record_retry(REQUEST, "rate_limited")

    [span] = collected.spans()
    assert (span.attributes or {})["error.type"] == "rate_limited"
    assert not span.status.is_ok
    assert SECRET not in span.to_json()
    assert collected.totals()["steelyard.retries"] == 1


def test_without_the_library_nothing_is_told(monkeypatch: pytest.MonkeyPatch, collected: Collected) -> None:
    monkeypatch.setattr(telemetry, "_otel", None)

    with call_span(REQUEST) as replied:
        replied(Reply(text=""))
    record_retry(REQUEST, "rate_limited")

    assert not collected.spans()
    assert not collected.totals()


def test_a_stopped_call_is_no_longer_under_way(collected: Collected) -> None:
    with pytest.raises(asyncio.CancelledError), call_span(REQUEST):
        raise asyncio.CancelledError

    assert collected.totals()["steelyard.under_way"] == 0


def test_an_error_that_ends_a_session_tells_no_message(collected: Collected) -> None:
    with pytest.raises(RuntimeError), run_span("r", "set"):
        raise RuntimeError(SECRET)

    [span] = collected.spans()
    assert not span.status.is_ok
    assert SECRET not in span.to_json()
