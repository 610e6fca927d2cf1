"""Say what a rubric file may hold: every table, every key, what it means and which values it takes."""

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from steelyard.model.rubric import RatingScale
from steelyard.sources.toml.tables import TomlForm
from steelyard.sources.toml.text import Text
from steelyard.sources.toml.types import Id, NotNegative, Positive, Share, doc

Part = Annotated[float, Field(ge=0, le=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RubricTable:
    """What the rubric is called, and when an answer passes."""

    id: Id = field(metadata=doc("A short name, such as `quality`."))
    name: str = field(default="", metadata=doc("A name for people."))
    description: Text = field(default="", metadata=doc("A description of the whole task for the judge."))
    pass_threshold: Part = field(
        default=0.7, metadata=doc("The score from which on the judge's word is a pass.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsensusTable:
    """How many readings are taken, and what counts as disagreement among them."""

    readings: Positive = field(default=3, metadata=doc("How often each judge reads an answer."))
    extra_readings: NotNegative = field(
        default=5, metadata=doc("How many more readings are taken, at most, while readings disagree.")
    )
    max_variance: Share = field(
        default=0.15, metadata=doc("A larger variance of the scores is disagreement.")
    )
    max_range: Share = field(
        default=0.3, metadata=doc("A larger distance between highest and lowest score is disagreement.")
    )
    min_confidence: Part = field(
        default=0.6, metadata=doc("A lower confidence, on average, is disagreement.")
    )
    tries: Positive = field(
        default=3, metadata=doc("How often a reading is tried, in all, if the reply cannot be used.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RequirementTable:
    """Something that the answer must do."""

    id: Id = field(metadata=doc("A short name, used once in the rubric."))
    description: Text = field(metadata=doc("What the judge is to look for."))
    weight: Share = field(default=1.0, metadata=doc("How much it counts."))
    scale: RatingScale = field(
        default=RatingScale.BINARY, metadata=doc("`binary`: 0 or 1; `scaled`: anything from 0 to 1.")
    )
    not_applicable: str = field(
        default="", metadata=doc("When it does not apply, as a clause after “if”; empty: it always applies.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemTable:
    """One line of a category's checklist."""

    id: Id = field(metadata=doc("A short name, used once in the category."))
    description: Text = field(metadata=doc("What the judge is to look for."))
    weight: Share = field(default=1.0, metadata=doc("How much it counts among the items of its category."))
    scale: RatingScale = field(
        default=RatingScale.SCALED, metadata=doc("`binary`: 0 or 1; `scaled`: anything from 0 to 1.")
    )
    not_applicable: str = field(
        default="", metadata=doc("When it does not apply, as a clause after “if”; empty: as its category.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryTable:
    """A side of the answer that is rated by a checklist."""

    id: Id = field(metadata=doc("A short name, used once in the rubric."))
    name: str = field(default="", metadata=doc("A name for people and for the judge."))
    description: Text = field(default="", metadata=doc("What the category is about."))
    weight: Share = field(default=1.0, metadata=doc("How much it counts."))
    not_applicable: str = field(
        default="", metadata=doc("When none of its items applies; items may override it.")
    )
    items: tuple[ItemTable, ...] = field(default=(), metadata=doc("The checklist."))


@dataclass(frozen=True, slots=True, kw_only=True)
class RubricFile:
    """A rubric, by requirements or by categories."""

    rubric: RubricTable | None = field(default=None, metadata=doc("What the rubric is called."))
    consensus: ConsensusTable = field(
        default_factory=ConsensusTable, metadata=doc("How readings are combined.")
    )
    requirements: tuple[RequirementTable, ...] = field(
        default=(), metadata=doc("What the answer must do: the one form of a rubric.")
    )
    categories: tuple[CategoryTable, ...] = field(
        default=(), metadata=doc("The sides of an answer: the other form.")
    )


FORM = TomlForm(
    title="Steelyard rubric",
    shape=RubricFile,
    tables={
        (): RubricFile,
        ("rubric",): RubricTable,
        ("consensus",): ConsensusTable,
        ("requirements",): RequirementTable,
        ("categories",): CategoryTable,
        ("categories", "items"): ItemTable,
    },
)
