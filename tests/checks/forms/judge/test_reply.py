"""A judge's reply is in the stated form, or it is no evidence."""

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.checks.forms.judge.reply import (
    LONGEST_REASON,
    LONGEST_REPLY,
    JudgeReply,
    UnusableReply,
    read_reply,
)
from tests.checks.rubrics import RUBRIC

SEAL = "5ea1"
LABELS = ("t-1.1", "t-1.2", "t-2.1")
ITEMS = dict(zip(LABELS, RUBRIC.items, strict=True))
GOOD: dict[str, Any] = {
    "seal": SEAL,
    "ratings": {
        "t-1.1": {"reason": "It adds.", "rating": 0.75},
        "t-1.2": {"reason": "No edges.", "rating": "N/A"},
        "t-2.1": {"reason": "Names are fine.", "rating": 1},
    },
    "confidence": 0.9,
    "total": 0.8,
    "tampering": False,
}


def read(text: str) -> JudgeReply:
    """Read a reply about the small rubric."""
    return read_reply(text, items=ITEMS, seal=SEAL)


def changed(**changes: object) -> str:
    """Return a reply with some keys of the outer object changed."""
    return json.dumps({**GOOD, **changes})


def rated(label: str, rating: object, reason: object = "So it is.") -> str:
    """Return a reply with one rating changed."""
    return changed(ratings={**GOOD["ratings"], label: {"reason": reason, "rating": rating}})


def written(label: str, rating: str) -> str:
    """Return a reply with one rating changed to a text that need not be JSON."""
    return rated(label, "HERE").replace('"HERE"', rating)


def without(key: str) -> str:
    """Return a reply that lacks a key."""
    return json.dumps({name: value for name, value in GOOD.items() if name != key})


def test_a_reply_in_form_is_read_exactly() -> None:
    assert read(json.dumps(GOOD)) == JudgeReply(
        ratings=(Fraction(3, 4), None, Fraction(1)),
        reasons=("It adds.", "No edges.", "Names are fine."),
        confidence=Fraction(9, 10),
        own_total=Fraction(4, 5),
        saw_tampering=False,
    )


@pytest.mark.parametrize(
    "around",
    [
        lambda text: f"```json\n{text}\n```",
        lambda text: f"\n```\n{text}\n```\n",
        lambda text: f"\ufeff  {text}\n",
        lambda text: json.dumps(json.loads(text), indent=2),
    ],
)
def test_a_fence_or_blanks_around_the_whole_reply_do_no_harm(around: Callable[[str], str]) -> None:
    assert read(around(json.dumps(GOOD))) == read(json.dumps(GOOD))


def test_the_order_of_keys_does_not_matter() -> None:
    turned = {**GOOD, "ratings": dict(reversed(GOOD["ratings"].items()))}

    assert read(json.dumps(dict(reversed(turned.items())))) == read(json.dumps(GOOD))


def test_a_total_that_is_out_of_range_or_null_is_kept_for_the_record_only() -> None:
    assert read(changed(total=8.5)).own_total == Fraction(17, 2)
    assert read(changed(total=None)).own_total is None


def test_a_long_reason_is_cut_and_half_a_character_does_no_harm() -> None:
    reply = read(rated("t-2.1", 1, reason="\ud800" + "x" * 1_000))

    assert len(reply.reasons[2]) == LONGEST_REASON
    assert reply.reasons[2].encode()


MALFORMED = {
    "nothing": "",
    "blanks": " \n ",
    "prose": "The answer deserves 0.9.",
    "prose before": f"Here you are: {json.dumps(GOOD)}",
    "prose after": f"{json.dumps(GOOD)}\nI hope this helps.",
    "two replies": json.dumps(GOOD) * 2,
    "two fences": f"```json\n{json.dumps(GOOD)}\n```\n```json\n{json.dumps(GOOD)}\n```",
    "a fence without an end": f"```json\n{json.dumps(GOOD)}",
    "cut off": json.dumps(GOOD)[:-30],
    "a list": json.dumps([GOOD]),
    "a number": "0.9",
    "null": "null",
    "single quotes": str(GOOD),
    "a comma at the end": json.dumps(GOOD)[:-1] + ",}",
    "a comment": json.dumps(GOOD)[:-1] + "/* fine */}",
    "a key twice": json.dumps(GOOD)[:-1] + ', "confidence": 1}',
    "an item twice": json.dumps(GOOD).replace('"t-2.1"', '"t-1.1"'),
    "no seal": without("seal"),
    "another seal": changed(seal="0000"),
    "a seal that is a number": changed(seal=5),
    "no ratings": without("ratings"),
    "ratings as a list": changed(ratings=list(GOOD["ratings"].values())),
    "empty ratings": changed(ratings={}),
    "an item missing": changed(ratings={label: GOOD["ratings"][label] for label in LABELS[:2]}),
    "an item too many": changed(ratings={**GOOD["ratings"], "t-3.1": GOOD["ratings"]["t-2.1"]}),
    "labels of the rubric alone": json.dumps(GOOD).replace("t-", ""),
    "an item that is a number": changed(ratings={**GOOD["ratings"], "t-1.1": 1}),
    "no reason": changed(ratings={**GOOD["ratings"], "t-1.1": {"rating": 1}}),
    "a reason that is a number": rated("t-1.1", 1, reason=7),
    "no rating": changed(ratings={**GOOD["ratings"], "t-1.1": {"reason": ""}}),
    "a rating and more": changed(
        ratings={**GOOD["ratings"], "t-1.1": {**GOOD["ratings"]["t-1.1"], "score": 1}}
    ),
    "a rating of null": rated("t-1.1", None),
    "a rating as text": rated("t-1.1", "0.9"),
    "a rating of true": rated("t-1.1", True),  # noqa: FBT003  # a value in JSON
    "a rating as a list": rated("t-1.1", [1]),
    "a rating as an object": rated("t-1.1", {"value": 1}),
    "a rating above 1": rated("t-1.1", 1.0001),
    "a rating out of ten": rated("t-1.1", 8),
    "a rating below 0": rated("t-1.1", -0.1),
    "a rating of NaN": written("t-1.1", "NaN"),
    "an infinite rating": written("t-1.1", "Infinity"),
    "a rating that only looks infinite": written("t-1.1", "1e999"),
    "a rating that would take for ever": written("t-1.1", "1e-999999999"),
    "a rating of too many digits": written("t-1.1", "1" * 5_000),
    "a rating with a percent sign": written("t-1.1", "90%"),
    "a rating with a comma": written("t-1.1", "0,9"),
    "half of a binary item": rated("t-1.2", 0.5),
    "n/a in other letters": rated("t-1.2", "n/a"),
    "N/A where an item always applies": rated("t-1.1", "N/A"),
    "no confidence": without("confidence"),
    "a confidence above 1": changed(confidence=1.5),
    "a confidence in words": changed(confidence="high"),
    "no total": without("total"),
    "a total in words": changed(total="0.8"),
    "a total of NaN": changed(total="HERE").replace('"HERE"', "NaN"),
    "tampering in words": changed(tampering="no"),
    "tampering as a number": changed(tampering=0),
    "a key that nobody asked for": changed(weighted_score=1.0),
    "nested for ever": "[" * 100_000,
    "longer than anybody reads": json.dumps(GOOD) + " " * LONGEST_REPLY,
    "a reply of NULs": "\x00" * 10,
}


@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED)
def test_a_reply_that_is_out_of_form_never_becomes_a_number(text: str) -> None:
    with pytest.raises(UnusableReply, match=r"\w"):
        read(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.check_all
@given(json_values.filter(lambda value: value != "N/A"))
def test_any_other_value_is_no_rating_unless_it_is_a_number_from_0_to_1(value: object) -> None:
    is_share = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1

    try:
        found = read(rated("t-1.1", value)).ratings[0]
    except UnusableReply:
        assert not is_share
    else:
        assert is_share
        assert found == Fraction(str(value))


@given(st.integers(0, len(json.dumps(GOOD)) - 1), st.characters())
def test_one_wrong_letter_never_breaks_the_reader(place: int, letter: str) -> None:
    text = json.dumps(GOOD)

    try:
        reply = read(text[:place] + letter + text[place + 1 :])
    except UnusableReply:
        return
    assert all(rating is None or 0 <= rating <= 1 for rating in reply.ratings)
