"""Hold what judges made of one answer: every reading, the ratings they agreed on, the score that follows.

Kept beside the outcome as JSON, so a score can be traced to the readings of each judge.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from fractions import Fraction
from typing import Any

Ratings = tuple[Fraction | None, ...]  # in the order of the rubric's items; None: the item does not apply


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One judge's reading, or the reason why its reply is unusable.

    `number` counts the replies of this judge on this answer from 0. `score` follows from the ratings;
    `own_total` is the judge's own total, kept for readers only.
    """

    judge: str
    number: int
    ratings: Ratings = ()
    reasons: tuple[str, ...] = ()
    confidence: Fraction | None = None
    score: Fraction | None = None
    own_total: Fraction | None = None
    is_total_off: bool = False
    saw_tampering: bool = False  # the judge reports that the answer tried to influence it
    problem: str = ""  # why the reply is no evidence
    cost_nano_usd: int | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None

    @property
    def is_usable(self) -> bool:
        """Whether the reply is evidence."""
        return not self.problem


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryRating:
    """What a category came to; None when none of its items applies."""

    id: str
    weight: Fraction
    score: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What the judges made of one answer.

    `score` is None without a usable reading, or if nothing applies. `is_passed` is None without a score, and
    where a judge of the panel has no reading that can be used. `disagreements` names what the readings
    still disagreed in when the last one had been taken. `characters_cut` counts the characters of
    the answer that no judge was shown.
    """

    rubric: str
    rubric_digest: str
    score: Fraction | None = None
    is_passed: bool | None = None
    categories: tuple[CategoryRating, ...] = ()
    ratings: Ratings = ()
    readings: tuple[Reading, ...] = ()
    disagreements: tuple[str, ...] = ()
    characters_cut: int = 0
    note: str = ""

    @property
    def usable(self) -> tuple[Reading, ...]:
        """The readings that are evidence."""
        return tuple(reading for reading in self.readings if reading.is_usable)

    @property
    def unusable(self) -> tuple[Reading, ...]:
        """The readings that are none."""
        return tuple(reading for reading in self.readings if not reading.is_usable)

    @property
    def missing_judges(self) -> tuple[str, ...]:
        """The called judges without a usable reading."""
        return missing_judges(self.readings)

    @property
    def cost_nano_usd(self) -> int | None:
        """What judging cost; None if it is unknown for one of the readings.

        >>> Judgement(rubric="r", rubric_digest="d").cost_nano_usd
        0
        """
        costs = [reading.cost_nano_usd for reading in self.readings]
        return None if None in costs else sum(cost for cost in costs if cost is not None)


def missing_judges(readings: Sequence[Reading]) -> tuple[str, ...]:
    """Return the judges without a usable reading, in the order of calls.

    >>> missing_judges([Reading(judge="a", number=0, problem="no JSON"), Reading(judge="b", number=0)])
    ('a',)
    """
    heard = {reading.judge for reading in readings if reading.is_usable}
    return tuple(dict.fromkeys(reading.judge for reading in readings if reading.judge not in heard))


def judgement_json(judgement: Judgement) -> str:
    """Return a judgement as JSON; numbers that are not whole are written as exact fractions.

    >>> "7/10" in judgement_json(Judgement(rubric="r", rubric_digest="d", score=Fraction(7, 10)))
    True
    """
    return json.dumps(asdict(judgement), default=str, ensure_ascii=False, separators=(",", ":"))


def judgement_of(text: str) -> Judgement:
    """Return the judgement that `judgement_json` wrote; a key that came later has its default.

    >>> one = Judgement(rubric="r", rubric_digest="d", score=Fraction(7, 10))
    >>> judgement_of(judgement_json(one)) == one
    True
    """
    form = _known(Judgement, json.loads(text))
    lists: dict[str, Any] = {
        "score": _fraction(form.get("score")),
        "ratings": _ratings(form.get("ratings", ())),
        "disagreements": tuple(form.get("disagreements", ())),
        "categories": tuple(map(_category, form.get("categories", ()))),
        "readings": tuple(map(_reading, form.get("readings", ()))),
    }
    return Judgement(**{**form, **lists})


def _known(kind: type, form: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what a later version wrote and this one does not know."""
    names = {field.name for field in fields(kind)}
    return {name: value for name, value in form.items() if name in names}


def _category(form: Mapping[str, Any]) -> CategoryRating:
    return CategoryRating(id=form["id"], weight=Fraction(form["weight"]), score=_fraction(form["score"]))


def _reading(form: Mapping[str, Any]) -> Reading:
    exact = {name: _fraction(form.get(name)) for name in ("confidence", "score", "own_total")}
    lists: dict[str, Any] = {
        "ratings": _ratings(form.get("ratings", ())),
        "reasons": tuple(form.get("reasons", ())),
    }
    return Reading(**{**_known(Reading, form), **exact, **lists})


def _ratings(values: Sequence[str | None]) -> Ratings:
    return tuple(map(_fraction, values))


def _fraction(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)
