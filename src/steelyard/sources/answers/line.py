"""Read one line of a file of recorded answers: which answer it is, and the reply it holds.

Knows the names and units of other tools' files, and nothing about other lines.
"""

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, NamedTuple, cast

from pydantic_core import from_json

from steelyard.model.request import Reply, Usage
from steelyard.model.units import MICROSECONDS, NANO_USD

CASE_NAMES = ("case", "case_id", "task_id", "instance_id")  # ours, our tables', HumanEval's, SWE-bench's
TEXT_NAMES = ("text", "completion", "solution", "model_patch")  # ours, HumanEval's, EvalPlus's, SWE-bench's
SAME = (
    CASE_NAMES,
    TEXT_NAMES,
    ("model", "model_name_or_path"),
    ("digest", "case_digest"),
    ("cost_usd", "cost_nano_usd"),
    ("latency_s", "latency_us"),
    ("first_byte_s", "first_byte_us"),
)
SECOND_NAMES = frozenset(name for names in SAME for name in names[1:])
NEEDED = ("case", "text")
TOKENS = ("tokens_in", "tokens_out", "tokens_cached", "tokens_cache_written", "tokens_reasoning")
LARGEST = 2**63 - 1  # the tables count in 64 bits
FOUND_LENGTH = 60
NO_USAGE = Usage()


class KeyKind(NamedTuple):
    """What a key may hold, besides null."""

    fits: Callable[[object], bool]
    expected: str


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= LARGEST


def _is_amount(value: object) -> bool:
    return type(value) in {int, float} and 0 <= cast("float", value) <= LARGEST / NANO_USD


TEXT = KeyKind(_is_text, "text")
COUNT = KeyKind(_is_count, "a whole number from 0, or null")
AMOUNT = KeyKind(_is_amount, "a number from 0, or null")
ANYTHING = KeyKind(lambda _: True, "anything")
KINDS = {
    **dict.fromkeys((*CASE_NAMES, *TEXT_NAMES, "model", "tier", "suite", "digest"), TEXT),
    **dict.fromkeys(("attempt", *TOKENS), COUNT),
    **dict.fromkeys(("cost_usd", "latency_s", "first_byte_s"), AMOUNT),
    **dict.fromkeys(("cost_nano_usd", "latency_us", "first_byte_us"), COUNT),
    **dict.fromkeys(("finish_reason", "request_id", "error", "fence"), TEXT),
    **dict.fromkeys(("model_name_or_path", "case_digest"), TEXT),
    # Further fields of exported runs.
    **dict.fromkeys(
        ("case_key", "generated_at_us", "prompt_digest", "parameters_digest", "answer_digest", "egress"),
        ANYTHING,
    ),
}
OFFERED = (
    *("case", "text", "model", "tier", "suite", "digest", "attempt", "finish_reason", *TOKENS),
    *("cost_usd", "latency_s", "first_byte_s", "request_id"),
)

Row = dict[str, Any]  # checked by hand, below


class AnswerKey(NamedTuple):
    """Which model answered which case; a field that is None matches every value."""

    model: str | None
    tier: str | None
    suite: str | None
    case: str
    digest: str | None


class LineError(ValueError):
    """A line that is no recorded answer, and why; the caller knows which line."""


def parse_line(line: bytes) -> Row:
    """Return the validated content of a line."""
    try:
        row: object = from_json(line, allow_inf_nan=False)
    except ValueError as error:
        raise LineError(f"this is not JSON: {error}") from error
    if not isinstance(row, dict):
        raise LineError(f"found {_found(row)}, expected an object such as {{'case': …, 'text': …}}")
    _check(row)
    return row


def place_of(row: Row) -> AnswerKey:
    """Return the key of a row's answer; an empty text matches everything, as null does."""
    text = row.get
    return AnswerKey(
        text("model") or text("model_name_or_path") or None,
        text("tier") or None,
        text("suite") or None,
        _first(row, CASE_NAMES),
        text("digest") or text("case_digest") or None,
    )


def reply_of(line: bytes) -> Reply:
    """Return the reply that a line holds; the line has been checked before."""
    row: Row = from_json(line, cache_strings="keys")
    output = row.get
    text: str | None = output("text")
    return Reply(
        text=_first(row, TEXT_NAMES) if text is None else text,
        finish_reason=output("finish_reason"),
        usage=NO_USAGE if row.keys().isdisjoint(TOKENS) else _usage(row),
        cost_nano_usd=_whole(output("cost_usd"), NANO_USD) if "cost_usd" in row else output("cost_nano_usd"),
        first_byte_us=(
            _whole(output("first_byte_s"), MICROSECONDS) if "first_byte_s" in row else output("first_byte_us")
        ),
        latency_us=_whole(output("latency_s"), MICROSECONDS) if "latency_s" in row else output("latency_us"),
        request_id=output("request_id"),
        fence=output("fence"),
    )


def _usage(row: Row) -> Usage:
    text = row.get
    return Usage(
        tokens_in=text("tokens_in"),
        tokens_out=text("tokens_out"),
        tokens_cached=text("tokens_cached"),
        tokens_cache_written=text("tokens_cache_written"),
        tokens_reasoning=text("tokens_reasoning"),
    )


def _whole(value: float | None, scale: int) -> int | None:
    return None if value is None else round(value * scale)


def _first(row: Row, names: tuple[str, ...]) -> str:
    """Return the value of the first of these names in a row."""
    return next(value for name in names if isinstance(value := row.get(name), str))


def _check(row: Row) -> None:
    """Refuse a row that is no recorded answer."""
    for name, value in row.items():
        kind = KINDS.get(name)
        if kind is None:
            raise LineError(_unknown(name))
        if value is not None and not kind.fits(value):
            raise LineError(f"{name!r}: found {_found(value)}, expected {kind.expected}")
    # Almost every line has each field under one name, and skips the rest.
    if not (row.get("case") and row.get("text") is not None and SECOND_NAMES.isdisjoint(row)):
        for names in SAME:
            _check_once(row, names)


def _check_once(row: Row, names: tuple[str, ...]) -> None:
    """Reject rows with duplicate or missing fields."""
    text = [name for name in names if row.get(name) is not None]
    if len(text) > 1:
        raise LineError(f"{text[0]!r} and {text[1]!r} say the same; leave one of them out")
    if names[0] in NEEDED and not text:
        raise LineError(f"there is no {names[0]!r}; each line needs 'case' and 'text'")
    if names[0] == "case" and not row[text[0]]:
        raise LineError(f"{text[0]!r} is empty; name the case that this answers")


def _unknown(name: str) -> str:
    near = get_close_matches(name, KINDS, n=1, cutoff=0.6)
    hint = f"did you mean {near[0]!r}?" if near else f"the keys are {', '.join(OFFERED)}"
    return f"unknown key {name[:FOUND_LENGTH]!a}; {hint}"


def _found(value: object) -> str:
    match value:
        case dict():
            return "an object"
        case list():
            return "a list"
    shown = ascii(value)
    return shown if len(shown) <= FOUND_LENGTH else f"{shown[:FOUND_LENGTH]}..."
