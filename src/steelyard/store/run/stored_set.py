"""Keep the eval set beside its run, so a run can be resumed, regraded and viewed years later.

Written when a run begins or grows; the digests in `run.json` identify it.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json, to_json

from steelyard.errors import InputError, StoreError
from steelyard.metrics.exact import exact
from steelyard.model.environment import Environment
from steelyard.model.evalset import EvalSet
from steelyard.model.options import RuleChoice
from steelyard.store.run.location import Location, location_of

FILE_NAME = "eval-set.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEnvironment:
    """An environment, and the cases that have it, by suite and id."""

    environment: Environment
    cases: tuple[tuple[str, str], ...]


def write_eval_set(location: Location, eval_set: EvalSet) -> None:
    """Write the eval set of a run."""
    location.write(FILE_NAME, to_json(_form(eval_set), indent=2) + b"\n")


def has_stored_set(address: str) -> bool:
    """Whether the run at an address came with its eval set."""
    return location_of(address).read(FILE_NAME) is not None


def read_stored_set(location: Location) -> EvalSet:
    """Read the eval set of a run."""
    text = location.read(FILE_NAME)
    if text is None:
        raise InputError(
            f"{location.address}: this run has no eval set, such as one that was imported; "
            f"name it with `eval_set`"
        )
    try:
        return _of_form(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise StoreError(
            f"{location.address}/{FILE_NAME}: the file is damaged: {where}: {first['msg']}"
        ) from error


def with_stored_cases(location: Location, eval_set: EvalSet) -> EvalSet:
    """Return a set together with the cases and suites that only the set kept with the run has.

    A run that goes on with a part of a set keeps all its cases. What both have is as the new set has it.
    """
    if location.read(FILE_NAME) is None:
        return eval_set
    stored = read_stored_set(location)
    cases = {(case.suite, case.id): case for case in (*stored.cases, *eval_set.cases)}
    suites = {suite.id: suite for suite in (*stored.suites, *eval_set.suites)}
    return replace(eval_set, cases=tuple(cases.values()), suites=tuple(suites.values()))


def _form(eval_set: EvalSet) -> dict[str, Any]:
    """Return the set as the file holds it: there the name of the scoring rule is `rule`."""
    form: dict[str, Any] = _adapter().dump_python(eval_set, mode="json")
    form["environments"] = _environments().dump_python(_apart(eval_set), mode="json")
    for case in form["cases"]:
        del case["environment"]
    choice = eval_set.scoring
    form["scoring"] = {
        "rule": choice.name,
        "weights": {part: str(weight) for part, weight in choice.weights.items()},
        "penalties": {kind: str(penalty) for kind, penalty in choice.penalties.items()},
    }
    return form


def _apart(eval_set: EvalSet) -> list[StoredEnvironment]:
    """Return each environment once: its list of packages may be longer than all cases together."""
    result = dict[Environment, list[tuple[str, str]]]()
    for case in eval_set.cases:
        if case.environment is not None:
            result.setdefault(case.environment, []).append((case.suite, case.id))
    return [StoredEnvironment(environment=item, cases=tuple(cases)) for item, cases in result.items()]


def _of_form(text: bytes) -> EvalSet:
    eval_set, form = _adapter().validate_json(text), from_json(text)
    kept = _environments().validate_python(form.get("environments", []))
    known = {case: item.environment for item in kept for case in item.cases}
    cases = [replace(case, environment=known.get((case.suite, case.id))) for case in eval_set.cases]
    stored = form.get("scoring", {})
    choice = RuleChoice(
        name=stored.get("rule"),
        weights={part: exact(weight) for part, weight in eval_set.scoring.weights.items()},
        penalties={kind: exact(penalty) for kind, penalty in eval_set.scoring.penalties.items()},
    )
    return replace(eval_set, scoring=choice, cases=tuple(cases))


@cache
def _adapter() -> TypeAdapter[EvalSet]:
    return TypeAdapter(EvalSet)


@cache
def _environments() -> TypeAdapter[list[StoredEnvironment]]:
    return TypeAdapter(list[StoredEnvironment])
