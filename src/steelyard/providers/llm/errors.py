"""Say what went wrong with a call to a model's service, in our own kinds.

Decides by what the client library and the wire saw; whether a call is repeated is decided elsewhere.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from pydantic_ai import exceptions as library

from steelyard.errors import ProviderError
from steelyard.providers.llm.wire import Call

SHORTEST_SECRET = 8  # anything shorter is a word that a server of one's own was given for a key
LONGEST = 300  # of what a vendor says; some send whole pages
CREDENTIALS = re.compile(r"(?<=://)[^/?#\s]{1,1000}@")
TRY_AGAIN = frozenset({408, 409, 425})  # statuses that are about the moment, not about the request


class EndedEarly(Exception):
    """An answer that was read in pieces has no end."""


WORDED = (library.AgentRunError, EndedEarly)  # what they say was meant for a reader


class FaultKind(NamedTuple):
    """A kind of fault, what it means for the next call, and what to do about it."""

    name: str
    advice: str = ""
    may_retry: bool = False
    is_fatal: bool = False


RATE_LIMITED = FaultKind("rate_limited", may_retry=True)
OVERLOADED = FaultKind("overloaded", may_retry=True)
REJECTED = FaultKind("rejected", advice="the service will not take this request as it is")
UNREACHABLE = FaultKind("unreachable", advice="is `base_url` right, and the network up?", may_retry=True)
TIMEOUT = FaultKind("timeout", advice="raise `timeout_secs` if the model needs longer", may_retry=True)
CUT = FaultKind("cut", advice="the connection broke before the answer was whole", may_retry=True)
MALFORMED = FaultKind("malformed", advice="this is not what the protocol promises", may_retry=True)
# From the narrower to the wider: the first that fits is taken.
KINDS: tuple[tuple[tuple[type[Exception], ...], FaultKind], ...] = (
    (
        (library.ModelQuotaExceededError,),
        FaultKind("no_credit", advice="top up the account, or raise its limit", is_fatal=True),
    ),
    ((library.ModelRateLimitError,), RATE_LIMITED),
    ((library.ModelUnavailableError, library.ModelServerError), OVERLOADED),
    (
        (library.ModelAuthenticationError,),
        FaultKind(
            "bad_key", advice="is the key right, not expired, and allowed to use this model?", is_fatal=True
        ),
    ),
    (
        (library.ModelNotFoundError,),
        FaultKind("unknown_model", advice="is the model's name right, and `base_url`?", is_fatal=True),
    ),
    ((library.ModelRequestRejectedError,), REJECTED),
    ((EndedEarly,), CUT),
)


def fault(
    error: Exception, call: Call, *, service: str, secret: str, address: str = ""
) -> ProviderError | None:
    """Return what an exception of the client library means, or None if nothing came back at all.

    `address` is where the service should be, for the message that it is not there. `secret` is the key.
    Neither it nor the credentials in an address are repeated, whatever is sent back.
    """
    kind = _kind(error, call)
    if kind is None:
        return None
    said = without_credentials(_said(error))
    if kind is UNREACHABLE and address:
        service = f"{service} at {without_credentials(address)}"
    if len(secret) >= SHORTEST_SECRET:
        said = said.replace(secret, "[key]")
    return ProviderError(
        "; ".join(part for part in (f"{service}: {said[:LONGEST]}", kind.advice) if part),
        kind=kind.name,
        may_retry=kind.may_retry,
        is_fatal=kind.is_fatal,
        may_be_billed=_may_be_billed(error, kind),
        retry_after_s=getattr(error, "retry_after", None),
    )


def without_credentials(text: str) -> str:
    """Return a text without the user and the password that an address in it holds.

    >>> without_credentials("307 for url 'https://me:secret@example.org/v1'")
    "307 for url 'https://[credentials]@example.org/v1'"
    """
    return CREDENTIALS.sub("[credentials]@", text)


def _kind(error: Exception, call: Call) -> FaultKind | None:
    for types, kind in KINDS:
        if isinstance(error, types):
            return kind
    match error:
        case library.ModelTimeoutError(phase="connect" | "pool"):
            return UNREACHABLE
        case TimeoutError() | library.ModelTimeoutError():
            return TIMEOUT
        case library.ModelConnectionError():
            return UNREACHABLE if call.response is None else CUT
        case library.ModelHTTPError():
            return OVERLOADED if error.status_code in TRY_AGAIN else REJECTED
    # An odd status is refused, such as a redirect: following it would send the key elsewhere.
    return MALFORMED if call.is_answered else None if call.response is None else REJECTED


def _may_be_billed(error: Exception, kind: FaultKind) -> bool:
    """Tell whether the service may have done the work: it was asked, and we do not know that it refused."""
    phase = getattr(error, "phase", None)
    return kind in {CUT, MALFORMED, TIMEOUT} or (kind is UNREACHABLE and phase not in {"connect", "pool"})


def _said(error: Exception) -> str:
    """Return the core of the message, without the wrapping that vendors add."""
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, library.ModelHTTPError):
        return f"status {error.status_code}: {_message(error.body)}"
    if isinstance(error, library.ModelConnectionError):
        cause = error.__cause__
        root = getattr(cause, "__cause__", None) or cause
        return f"{error.message} ({type(root).__name__})" if root is not None else error.message
    said = " ".join(str(error).split())
    return said if isinstance(error, WORDED) else f"the answer cannot be read: {type(error).__name__}: {said}"


def _message(body: object) -> str:
    found = body
    for name in ("error", "message"):
        found = found.get(name, found) if isinstance(found, Mapping) else found
    return " ".join(str(found or "nothing more was said").split())
