"""Fairness: honest answers have the time and the names that they need."""

import builtins
import re
import sys
from collections.abc import Iterator

from steelyard.auditing import rules
from steelyard.auditing.python_case import is_python
from steelyard.auditing.rules import finding
from steelyard.checks.grading.calibration import FACTOR
from steelyard.checks.toolchains.python.job import read_tests
from steelyard.checks.toolchains.python.settings import setting
from steelyard.model.audit import Finding
from steelyard.model.case import Case
from steelyard.model.evalset import EvalSet


def tight_limit(case: Case, reference_s: float) -> Iterator[Finding]:
    """Find time limits below four times the reference's time."""
    if case.task is None and case.timeout_s < FACTOR * reference_s:
        yield finding(
            rules.TIGHT_LIMIT,
            f"the limit is {case.timeout_s:g} s, and the reference takes {reference_s:.2g} s here",
            case=case.id,
        )


def unstated_names(case: Case, eval_set: EvalSet) -> Iterator[Finding]:
    """Find names that answers must define and that nothing shown to the model mentions."""
    shown = [case.prompt, setting(case, "prefix"), *case.files.values()]
    shown += [tier.system_prompt for tier in eval_set.tiers]
    text = "\n".join(shown)
    missing = [name for name in _required(case) if not re.search(rf"\b{re.escape(name)}\b", text)]
    if missing:
        yield finding(rules.UNSTATED_NAME, f"the prompt does not mention {', '.join(missing)}", case=case.id)


def _required(case: Case) -> list[str]:
    """Return the names that the tests require of answers."""
    expectations = case.expectations
    names = {
        *expectations.functions,
        *expectations.types,
        expectations.function,
        setting(case, "entry_point"),
    }
    if is_python(case) and expectations.tests.strip():
        own = {*dir(builtins), *sys.stdlib_module_names}
        names |= read_tests(case).undefined - own
    return sorted(filter(None, names))
