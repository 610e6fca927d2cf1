"""Parse the rate limits in the headers of a response.

Supports the headers of OpenAI and compatible services, of Anthropic, and the common plain ones.
"""

import re
import time
from collections.abc import Mapping
from datetime import datetime

from steelyard.model.quota import Quota

FORMS = (
    ("requests", "x-ratelimit-{}-requests"),
    ("tokens", "x-ratelimit-{}-tokens"),
    ("requests", "anthropic-ratelimit-requests-{}"),
    ("tokens", "anthropic-ratelimit-tokens-{}"),
    ("requests", "x-ratelimit-{}"),
    ("requests", "ratelimit-{}"),
)
SPANS = re.compile(r"(?:[0-9.]+(?:ms|[smhd]))+")
SPAN = re.compile(r"([0-9.]+)(ms|[smhd])")
SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
AN_EPOCH = 1e9  # seconds; a larger number is a date
AN_EPOCH_MS = 1e12  # a still larger one is in milliseconds


def stated_quotas(headers: Mapping[str, str]) -> tuple[Quota, ...]:
    """Return the limits that headers state completely; unreadable ones are skipped.

    >>> stated_quotas({
    ...     "x-ratelimit-limit-requests": "500",
    ...     "x-ratelimit-remaining-requests": "499",
    ...     "x-ratelimit-reset-requests": "120ms",
    ... })
    (Quota(unit='requests', limit=500.0, remaining=499.0, reset_s=0.12),)
    """
    quotas = (_parse_quota(headers, unit, form) for unit, form in FORMS)
    return tuple(quota for quota in quotas if quota is not None)


def _parse_quota(headers: Mapping[str, str], unit: str, form: str) -> Quota | None:
    limit_text = headers.get(form.format("limit"))
    if limit_text is None:
        return None
    limit, remaining = _parse_number(limit_text), _parse_number(headers.get(form.format("remaining")))
    reset_s = _parse_seconds(headers.get(form.format("reset"), ""))
    if not limit or remaining is None or reset_s is None or remaining > limit:
        return None
    return Quota(unit=unit, limit=limit, remaining=remaining, reset_s=reset_s)


def _parse_seconds(text: str) -> float | None:
    """Return seconds from now; the text is a number, a span such as `6m0s`, or a date.

    >>> _parse_seconds("6m0.5s"), _parse_seconds("17"), _parse_seconds("soon")
    (360.5, 17.0, None)
    """
    if SPANS.fullmatch(text):
        parts = [(_parse_number(number), SECONDS[unit]) for number, unit in SPAN.findall(text)]
        return None if any(number is None for number, _ in parts) else sum((n or 0.0) * s for n, s in parts)
    number = _parse_number(text)
    if number is None:
        try:
            number = datetime.fromisoformat(text).timestamp()
        except (ValueError, OverflowError):
            return None
    if number < AN_EPOCH:
        return number
    return max(0.0, (number / 1000 if number >= AN_EPOCH_MS else number) - time.time())


def _parse_number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None
