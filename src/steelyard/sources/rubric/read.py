"""Read and validate a rubric: a TOML file, or the name of one that comes with Steelyard."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from steelyard.metrics.exact import exact
from steelyard.model.rubric import Category, ConsensusPlan, Item, Rubric
from steelyard.sources.rubric.shape import (
    FORM,
    CategoryTable,
    ConsensusTable,
    ItemTable,
    RequirementTable,
    RubricFile,
    RubricTable,
)
from steelyard.sources.shipped import find, shipped_rubrics
from steelyard.sources.toml.lines import KeyPath
from steelyard.sources.toml.problems import quote, refusal
from steelyard.sources.toml.tables import read_tables

DEFAULT_RUBRIC = "quality"  # the ten categories of seed 002
WeightedTable = RequirementTable | CategoryTable | ItemTable


def read_rubric(place: str | Path = DEFAULT_RUBRIC) -> Rubric:
    """Read a rubric, or list everything that is wrong with it."""
    path = find(place, shipped_rubrics(), what="rubric")
    read = read_tables(path, FORM)
    result = () if read.problems else _contradictions(read.holds)
    problems = [*read.problems, *(read.problem(at, message) for at, message in result)]
    if problems:
        raise refusal(path, problems, what="rubric")
    return _assemble(path, read.holds)


def rubric_json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a rubric file, for editors."""
    return FORM.json_schema()


def _contradictions(holds: RubricFile) -> Iterator[tuple[KeyPath, str]]:
    """Find violated constraints between fields."""
    if holds.requirements and holds.categories:
        yield ("categories",), "there are requirements too; a rubric has one form, so leave one of them out"
    if not holds.requirements and not holds.categories:
        yield (), "there is nothing to rate; add a [[requirements]] or a [[categories]] table"
    yield from _of_list(("requirements",), holds.requirements)
    yield from _of_list(("categories",), holds.categories)
    for index, category in enumerate(holds.categories):
        at = ("categories", index)
        if not category.items:
            yield at, f"category {quote(category.id)} has no items; add a [[categories.items]] table"
        yield from _of_list((*at, "items"), category.items)


def _of_list(at: KeyPath, tables: Sequence[WeightedTable]) -> Iterator[tuple[KeyPath, str]]:
    """Find what is wrong among the tables of one list: repeated ids, no weight, no description."""
    seen: set[str] = set()
    for index, table in enumerate(tables):
        if table.id in seen:
            yield (*at, index, "id"), f"{quote(table.id)} is there already; choose another id"
        seen.add(table.id)
        if not isinstance(table, CategoryTable) and not table.description.strip():
            yield (*at, index, "description"), f"{quote(table.id)}: the description is empty"
    if tables and not any(table.weight for table in tables):
        yield (*at, 0), "everything in this list has weight 0; give something some weight"


def _assemble(path: Path, holds: RubricFile) -> Rubric:
    head = holds.rubric or RubricTable(id=path.stem)
    return Rubric(
        id=head.id,
        name=head.name,
        description=head.description,
        pass_threshold=exact(head.pass_threshold),
        consensus=_consensus(holds.consensus),
        categories=(*map(_of_requirement, holds.requirements), *map(_category, holds.categories)),
    )


def _of_requirement(table: RequirementTable) -> Category:
    item = _item(table, not_applicable=table.not_applicable, weight=1.0)
    return Category(id=table.id, weight=exact(table.weight), items=(item,))


def _category(table: CategoryTable) -> Category:
    return Category(
        id=table.id,
        name=table.name,
        description=table.description,
        weight=exact(table.weight),
        items=tuple(
            _item(item, not_applicable=item.not_applicable or table.not_applicable, weight=item.weight)
            for item in table.items
        ),
    )


def _item(table: RequirementTable | ItemTable, *, not_applicable: str, weight: float) -> Item:
    return Item(
        id=table.id,
        description=table.description,
        weight=exact(weight),
        scale=table.scale,
        not_applicable=not_applicable.strip().rstrip("."),
    )


def _consensus(table: ConsensusTable) -> ConsensusPlan:
    return ConsensusPlan(
        readings=table.readings,
        extra_readings=table.extra_readings,
        max_variance=exact(table.max_variance),
        max_range=exact(table.max_range),
        min_confidence=exact(table.min_confidence),
        tries=table.tries,
    )
