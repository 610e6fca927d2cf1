"""Check answers that are text: equal to what is expected, holding it, matching a pattern, or JSON of a shape.

Nothing is run, so there is no sandbox in it; a pattern that takes for ever is stopped all the same.
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from steelyard.checks.demands import refuse_demands
from steelyard.checks.digests import check_digest
from steelyard.checks.excerpts import excerpt
from steelyard.checks.text_json import json_in, problems
from steelyard.checks.text_patterns import PatternTimeout, matches
from steelyard.errors import InputError
from steelyard.model.case import Case
from steelyard.model.classification import Classification
from steelyard.model.facts import Facts, Outcome
from steelyard.ports import Sandbox

Settings = Mapping[str, str]
Verdict = tuple[Classification, str]

PASS, FAIL, FORMAT = Classification.PASS, Classification.FAIL, Classification.WRONG_FORMAT


class TextChecker:
    """Compares answers with what `settings` says; the demands that are there must all be met.

    `exact` and `contains` are compared without blanks around them, and with `ignore_case = "true"` without
    regard to case. `regex` must match somewhere; `json_schema` is the JSON Schema of the whole answer.
    """

    def __init__(self, sandbox: Sandbox | None = None) -> None:
        del sandbox  # every checker is offered one; this one runs nothing

    def check(self, case: Case, answer: str) -> Outcome:
        """Return whether an answer meets every demand of its case."""
        refuse_demands(case, "functions", "types", "max_lint_warnings", "custom_check")
        began = time.monotonic()
        settings = case.expectations.settings
        demands = [demand for name, demand in DEMANDS.items() if name in settings]
        if not demands:
            raise InputError(
                f"case {case.id}: a text is checked by one or more of {', '.join(DEMANDS)} in its settings"
            )
        kind, detail = _judged(case, answer, demands)
        outcome = Outcome(facts=Facts(classification=kind), detail=excerpt(detail))
        digest = check_digest("text", case)
        return replace(outcome, check_digest=digest, check_us=round((time.monotonic() - began) * 1e6))


def _judged(case: Case, answer: str, demands: list["Demand"]) -> Verdict:
    if not answer.strip():
        return FORMAT, "the answer is empty"
    for demand in demands:
        kind, detail = demand(answer, case)
        if kind is not PASS:
            return kind, detail
    return PASS, ""


def _exact(answer: str, case: Case) -> Verdict:
    settings = case.expectations.settings
    is_equal = _plain(answer, settings) == _plain(settings["exact"], settings)
    return (PASS, "") if is_equal else (FAIL, "the answer differs from what is expected")


def _contains(answer: str, case: Case) -> Verdict:
    settings = case.expectations.settings
    is_there = _plain(settings["contains"], settings) in _plain(answer, settings)
    return (PASS, "") if is_there else (FAIL, "the answer does not hold what is expected")


def _regex(answer: str, case: Case) -> Verdict:
    settings = case.expectations.settings
    try:
        found = matches(
            settings["regex"], answer, ignore_case=_ignores_case(settings), limit_s=case.timeout_s
        )
    except PatternTimeout:
        # Not our own error, though the pattern is ours: an answer must not drop out of the count by being
        # made for a pattern that never ends on it.
        return Classification.TIMEOUT, f"the pattern took more than {case.timeout_s:g} seconds"
    except ValueError as error:
        raise InputError(f"case {case.id}: settings.regex is no pattern: {error}") from None
    return (PASS, "") if found else (FAIL, "the answer does not match the pattern")


def _json_schema(answer: str, case: Case) -> Verdict:
    try:
        schema = json.loads(case.expectations.settings["json_schema"])
    except ValueError as error:
        raise InputError(f"case {case.id}: settings.json_schema is no JSON: {error}") from None
    value = json_in(answer)
    if value is None:
        return FORMAT, "the answer is no JSON"
    found = problems(value.value, schema, where=f"case {case.id}: settings.json_schema")
    return (PASS, "") if not found else (FAIL, "\n".join(found))


Demand = Callable[[str, Case], Verdict]
DEMANDS: Mapping[str, Demand] = {
    "json_schema": _json_schema,
    "exact": _exact,
    "contains": _contains,
    "regex": _regex,
}


def _ignores_case(settings: Settings) -> bool:
    return settings.get("ignore_case", "false").lower() == "true"


def _plain(text: str, settings: Settings) -> str:
    text = text.replace("\r\n", "\n").strip()
    return text.casefold() if _ignores_case(settings) else text
