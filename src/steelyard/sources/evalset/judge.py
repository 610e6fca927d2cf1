"""Read the judges of an eval set: the models, and the rubric with the changes that the set makes."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pydantic_core import PydanticCustomError

from steelyard.errors import InputError
from steelyard.metrics.exact import exact
from steelyard.model.evalset import JudgePlan
from steelyard.model.request import Parameters
from steelyard.model.rubric import Rubric
from steelyard.sources.evalset.shape import JudgeTable
from steelyard.sources.rubric.read import read_rubric
from steelyard.sources.shipped import shipped_rubrics
from steelyard.sources.toml.lines import KeyPath
from steelyard.sources.toml.problems import quote
from steelyard.sources.toml.text import text_of


def judge_of(table: JudgeTable, folder: Path) -> JudgePlan:
    """Return the judges; the table is valid."""
    return JudgePlan(
        models=table.models,
        rubric=_with_changes(read_rubric(_place(table.rubric, folder)), table),
        parameters=Parameters(temperature=table.temperature, max_tokens=table.max_tokens),
    )


def judge_problems(table: JudgeTable, folder: Path) -> Iterator[tuple[KeyPath, str]]:
    """Find what is wrong though every key and every type is right."""
    for index, model in enumerate(table.models):
        if not all(model.partition("/")):
            yield ("judge", "models", index), f"{quote(model)} is no model; name it provider/name"
        elif model in table.models[:index]:
            yield (
                ("judge", "models", index),
                f"{quote(model)} is named twice; to hear it more often, raise 'readings'",
            )
    try:
        where = _place(table.rubric, folder)
        if isinstance(where, Path):
            text_of(table.rubric, folder)  # like any file of a set, it must be in the folder of the set
        read_rubric(where)
    except PydanticCustomError as error:
        yield ("judge", "rubric"), error.message()
    except InputError as error:
        yield ("judge", "rubric"), str(error)


def _place(name: str, folder: Path) -> str | Path:
    """Return where a rubric is: beside the set, or, by a bare name, among those that are shipped."""
    return name if name in shipped_rubrics() and not (folder / name).exists() else folder / name


def _with_changes(rubric: Rubric, table: JudgeTable) -> Rubric:
    """Return a rubric with the eval set's overrides."""
    plan = rubric.consensus
    return replace(
        rubric,
        pass_threshold=rubric.pass_threshold if table.pass_threshold is None else exact(table.pass_threshold),
        consensus=replace(
            plan,
            readings=plan.readings if table.readings is None else table.readings,
            extra_readings=plan.extra_readings if table.extra_readings is None else table.extra_readings,
        ),
    )
