"""Let a function of the case decide about results, all in one sandbox of their own, without the answer."""

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

FUNCTION = "is_right"  # which a comparator of calls defines
LONGEST = 1 << 16  # of what is said about one result


def found_right(case: Case, sandbox: Sandbox, asked: Mapping[int, tuple[FunctionCall, object]]) -> set[int]:
    """Return which results, by the number of their call, the comparator of a case takes for right."""
    calls, numbers = [], []
    for number, (call, result) in asked.items():
        try:
            calls.append(json.dumps([[list(call.args), call.returns, as_plain(result)], []]))
        except RecursionError:  # nested deeper than anything that is right
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
    return {number for index, number in enumerate(numbers) if _is_yes(by_call.get(index))}


def _is_yes(said: CallResult | None) -> bool:
    return isinstance(said, Returned) and said.value is True
