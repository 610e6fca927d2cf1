"""Classify failed calls to a model's service.

The caller decides on retries.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

import aiohttp

from steelyard.errors import REJECTED as REJECTED_KIND
from steelyard.errors import ProviderError
from steelyard.providers.llm.dialect import EndedEarly
from steelyard.providers.llm.rate_headers import stated_quotas
from steelyard.providers.llm.wire import BodyTooLong, Call, json_object
from steelyard.providers.secrets import SHORTEST_SECRET, without_credentials

LONGEST = 300  # characters kept of a vendor's message, which may be a whole page
LONGEST_PAGE = 100_000  # read of such a page; it is shortened only after the key is removed
WORDED = (EndedEarly, BodyTooLong)  # message fields, for people
# Errors of parsing a body that violates the protocol.
UNREADABLE = (BodyTooLong, ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError)


class FaultKind(NamedTuple):
    """A kind of fault, its effect on further calls, and advice."""

    name: str
    advice: str = ""
    may_retry: bool = False
    is_fatal: bool = False


RATE_LIMITED = FaultKind("rate_limited", may_retry=True)
OVERLOADED = FaultKind("overloaded", may_retry=True)
REJECTED = FaultKind(REJECTED_KIND, advice="the service will not take this request as it is")
UNREACHABLE = FaultKind("unreachable", advice="is `base_url` right, and the network up?", may_retry=True)
TIMEOUT = FaultKind("timeout", advice="raise `timeout_secs` if the model needs longer", may_retry=True)
CUT = FaultKind("cut", advice="the connection broke before the answer was whole", may_retry=True)
MALFORMED = FaultKind("malformed", advice="this is not what the protocol promises", may_retry=True)
NO_CREDIT = FaultKind("no_credit", advice="top up the account, or raise its limit", is_fatal=True)
BAD_KEY = FaultKind(
    "bad_key", advice="is the key right, not expired, and allowed to use this model?", is_fatal=True
)
UNKNOWN_MODEL = FaultKind("unknown_model", advice="is the model's name right, and `base_url`?", is_fatal=True)
OTHER_PROTOCOL = FaultKind(
    "unknown_model", advice="name it openai-responses/…: it speaks another protocol", is_fatal=True
)
NEVER_SENT = (
    aiohttp.ConnectionTimeoutError,
    aiohttp.ClientConnectorError,
    aiohttp.InvalidURL,
    aiohttp.NonHttpUrlClientError,
)
BROKEN = (aiohttp.ClientError, OSError)
# From the most specific to the most general: the first match counts.
KINDS: tuple[tuple[tuple[type[Exception], ...], FaultKind], ...] = (
    (NEVER_SENT, UNREACHABLE),
    ((TimeoutError,), TIMEOUT),
    ((aiohttp.ClientResponseError,), MALFORMED),
    ((EndedEarly,), CUT),
)
BY_STATUS: Mapping[int, FaultKind] = {
    401: BAD_KEY,
    402: NO_CREDIT,
    403: BAD_KEY,
    404: UNKNOWN_MODEL,
    429: RATE_LIMITED,
    # Temporary, independent of the request.
    408: OVERLOADED,
    409: OVERLOADED,
    425: OVERLOADED,
}
SERVERS_OWN = 500
# Vendors return these with a misleading status.
BY_WORD: Mapping[str, FaultKind] = {
    "flagged_input": REJECTED,  # a prompt that was moderated: 403, but the key is right
    "insufficient_quota": NO_CREDIT,
    "billing_hard_limit_reached": NO_CREDIT,
    "credit balance is too low": NO_CREDIT,
    "API_KEY_INVALID": BAD_KEY,
    "only supported in v1/responses": OTHER_PROTOCOL,
}


class Refused(Exception):
    """The service returned an error."""

    def __init__(self, status: int, content: bytes) -> None:
        super().__init__(f"status {status}: {_extract_message(content)}")
        self.status = status
        self.content = content

    @property
    def kind(self) -> FaultKind:
        """The kind of fault. Redirects count too: following one would send the key elsewhere."""
        text = self.content.decode("utf-8", "replace")
        worded = next((kind for word, kind in BY_WORD.items() if word in text), None)
        usual = OVERLOADED if self.status >= SERVERS_OWN else REJECTED
        return worded or BY_STATUS.get(self.status, usual)


def fault(error: Exception, call: Call, *, service: str, secret: str, address: str) -> ProviderError | None:
    """Translate an exception into a ProviderError; None if neither service nor network raised it.

    `address` is the service's, for the message that it is unreachable. `secret` is the key. The message
    contains neither the key nor credentials of the address.
    """
    kind = _classify(error, call)
    if kind is None:
        return None
    credentials = without_credentials(_message_of(error))
    if kind is UNREACHABLE:
        service = f"{service} at {without_credentials(address)}"
    if len(secret) >= SHORTEST_SECRET:
        credentials = credentials.replace(secret, "[key]")
    return ProviderError(
        "; ".join(part for part in (f"{service}: {credentials[:LONGEST]}", kind.advice) if part),
        kind=kind.name,
        may_retry=kind.may_retry,
        is_fatal=kind.is_fatal,
        may_be_billed=_may_be_billed(error, kind),
        retry_after_s=_retry_after_s(call) if isinstance(error, Refused) else None,
    )


def _classify(error: Exception, call: Call) -> FaultKind | None:
    if isinstance(error, Refused):
        return error.kind
    for types, kind in KINDS:
        if isinstance(error, types):
            return kind
    if isinstance(error, BROKEN):
        return UNREACHABLE if call.status is None else CUT
    return MALFORMED if call.is_answered and isinstance(error, UNREADABLE) else None


def _may_be_billed(error: Exception, kind: FaultKind) -> bool:
    """Whether the call may be billed: it was sent, and no refusal is known."""
    return kind in {CUT, MALFORMED, TIMEOUT, UNREACHABLE} and not isinstance(error, NEVER_SENT)


def _message_of(error: Exception) -> str:
    """Return the core of the message."""
    text, name = " ".join(str(error).split()), type(error).__name__
    if isinstance(error, (Refused, *WORDED)):
        return text
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, NEVER_SENT):
        return f"{text} ({name})"
    if isinstance(error, BROKEN):
        return f"the connection broke: {text or 'no details were given'} ({name})"
    return f"the answer cannot be read: {name}: {text}"


def _extract_message(content: bytes) -> str:
    """Return the message of an error body, without the vendor's envelope."""
    try:
        content_part: object = json_object(content)
    except (ValueError, TypeError, RecursionError):
        content_part = content[:LONGEST_PAGE].decode("utf-8", "replace")
    for name in ("error", "message"):
        content_part = (
            content_part.get(name, content_part) if isinstance(content_part, Mapping) else content_part
        )
    return " ".join(str(content_part or "no details were given").split())


def _retry_after_s(call: Call) -> float | None:
    """Return the requested delay, given in milliseconds, seconds, as a date or as a reset time."""
    if (milliseconds := _parse_number(call.header("retry-after-ms"))) is not None:
        return milliseconds / 1000
    text = call.header("Retry-After")
    if text is None:
        used_up = [quota.reset_s for quota in stated_quotas(call.headers) if quota.remaining < 1]
        return max(used_up, default=None)
    if (seconds := _parse_number(text)) is not None:
        return seconds
    try:
        then = parsedate_to_datetime(text)
    except ValueError:
        return None
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (then - datetime.now(UTC)).total_seconds())


def _parse_number(text: str | None) -> float | None:
    """Return a number that is at least 0, or None.

    >>> _parse_number("7"), _parse_number("soon"), _parse_number("nan"), _parse_number(None)
    (7.0, None, None, None)
    """
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None
