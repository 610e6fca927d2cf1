"""Select one of several equal parts of an eval set, to run on several machines.

Cases are assigned round-robin, so machines need no coordination.
"""

import re
from dataclasses import replace

from steelyard.errors import UserError
from steelyard.model.evalset import EvalSet
from steelyard.model.run import Shard
from steelyard.runner.plan import RunPlan, run_cases

_FORM = re.compile(r"([1-9]\d{0,8})/([1-9]\d{0,8})")


def take_shard(plan: RunPlan, text: str) -> RunPlan:
    """Return the part of a plan named by a text such as `3/16`.

    The plan covers the whole set first: its languages decide the scoring rule.
    """
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
