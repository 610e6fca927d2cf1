"""Check answers that are text: equal to what is expected, holding it, matching a pattern, or of a given form.

Nothing is run, so there is no sandbox in it; a pattern that takes for ever is stopped all the same. Whether
an answer declines, or does what the prompt forbids, is found in `classifier.py`.
"""

import time
from dataclasses import replace

from steelyard.checks.forms.text.demands import DEMANDS, FAIL, FORMAT, PASS, Verdict
from steelyard.checks.forms.text.formats import without_thoughts
from steelyard.checks.forms.text.lenient import repaired
from steelyard.checks.grading.demands import require_no_demands
from steelyard.checks.grading.digests import check_digest
from steelyard.checks.grading.excerpts import explained
from steelyard.checks.grading.patterns import PatternTimeout
from steelyard.errors import InputError
from steelyard.model.case import Case
from steelyard.model.outcome import Classification, Integrity, Outcome
from steelyard.ports import Sandbox

REPAIRED = "repaired: "  # how the detail of an answer begins that was read leniently


class TextChecker:
    """Compares answers with what `settings` says; the demands that are there must all be met.

    `exact` and `contains` are compared without blanks around them, and with `ignore_case = "true"` without
    regard to case. `regex` must match somewhere; `json_schema`, `csv_columns`, `xml` and `html` are forms of
    the whole answer. A case whose right answer is a refusal needs no demand: whatever else comes has failed.
    """

    def __init__(self, sandbox: Sandbox | None = None) -> None:
        del sandbox  # every checker is offered one; this one runs nothing

    def check(self, case: Case, answer: str) -> Outcome:
        """Return whether an answer meets every demand of its case."""
        require_no_demands(case, "functions", "types", "max_lint_warnings", "custom_check")
        began = time.monotonic()
        if not DEMANDS.keys() & case.expectations.settings.keys() and case.expected is PASS:
            raise InputError(
                f"case {case.id}: a text is checked by one or more of {', '.join(DEMANDS)} in its settings"
            )
        kind, detail = _read(case, without_thoughts(answer))
        outcome = explained(kind, detail)
        return replace(
            outcome,
            check_digest=check_digest("text", case),
            check_us=round((time.monotonic() - began) * 1e6),
            integrity=Integrity.SEALED,
        )


def _read(case: Case, answer: str) -> Verdict:
    """Read an answer strictly and, where that fails, say what a lenient reading makes of it."""
    try:
        kind, detail = _judged(case, answer)
        if kind is PASS or not answer.strip():
            return kind, detail
        better = repaired(case, answer)
        if better is None:
            return kind, detail
        lenient_kind, lenient_detail = _judged(case, better.text)
        if case.expectations.settings.get("lenient", "false").lower() == "true":
            return lenient_kind, f"{REPAIRED}{', '.join(better.repairs)}\n{lenient_detail}".strip()
        if kind is FORMAT or lenient_kind is PASS:
            detail = f"{detail}\nread leniently ({', '.join(better.repairs)}) it would be: {lenient_kind}"
    except PatternTimeout as error:
        # No infrastructure error: answers crafted to make our pattern time out must count.
        what = str(error) or "a pattern"
        return Classification.TIMEOUT, f"{what} took more than {case.timeout_s:g} seconds"
    return kind, detail


def _judged(case: Case, answer: str) -> Verdict:
    if not answer.strip():
        return FORMAT, "the answer is empty"
    demands = [demand for name, demand in DEMANDS.items() if name in case.expectations.settings]
    if not demands:
        return FAIL, f"the answer is not a {case.expected}"
    for demand in demands:
        kind, detail = demand(answer, case)
        if kind is not PASS:
            return kind, detail
    return PASS, ""
