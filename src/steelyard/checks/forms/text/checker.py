"""Check text answers: exact texts, contained texts, patterns and formats.

Runs nothing, so it needs no sandbox. `classification` detects refusals and policy violations.
"""

import time
from dataclasses import replace

from steelyard.checks.forms.text.formats import without_thoughts
from steelyard.checks.forms.text.lenient import repaired
from steelyard.checks.forms.text.requirements import FAIL, FORMAT, PASS, REQUIREMENTS, Verdict
from steelyard.checks.grading.demands import require_no_demands
from steelyard.checks.grading.digests import check_digest
from steelyard.checks.grading.excerpts import explained
from steelyard.checks.grading.patterns import PatternTimeout
from steelyard.errors import InputError
from steelyard.model.case import Case
from steelyard.model.outcome import Classification, Integrity, Outcome
from steelyard.ports import Sandbox

REPAIRED = "repaired: "  # prefix of the detail of leniently read answers


class TextChecker:
    """Checks answers against the requirements in `settings`, which must all be met.

    `exact` and `contains` ignore surrounding whitespace, and with `ignore_case = "true"` case. `regex` may
    match anywhere; `json_schema`, `csv_columns`, `xml` and `html` are formats of the whole answer. Cases that
    expect a refusal need no requirement: other answers fail.
    """

    def __init__(self, sandbox: Sandbox | None = None) -> None:
        del sandbox  # every checker gets one; this one runs nothing

    def check(self, case: Case, answer: str) -> Outcome:
        """Return whether an answer meets all requirements of its case."""
        require_no_demands(case, "functions", "types", "max_lint_warnings", "custom_check")
        began = time.monotonic()
        if not REQUIREMENTS.keys() & case.expectations.settings.keys() and case.expected is PASS:
            raise InputError(
                f"case {case.id}: text needs at least one of the settings {', '.join(REQUIREMENTS)}"
            )
        kind, detail = _check(case, without_thoughts(answer))
        outcome = explained(kind, detail)
        return replace(
            outcome,
            check_digest=check_digest("text", case),
            check_us=round((time.monotonic() - began) * 1e6),
            integrity=Integrity.SEALED,
        )


def _check(case: Case, answer: str) -> Verdict:
    """Read an answer strictly; after a failure, add the result of lenient reading."""
    try:
        kind, detail = _check_strictly(case, answer)
        if kind is PASS or not answer.strip():
            return kind, detail
        lenient = repaired(case, answer)
        if lenient is None:
            return kind, detail
        lenient_kind, lenient_detail = _check_strictly(case, lenient.text)
        if case.expectations.settings.get("lenient", "false").lower() == "true":
            return lenient_kind, f"{REPAIRED}{', '.join(lenient.repairs)}\n{lenient_detail}".strip()
        if kind is FORMAT or lenient_kind is PASS:
            detail = f"{detail}\nlenient reading ({', '.join(lenient.repairs)}) gives {lenient_kind}"
    except PatternTimeout as error:
        # Not an infrastructure error: an answer may be crafted to slow a pattern down.
        task = str(error) or "a pattern"
        return Classification.TIMEOUT, f"{task} took more than {case.timeout_s:g} seconds"
    return kind, detail


def _check_strictly(case: Case, answer: str) -> Verdict:
    if not answer.strip():
        return FORMAT, "the answer is empty"
    requirements = [check for name, check in REQUIREMENTS.items() if name in case.expectations.settings]
    if not requirements:
        return FAIL, f"the answer is not a {case.expected}"
    for check in requirements:
        kind, detail = check(answer, case)
        if kind is not PASS:
            return kind, detail
    return PASS, ""
