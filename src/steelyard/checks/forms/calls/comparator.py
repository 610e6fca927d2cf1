"""Decide about results by a function of the case, in a sandbox without the answer."""

import json
from collections.abc import Mapping

from steelyard.checks.forms.calls.results import CallResult, Returned, read_results
from steelyard.checks.forms.calls.values import as_plain
from steelyard.checks.toolchains.drivers.driver import drivers, with_tools
from steelyard.checks.toolchains.recipes.step_runner import StepRunner
from steelyard.model.case import Case
from steelyard.model.execution import MIB
from steelyard.model.graded import FunctionCall
from steelyard.ports import Sandbox

FUNCTION = "is_right"  # defined by comparators of calls
LONGEST = 1 << 16  # bytes of one decision


def accepted_by_comparator(
    case: Case, sandbox: Sandbox, results: Mapping[int, tuple[FunctionCall, object]]
) -> set[int]:
    """Return the numbers of the calls whose results the comparator of a case accepts."""
    calls, numbers = [], []
    for number, (call, result) in results.items():
        try:
            calls.append(json.dumps([[list(call.args), call.returns, as_plain(result)], []]))
        except RecursionError:  # too deeply nested to be right
            continue
        numbers.append(number)
    if not calls:
        return set()
    recipe = with_tools(drivers()["python"].recipe)
    files = {**recipe.files, recipe.answer: case.expectations.comparator}
    ran = StepRunner(sandbox, recipe).run(
        recipe.run,
        {name: text.encode() for name, text in files.items()},
        case=case,
        stdin=f'{{"function": "{FUNCTION}", "calls": [{", ".join(calls)}]}}'.encode(),
        channel=True,
        output_bytes=MIB + LONGEST * len(calls),
    )
    by_call = read_results(ran.channel, calls=len(calls), longest=LONGEST).by_call
    return {number for index, number in enumerate(numbers) if _is_accepted(by_call.get(index))}


def _is_accepted(decision: CallResult | None) -> bool:
    return isinstance(decision, Returned) and decision.value is True
