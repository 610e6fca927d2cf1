"""Check a case's extra requirements on Rust answers."""

from collections.abc import Iterator

from steelyard.checks.grading.demands import run_custom_check
from steelyard.checks.grading.excerpts import excerpt
from steelyard.checks.toolchains.rust.tokens import defined_names
from steelyard.model.case import Case
from steelyard.ports import Sandbox

_TYPES = frozenset({"struct", "enum", "union", "trait", "type"})


def unmet_demands(case: Case, code: str, lint: int | None, sandbox: Sandbox) -> Iterator[str]:
    """Yield a line for each unmet requirement."""
    expectations = case.expectations
    if expectations.functions:
        missing = set(expectations.functions) - defined_names(code, frozenset({"fn"}))
        yield from (f"does not define the function `{name}`" for name in sorted(missing))
    if expectations.types:
        missing = set(expectations.types) - defined_names(code, _TYPES)
        yield from (f"does not define the type `{name}`" for name in sorted(missing))
    if (
        expectations.max_lint_warnings is not None
        and lint is not None
        and lint > expectations.max_lint_warnings
    ):
        yield f"{lint} lint warnings, at most {expectations.max_lint_warnings} allowed"
    if expectations.custom_check is not None:
        yield from _custom(expectations.custom_check, case, code, sandbox)


def _custom(check: str, case: Case, code: str, sandbox: Sandbox) -> Iterator[str]:
    ended = run_custom_check(check, case, code, sandbox)
    if not ended.succeeded:
        text = excerpt(ended.stderr.decoded() or ended.stdout.decoded(), longest=1000)
        reason = text or ended.limit or f"exit code {ended.exit_code}"
        yield f"the custom check of the case rejected the answer: {reason}"
