"""Read the results that a driver writes, one per line; answers may forge any line."""

import io
from collections.abc import Iterator
from dataclasses import dataclass, field

from steelyard.checks.forms.calls.values import PlainDataError, decode
from steelyard.model.execution import Stream

SPARE_LINES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """A call that returned a value."""

    value: object


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """A call that raised an error, with the names of its class and base classes."""

    kinds: tuple[str, ...]
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opaque:
    """A call that returned a value other than plain data."""

    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Invalid:
    """A call without a usable result."""

    why: str


CallResult = Returned | Raised | Opaque | Invalid


@dataclass(slots=True, kw_only=True)
class CallResults:
    """The results of the calls of one answer."""

    build_error: str | None = None
    load_error: str | None = None
    by_call: dict[int, CallResult] = field(default_factory=dict)


def read_results(channel: Stream, *, calls: int, longest: int, nil: bool = False) -> CallResults:
    """Return the results of calls; lines longer than `longest` are wrong and not decoded.

    `nil`: whether the language has values that are both null and empty.
    """
    call_results = CallResults()
    for number, line in enumerate(_lines(channel.text, most=2 * calls + SPARE_LINES)):
        if len(line) > longest:
            _add_result(
                call_results,
                {"call": _number_of(line), "unknown": "the result is too long to be right"},
                calls,
            )
            continue
        try:
            event = decode(line, nil=nil)
        except PlainDataError as error:
            event = {"call": _number_of(line), "unknown": f"the result cannot be read: {error}"}
        if isinstance(event, dict):
            if "error" in event:
                _add_error(call_results, event, is_first=number == 0)
            else:
                _add_result(call_results, event, calls)
    return call_results


def _lines(text: bytes, *, most: int) -> Iterator[bytes]:
    """Yield the first lines: an answer may write millions."""
    file = io.BytesIO(text)
    for _ in range(most):
        line = file.readline()
        if not line:
            return
        yield line


def _number_of(line: bytes) -> int | None:
    """Return the call number of a line that cannot be decoded; it starts with `{"call": 3, `."""
    _, _, rest = line[:40].partition(b":")
    digits = rest.partition(b",")[0].strip()
    return int(digits) if digits.isdigit() and len(digits) < 10 else None  # noqa: PLR2004  # more than calls


def _add_error(results: CallResults, event: dict[str, object], *, is_first: bool) -> None:
    """Add the reason why no call was made; a build error counts in the first line only."""
    kinds = _names(event.get("raises"))
    message = ": ".join(text for text in (*kinds[:1], _text(event.get("message"))) if text)
    if event["error"] == "build":
        results.build_error = message if is_first else results.build_error
    else:
        results.load_error = message


def _add_result(results: CallResults, event: dict[str, object], calls: int) -> None:
    number = event.get("call")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < calls:
        return
    if number in results.by_call:
        results.by_call[number] = Invalid(why="more than one result")
    elif "returns" in event:
        results.by_call[number] = Returned(value=event["returns"])
    elif "raises" in event:
        kinds = _names(event["raises"])
        results.by_call[number] = Raised(kinds=kinds, message=_text(event.get("message")))
    elif "opaque" in event:
        results.by_call[number] = Opaque(kind=_text(event["opaque"]))
    else:
        results.by_call[number] = Invalid(why=_text(event.get("unknown")) or "no result")


def _names(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _text(value: object) -> str:
    return value[:300] if isinstance(value, str) else ""
