"""The limits that vendors state in headers, each in its own way."""

from datetime import UTC, datetime, timedelta

import pytest

from steelyard.model.quota import Quota
from steelyard.providers.llm.rate_headers import stated_quotas


def test_openai_states_calls_and_tokens() -> None:
    headers = {
        "x-ratelimit-limit-requests": "5000",
        "x-ratelimit-remaining-requests": "4999",
        "x-ratelimit-reset-requests": "12ms",
        "x-ratelimit-limit-tokens": "600000",
        "x-ratelimit-remaining-tokens": "150000",
        "x-ratelimit-reset-tokens": "1m15s",
    }

    assert stated_quotas(headers) == (
        Quota(unit="requests", limit=5000, remaining=4999, reset_s=0.012),
        Quota(unit="tokens", limit=600_000, remaining=150_000, reset_s=75),
    )


def test_anthropic_states_a_date() -> None:
    then = datetime.now(UTC) + timedelta(seconds=600)
    headers = {
        "anthropic-ratelimit-requests-limit": "50",
        "anthropic-ratelimit-requests-remaining": "0",
        "anthropic-ratelimit-requests-reset": then.strftime("%Y-%m-%dT%H:%M:%SZ"),
    }

    [quota] = stated_quotas(headers)

    assert (quota.limit, quota.remaining) == (50, 0)
    assert 0 < quota.reset_s <= 600


def test_a_gateway_states_milliseconds_since_1970() -> None:
    headers = {"x-ratelimit-limit": "20", "x-ratelimit-remaining": "5", "x-ratelimit-reset": "1741305600000"}

    assert stated_quotas(headers) == (Quota(unit="requests", limit=20, remaining=5, reset_s=0.0),)


@pytest.mark.parametrize(
    ("limit", "remaining", "reset"),
    [
        ("many", "1", "1s"),
        ("0", "0", "1s"),
        ("5", "6", "1s"),
        ("5", "nan", "1s"),
        ("5", "1", "1..2s"),
        ("5", "1", ""),
    ],
)
def test_what_cannot_be_read_is_left_out(limit: str, remaining: str, reset: str) -> None:
    said = {"limit": limit, "remaining": remaining, "reset": reset}

    assert stated_quotas({f"ratelimit-{name}": value for name, value in said.items()}) == ()
