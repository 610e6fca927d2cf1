"""Take one of several equal parts of an eval set, so that many machines can run it side by side.

Case 1 goes to shard 1, case 2 to shard 2, and so on in turn: every machine finds its part without asking.
"""

import re
from dataclasses import replace

from steelyard.errors import UserError
from steelyard.model.evalset import EvalSet
from steelyard.model.run import Shard
from steelyard.runner.plan import RunPlan, run_cases

_FORM = re.compile(r"([1-9]\d{0,8})/([1-9]\d{0,8})")


def take_shard(plan: RunPlan, text: str) -> RunPlan:
    """Return the part of a plan that a text such as `3/16` names.

    Everything else is planned for the whole set first: the scoring rule depends on the languages in it.
    """
    found = _FORM.fullmatch(text)
    index, count = (int(found[1]), int(found[2])) if found else (0, 0)
    whole = without_empty_suites(plan.eval_set)
    if not 1 <= index <= count:
        raise UserError(f"`shard={text}`: expected a part such as 3/16, from 1/16 to 16/16")
    if count > len(whole.cases):
        raise UserError(
            f"`shard={text}`: {whole.id} has {len(whole.cases)} cases here, which make at most as many "
            f"shards; take fewer"
        )
    cases = whole.cases[index - 1 :: count]
    part = without_empty_suites(replace(whole, cases=cases))
    shard = Shard(index=index, count=count, of=whole.digest)
    return replace(plan, eval_set=part, cases=run_cases(cases), shard=shard)


def without_empty_suites(eval_set: EvalSet) -> EvalSet:
    """Return the set without suites that have no case: no shard would bring them back."""
    used = {case.suite for case in eval_set.cases}
    return replace(eval_set, suites=tuple(suite for suite in eval_set.suites if suite.id in used))
