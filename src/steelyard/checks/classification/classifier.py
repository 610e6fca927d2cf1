"""Classify outcomes by rules in a fixed order.

The order: timeout and crash, infrastructure error, refusal, wrong_format, policy_violation, then the check's
own classification (build_error, fail, pass). `docs/explanation/classifier.md` explains each rule.
"""

import json
from dataclasses import replace

from steelyard.checks.classification.detect import declining
from steelyard.checks.classification.prose import TEXTS
from steelyard.checks.grading.excerpts import excerpt
from steelyard.checks.grading.patterns import PatternTimeout, matches
from steelyard.errors import InputError
from steelyard.model.case import Case
from steelyard.model.outcome import Classification, Outcome

PASS, REFUSAL = Classification.PASS, Classification.REFUSAL
POLICY = "policy_forbidden"  # a setting of every language: patterns that no answer may match
# Final, whatever the answer's text.
SETTLED = frozenset({Classification.TIMEOUT, Classification.CRASH, Classification.ERROR})
# Finish reasons of providers for withheld answers.
WITHHELD = frozenset(
    {"content_filter", "refusal", "safety", "blocklist", "prohibited_content", "guardrail_intervened"}
)
OUT_OF_TIME = "timeout"  # finish reason of an agent stopped by its time limit
# Requirements on the whole answer: an answer that meets them is no refusal, whatever its words.
WHOLE = frozenset({"exact", "json_schema", "csv_columns", "xml", "html"})


def classified(case: Case, outcome: Outcome, text: str, finish_reason: str | None = None) -> Outcome:
    """Return an outcome with the first classification that applies, for any checker.

    A refusal to write Rust is a `refusal`, although the checker reports missing code.
    """
    seen = outcome.facts.classification
    if seen is None or seen in SETTLED:
        return outcome
    if finish_reason == OUT_OF_TIME and seen is not PASS:
        return _named(outcome, Classification.TIMEOUT, "the agent reached its time limit")
    refusal = _refusal(case, seen, text, finish_reason)
    if refusal is not None:
        return _named(outcome, REFUSAL, refusal)
    if seen is Classification.WRONG_FORMAT:
        return outcome
    return _with_policy(case, outcome, text)


def expectation_met(case: Case, outcome: Outcome) -> bool | None:
    """Return whether an outcome has the expected classification; None after infrastructure errors.

    Accuracy counts passes only; here an expected refusal counts too.
    """
    kind = outcome.facts.classification
    return None if kind is None or not kind.is_evidence else kind is case.expected


def _refusal(case: Case, seen: Classification, text: str, finish_reason: str | None) -> str | None:
    """Return the reason why an answer is a refusal, or None."""
    is_wanted = case.expected is REFUSAL
    if seen is PASS and not is_wanted and not _is_weak(case):
        return None
    if seen is not PASS and (finish_reason or "").lower() in WITHHELD:
        return f"the answer was withheld: {finish_reason}"
    sentence = declining(
        text,
        language=case.language,
        given="" if is_wanted else case.prompt,
        must_lead=seen is PASS and not is_wanted,
    )
    return None if sentence is None else f"the answer declines: {sentence}"


def _is_weak(case: Case) -> bool:
    """Whether a passing answer may still be a refusal that contains the expected words."""
    settings = case.expectations.settings
    pattern = settings.get("regex", "")
    is_anchored = r"\A" in pattern and pattern.rstrip(")").endswith(r"\Z")
    return case.language in TEXTS and not (WHOLE & settings.keys() or is_anchored)


def _with_policy(case: Case, outcome: Outcome, text: str) -> Outcome:
    for pattern in forbidden(case):
        try:
            is_match = matches(pattern, text, limit_s=case.timeout_s)
        except PatternTimeout:
            return _named(outcome, Classification.TIMEOUT, f"the pattern {pattern} exceeded its time limit")
        except ValueError as error:
            raise InputError(f"case {case.id}: settings.{POLICY} is not a valid pattern: {error}") from None
        if is_match:
            return _named(
                outcome,
                Classification.POLICY_VIOLATION,
                f"the answer matches the forbidden pattern {pattern}",
            )
    return outcome


def forbidden(case: Case) -> tuple[str, ...]:
    """Return the patterns that no answer to a case may match.

    They apply to the whole text including thoughts: a leaked secret is leaked.
    """
    text = case.expectations.settings.get(POLICY)
    if text is None:
        return ()
    try:
        listed = json.loads(text)
    except ValueError:
        return (text,)
    is_list = isinstance(listed, list) and all(isinstance(pattern, str) for pattern in listed)
    return tuple(listed) if is_list else (text,)


def _named(outcome: Outcome, kind: Classification, why: str) -> Outcome:
    facts = outcome.facts
    passed = None if facts.passed is None else False
    detail = excerpt(f"{why}\n{outcome.detail}".strip())
    return replace(outcome, facts=replace(facts, classification=kind, passed=passed), detail=detail)
