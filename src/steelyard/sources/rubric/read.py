"""Read a rubric: a TOML file, or the name of one that comes with Steelyard, believing nothing."""

import json
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from steelyard.errors import InputError
from steelyard.metrics.exact import exact
from steelyard.model.rubric import Category, ConsensusPlan, Item, Rubric
from steelyard.sources.records import STRICT
from steelyard.sources.rubric.shape import (
    TABLES,
    CategoryTable,
    ConsensusTable,
    ItemTable,
    RequirementTable,
    RubricFile,
    RubricTable,
)
from steelyard.sources.toml.file import Toml, dates_in, editor_schema, read_toml
from steelyard.sources.toml.lines import KeyPath
from steelyard.sources.toml.problems import Problem, described, found, line_of, refusal, shown

DEFAULT_RUBRIC = "quality"  # the ten categories of seed 002
Weighed = RequirementTable | CategoryTable | ItemTable


def shipped_rubrics() -> dict[str, Path]:
    """Return the rubrics that come with Steelyard, by name."""
    folder = Path(str(files("steelyard.sources.shipped"))) / "rubrics"
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def read_rubric(place: str | Path = DEFAULT_RUBRIC) -> Rubric:
    """Read a rubric, or say everything that is wrong with it."""
    path = _found(place)
    toml = read_toml(path)
    problems = [*toml.problems, *_dates(path, toml)]
    try:
        holds = _shaped(toml, path.parent)
    except ValidationError as error:
        details = error.errors(include_url=False)
        wrong = [_problem(path, toml, detail["loc"], described(detail, TABLES)) for detail in details]
        raise refusal(path, [*problems, *wrong], what="rubric") from None
    problems += [] if problems else [_problem(path, toml, at, what) for at, what in _contradictions(holds)]
    if problems:
        raise refusal(path, problems, what="rubric")
    return _assembled(path, holds)


def rubric_json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a rubric file, for editors."""
    return editor_schema(_adapter(), RubricFile, "Steelyard rubric")


def _found(place: str | Path) -> Path:
    path, shipped = Path(place), shipped_rubrics()
    if path.exists():
        return path
    if str(place) in shipped:
        return shipped[str(place)]
    near = get_close_matches(path.stem, shipped, n=1)
    hint = f"did you mean the shipped rubric {near[0]!r}?" if near else f"shipped are {', '.join(shipped)}"
    raise InputError(f"{place}: there is no such file; {hint}")


@cache
def _adapter() -> TypeAdapter[RubricFile | None]:
    return TypeAdapter(RubricFile | None, config=STRICT)


def _shaped(toml: Toml, folder: Path) -> RubricFile:
    # By way of JSON, since strict validation of Python values would take neither lists nor tables.
    text = json.dumps(toml.tables, default=str)
    return _adapter().validate_json(text, context={"folder": folder}) or RubricFile()


def _problem(path: Path, toml: Toml, at: KeyPath, message: str) -> Problem:
    return Problem(file=path, line=line_of(toml.lines, at), message=message)


def _dates(path: Path, toml: Toml) -> Iterator[Problem]:
    for at, value in dates_in(toml.tables, ()):
        yield _problem(path, toml, at, f"found the date {found(value)}; put it in quotes")


def _contradictions(holds: RubricFile) -> Iterator[tuple[KeyPath, str]]:
    """Find what no shape says."""
    if holds.requirements and holds.categories:
        yield ("categories",), "there are requirements too; a rubric has one form, so leave one of them out"
    if not holds.requirements and not holds.categories:
        yield (), "there is nothing to rate; add a [[requirements]] or a [[categories]] table"
    yield from _of_list(("requirements",), holds.requirements)
    yield from _of_list(("categories",), holds.categories)
    for place, category in enumerate(holds.categories):
        at = ("categories", place)
        if not category.items:
            yield at, f"category {shown(category.id)} has no items; add a [[categories.items]] table"
        yield from _of_list((*at, "items"), category.items)


def _of_list(at: KeyPath, tables: Sequence[Weighed]) -> Iterator[tuple[KeyPath, str]]:
    """Find what is wrong among the tables of one list: ids that stand twice, no weight, nothing said."""
    seen: set[str] = set()
    for place, table in enumerate(tables):
        if table.id in seen:
            yield (*at, place, "id"), f"{shown(table.id)} is there already; choose another id"
        seen.add(table.id)
        if not isinstance(table, CategoryTable) and not table.description.strip():
            yield (*at, place, "description"), f"{shown(table.id)}: the description is empty"
    if tables and not any(table.weight for table in tables):
        yield (*at, 0), "everything in this list has weight 0; give something some weight"


def _assembled(path: Path, holds: RubricFile) -> Rubric:
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
