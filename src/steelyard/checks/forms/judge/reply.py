"""Parse a judge's reply strictly: a malformed reply is unusable as a whole.

Ratings are never guessed.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import NoReturn

from steelyard.checks.forms.judge.prompt import NOT_APPLICABLE
from steelyard.errors import DomainError
from steelyard.metrics.exact import exact
from steelyard.model.judgement import Ratings
from steelyard.model.rubric import Item, RatingScale

LONGEST_REPLY = 200_000  # characters
LONGEST_REASON = 300
KEYS = ("seal", "ratings", "confidence", "total", "tampering")
ITEM_KEYS = ("reason", "rating")
_FENCED = re.compile(r"\A```(?:json)?[ \t]*\n(?P<inside>.*)\n```\Z", re.DOTALL)


class UnusableReply(Exception):
    """A malformed reply; the message names the problem."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeReply:
    """A parsed reply, in the order of the rubric's items."""

    ratings: Ratings
    reasons: tuple[str, ...]
    confidence: Fraction
    own_total: Fraction | None
    saw_tampering: bool


def read_reply(text: str, *, items: Mapping[str, Item], seal: str) -> JudgeReply:
    """Parse a reply about items by their labels; raises UnusableReply."""
    form = _table(_parsed(text), KEYS, "the reply")
    if form["seal"] != seal:
        raise UnusableReply("the seal differs from the requested one")
    rated = _table(form["ratings"], tuple(items), "ratings")
    given = {label: _table(rated[label], ITEM_KEYS, "an item") for label in items}
    return JudgeReply(
        ratings=tuple(_rating(given[label]["rating"], item) for label, item in items.items()),
        reasons=tuple(_reason(row["reason"]) for row in given.values()),
        confidence=_share(form["confidence"], "confidence"),
        own_total=None if form["total"] is None else _number(form["total"], "total"),
        saw_tampering=_flag(form["tampering"], "tampering"),
    )


def _parsed(text: str) -> object:
    if len(text) > LONGEST_REPLY:
        raise UnusableReply(f"the reply is longer than {LONGEST_REPLY:,} characters")
    bare = text.strip().removeprefix("\ufeff")
    if not bare:
        raise UnusableReply("the reply is empty")
    fenced = _FENCED.match(bare)
    try:
        parsed: object = json.loads(
            fenced["inside"] if fenced else bare,
            parse_float=Decimal,  # 0.1 is a tenth
            parse_constant=_refuse_constant,
            object_pairs_hook=_object,
        )
    except (ValueError, RecursionError) as error:
        raise UnusableReply(f"the reply is not JSON: {str(error)[:100]}") from None
    return parsed


def _table(value: object, keys: tuple[str, ...], name: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise UnusableReply(f"{name} must be an object, not {_kind(value)}")
    missing, unknown = [key for key in keys if key not in value], [key for key in value if key not in keys]
    if missing:
        raise UnusableReply(f"{name} lacks {missing[0]!r}")
    if unknown:
        raise UnusableReply(f"{name} has an unknown key: {unknown[0][:60]!r}")
    return value


def _rating(value: object, item: Item) -> Fraction | None:
    if value == NOT_APPLICABLE:
        if not item.not_applicable:
            raise UnusableReply(f"item {item.id!r} always applies, but is rated {NOT_APPLICABLE}")
        return None
    rating = _share(value, f"the rating of {item.id!r}")
    if item.scale is RatingScale.BINARY and rating not in {0, 1}:
        raise UnusableReply(f"the rating of {item.id!r} must be 0 or 1")
    return rating


def _share(value: object, name: str) -> Fraction:
    number = _number(value, name)
    if not 0 <= number <= 1:
        raise UnusableReply(f"{name} must be between 0 and 1")
    return number


def _number(value: object, name: str) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise UnusableReply(f"{name} must be a number, not {_kind(value)}")
    try:
        return exact(value)
    except DomainError:
        raise UnusableReply(f"{name} is not a finite number") from None


def _flag(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise UnusableReply(f"{name} must be true or false, not {_kind(value)}")
    return value


def _reason(value: object) -> str:
    if not isinstance(value, str):
        raise UnusableReply(f"a reason must be text, not {_kind(value)}")
    # Lone surrogates are valid JSON, but not encodable as UTF-8.
    return value.encode("utf-8", "replace").decode("utf-8")[:LONGEST_REASON]


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | Decimal():
            return "a number"
        case str():
            return "text"
        case list():
            return "a list"
    return "an object"


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("repeated key")
    return table
