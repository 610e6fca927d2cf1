"""Select the cases of a run: by name and limit, by shard, without excluded ones.

Deterministic: the same selection gives the same cases on every machine, so shards need no coordination.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from fractions import Fraction
from hashlib import blake2b

from steelyard.errors import UnknownName, UserError
from steelyard.model.case import Case
from steelyard.model.evalset import EvalSet
from steelyard.model.nearest_name import did_you_mean
from steelyard.model.run import ExcludedCase, Shard
from steelyard.model.selection import Selection
from steelyard.runner.plan import RunPlan, run_cases


def select_cases(eval_set: EvalSet, selection: Selection) -> EvalSet:
    """Return the set with the selected cases, in order."""
    if selection.is_everything:
        return eval_set
    ids = _list_names(eval_set)
    _require_known(eval_set, selection, ids)
    chosen = [case for case in eval_set.cases if _is_chosen(case, selection, ids)]
    if not chosen:
        raise UserError(
            f"{eval_set.id}: no case matches all of `cases`, `suites` and `tags`; leave one of them out"
        )
    kept = _limit_cases(chosen, selection.limit)
    suites = {case.suite for case in kept}
    return replace(
        eval_set, cases=tuple(kept), suites=tuple(suite for suite in eval_set.suites if suite.id in suites)
    )


def _list_names(eval_set: EvalSet) -> frozenset[str]:
    """Return the unambiguous names of cases: ids, or suite and id."""
    return frozenset(name for case in eval_set.cases for name in (case.id, f"{case.suite}/{case.id}"))


def _is_chosen(case: Case, selection: Selection, ids: Collection[str]) -> bool:
    return (
        (not selection.cases or any(_matches(case, pattern, ids) for pattern in selection.cases))
        and (not selection.suites or case.suite in selection.suites)
        and (not selection.tags or not set(selection.tags).isdisjoint(case.tags))
    )


def _matches(case: Case, pattern: str, ids: Collection[str] = ()) -> bool:
    """Whether a pattern matches a case by id, or by suite and id. Existing ids match exactly.

    >>> case = Case(id="sort-1", suite="a", language="rust")
    >>> [_matches(case, text) for text in ("sort-*", "a/sort-1", "so")]
    [True, True, False]
    """
    names = (case.id, f"{case.suite}/{case.id}")
    return pattern in names if pattern in ids else any(fnmatchcase(name, pattern) for name in names)


def _limit_cases(cases: Sequence[Case], limit: int | None) -> list[Case]:
    """Return each suite's share of cases; larger limits extend smaller ones."""
    if limit is None:
        return list(cases)
    places: dict[tuple[str, str], tuple[Fraction, bytes]] = {}
    for suite in {case.suite for case in cases}:
        shuffled = sorted((_draw_rank(suite, case.id), case.id) for case in cases if case.suite == suite)
        for rank, (lot, name) in enumerate(shuffled):
            # The first case of each suite precedes the second of any, to cover all suites.
            places[suite, name] = Fraction(rank, len(shuffled)), lot
    kept = set(sorted(places, key=lambda name: places[name])[:limit])
    return [case for case in cases if (case.suite, case.id) in kept]


def _draw_rank(suite: str, case: str) -> bytes:
    """Return the rank of a case in the random order; it depends on its name alone."""
    return blake2b(f"{len(suite)}:{suite}{case}".encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _require_known(eval_set: EvalSet, selection: Selection, ids: Collection[str]) -> None:
    for pattern in selection.cases:
        if not any(_matches(case, pattern, ids) for case in eval_set.cases):
            raise _unknown_name(eval_set, "cases", pattern, [case.id for case in eval_set.cases])
    _require_names(eval_set, "suites", selection.suites, {case.suite for case in eval_set.cases})
    _require_names(eval_set, "tags", selection.tags, {tag for case in eval_set.cases for tag in case.tags})


def _require_names(eval_set: EvalSet, option: str, requested: Iterable[str], known: Collection[str]) -> None:
    for name in requested:
        if name not in known:
            raise _unknown_name(eval_set, option, name, sorted(known))


def _unknown_name(eval_set: EvalSet, option: str, name: str, known: Sequence[str]) -> UnknownName:
    where = f"`{option}={name}`: the eval set {eval_set.id} has no such {option.removesuffix('s')}"
    if not known:
        return UnknownName(f"{where}: none of its cases has one")
    return UnknownName(f"{where}; {did_you_mean(name, known, otherwise='it has')}")


_FORM = re.compile(r"([1-9]\d{0,8})/([1-9]\d{0,8})")


def take_shard(plan: RunPlan, text: str | None) -> RunPlan:
    """Return the part of a plan named by a text such as `3/16`, dealt round-robin; None: all of it.

    The plan covers the whole set first: its languages decide the scoring rule.
    """
    if text is None:
        return plan
    match = _FORM.fullmatch(text)
    index, count = (int(match[1]), int(match[2])) if match else (0, 0)
    eval_set = without_empty_suites(plan.eval_set)
    if not 1 <= index <= count:
        raise UserError(f"`shard={text}`: expected a part such as 3/16, from 1/16 to 16/16")
    if count > len(eval_set.cases):
        raise UserError(
            f"`shard={text}`: {eval_set.id} has {len(eval_set.cases)} cases, so at most as many shards"
        )
    cases = eval_set.cases[index - 1 :: count]
    part = without_empty_suites(replace(eval_set, cases=cases))
    shard = Shard(index=index, count=count, of=eval_set.digest)
    return replace(plan, eval_set=part, cases=run_cases(cases), shard=shard)


def without_empty_suites(eval_set: EvalSet) -> EvalSet:
    """Return the set without empty suites."""
    used = {case.suite for case in eval_set.cases}
    return replace(eval_set, suites=tuple(suite for suite in eval_set.suites if suite.id in used))


def exclude_cases(plan: RunPlan, excluded: Collection[ExcludedCase]) -> RunPlan:
    """Return the plan without these cases, listed as excluded."""
    names = {(excluded_case.suite, excluded_case.case) for excluded_case in excluded}
    cases = tuple(case for case in plan.eval_set.cases if (case.suite, case.id) not in names)
    if len(cases) == len(plan.eval_set.cases):
        return plan
    part = without_empty_suites(replace(plan.eval_set, cases=cases))
    return replace(plan, eval_set=part, cases=run_cases(cases), excluded=tuple(excluded))
