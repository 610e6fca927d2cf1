"""Hold a rubric: what a judge looks for in an answer, how much each part counts, how readings are combined.

Both forms of a rubric end here: a requirement is a category with a single item.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from fractions import Fraction

from steelyard.model.sample import text_digest


class RatingScale(StrEnum):
    """Which ratings an item may get; all of them are between 0 and 1."""

    BINARY = "binary"  # 0 or 1
    SCALED = "scaled"  # anything from 0 to 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One rated item. It may be left unrated only if it defines when it does not apply."""

    id: str
    description: str
    weight: Fraction = Fraction(1)  # among the items of its category
    scale: RatingScale = RatingScale.SCALED
    not_applicable: str = ""  # the condition, in words; empty: the item always applies


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """A named group of items, and how much it counts."""

    id: str
    name: str = ""
    description: str = ""
    weight: Fraction = Fraction(1)
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsensusPlan:
    """How many readings are taken of one answer, and what counts as disagreement among them.

    Each judge gives `readings`; as long as the readings disagree, up to `extra_readings` more are taken, by
    each judge as many: what is left over by division is not taken. A reading that cannot be used is tried
    again, `tries` times in all.
    """

    readings: int = 3
    extra_readings: int = 5
    max_variance: Fraction = Fraction(15, 100)  # of the scores
    max_range: Fraction = Fraction(3, 10)
    min_confidence: Fraction = Fraction(6, 10)  # on average
    tries: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Rubric:
    """What a judge rates, and from which score on an answer passes."""

    id: str
    name: str = ""
    description: str = ""  # of the whole task, for the judge
    categories: tuple[Category, ...]
    pass_threshold: Fraction = Fraction(7, 10)
    consensus: ConsensusPlan = field(default_factory=ConsensusPlan)

    @property
    def items(self) -> tuple[Item, ...]:
        """All items, category by category: the order in which ratings are kept."""
        return tuple(item for category in self.categories for item in category.items)

    def parts(self) -> Iterator[tuple[Category, slice]]:
        """Give each category with the places of its items among all items."""
        first = 0
        for category in self.categories:
            yield category, slice(first, first + len(category.items))
            first += len(category.items)

    @property
    def digest(self) -> str:
        """A name for all that can change a judgement; the rubric's own name cannot.

        >>> one = Item(id="a", description="It works.")
        >>> rubric = Rubric(id="x", categories=(Category(id="c", items=(one,)),))
        >>> rubric.digest == Rubric(id="y", categories=(Category(id="c", items=(one,)),)).digest
        True
        >>> rubric.digest == Rubric(id="x", categories=(Category(id="c", items=(one, one)),)).digest
        False
        """
        form = asdict(self)
        del form["id"], form["name"]
        return text_digest(json.dumps(form, sort_keys=True, default=str))
