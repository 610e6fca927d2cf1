"""Counting calls: what waits, what was repeated, and what each call was."""

import pytest

from steelyard.errors import ProviderError
from steelyard.model.call import CallRecord
from steelyard.model.request import Parameters, Reply, Request, Usage
from steelyard.model.sample import SampleKey
from steelyard.runner.generate.calls import Calls

KEY = SampleKey(model="lab/m", tier="T0", suite="s", case="case", digest="d", attempt=0)
REQUEST = Request(key=KEY, prompt="Say yes.", parameters=Parameters())


def test_an_answer_that_is_not_in_flight_waits() -> None:
    calls, request = Calls(), REQUEST

    with calls.generating(request), calls.generating(request):
        assert calls.waiting(request.provider, 1) == 1
    assert calls.waiting(request.provider, 0) == 0


def test_repeated_calls_are_counted_by_kind_and_given_up_ones_are_not() -> None:
    calls, request = Calls(), REQUEST
    error = ProviderError("slow down", kind="rate_limited")

    calls.failed(request, 1, error, will_retry=True)
    calls.failed(request, 2, error, will_retry=False)

    assert calls.retries(request.provider) == {"rate_limited": 1}
    assert calls.retries("another") == {}


def test_a_call_is_reported_in_plain_units() -> None:
    seen: list[CallRecord] = []
    reply = Reply(
        text="x", usage=Usage(tokens_in=3, tokens_out=5), cost_nano_usd=2_500_000_000, latency_us=1_500_000
    )

    Calls(seen.append).answered(REQUEST, 2, reply)

    (call,) = seen
    assert (call.case, call.number, call.ended, call.message) == ("case", 2, "ok", None)
    assert (call.cost_usd, call.latency_s, call.tokens_in, call.tokens_out) == (2.5, 1.5, 3, 5)


def test_an_observer_that_fails_costs_no_answer_and_is_not_called_again() -> None:
    seen: list[CallRecord] = []

    def full(call: CallRecord) -> None:
        seen.append(call)
        raise OSError("no space left on device")

    calls = Calls(full)
    with pytest.warns(UserWarning, match="OSError"):
        calls.answered(REQUEST, 1, Reply(text="x"))
    calls.answered(REQUEST, 1, Reply(text="x"))

    assert len(seen) == 1
