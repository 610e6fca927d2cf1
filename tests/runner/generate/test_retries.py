"""A call is repeated when that may help, a bounded number of times, after waits that spread."""

from random import Random

import pytest

from steelyard.errors import ProviderError
from steelyard.runner.generate.retries import Retries


def failure(*, may_retry: bool = True, retry_after_s: float | None = None) -> ProviderError:
    return ProviderError("down", kind="overloaded", may_retry=may_retry, retry_after_s=retry_after_s)


def test_what_cannot_help_is_not_repeated() -> None:
    assert Retries().delay_s(0, failure(may_retry=False, retry_after_s=1.0)) is None


def test_after_the_last_repetition_the_call_is_given_up() -> None:
    delays = [Retries(most=3).delay_s(attempt, failure()) for attempt in range(5)]

    assert [delay is None for delay in delays] == [False, False, False, True, True]


@pytest.mark.parametrize(("attempt", "span_s"), [(0, 0.5), (1, 1.0), (3, 4.0), (7, 60.0), (5000, 60.0)])
def test_waits_are_generated_from_the_whole_of_a_doubling_span(attempt: int, span_s: float) -> None:
    retries = Retries(most=10_000, random=Random(3))

    delays = [retries.delay_s(attempt, failure()) or 0.0 for _ in range(2_000)]

    assert 0 <= min(delays) < 0.01 * span_s
    assert 0.99 * span_s < max(delays) <= span_s
    assert sum(delays) / 2_000 == pytest.approx(span_s / 2, rel=0.05)


def test_the_provider_is_never_asked_before_it_wants_to_be() -> None:
    retries = Retries(random=Random(3))

    delays = [retries.delay_s(2, failure(retry_after_s=1.5)) for _ in range(200)]

    assert min(delay or 0 for delay in delays) == 1.5
    assert max(delay or 0 for delay in delays) > 1.9


def test_a_provider_that_wants_to_be_asked_tomorrow_is_given_up_today() -> None:
    assert Retries().delay_s(0, failure(retry_after_s=900.0)) == 900.0
    assert Retries().delay_s(0, failure(retry_after_s=86_400.0)) is None


def test_two_that_failed_together_do_not_come_back_together() -> None:
    assert Retries().delay_s(0, failure()) != Retries().delay_s(0, failure())
