"""Integrity: answers that solve nothing fail, and expected values are out of their reach."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from steelyard.auditing import rules
from steelyard.auditing.cheats import Cheat, cheating_answers, constant_answers
from steelyard.auditing.checks import AnswerChecks
from steelyard.auditing.python_case import ExpectedValue, expected_values, with_raw_answers
from steelyard.auditing.rules import finding
from steelyard.checks.known_answers import empty_answers
from steelyard.model.audit import Finding, Rule
from steelyard.model.case import Case
from steelyard.model.outcome import Classification, Integrity, Outcome

NEAR = 40  # characters between a call in the prompt and its result
FEWEST = 2  # expected values that a prompt must show to be remarkable


@dataclass(frozen=True, slots=True, kw_only=True)
class CheatChecks:
    """How many answers that solve nothing were checked, and which passed."""

    checked: int
    findings: tuple[Finding, ...]


def check_cheats(case: Case, checks: AnswerChecks) -> CheatChecks:
    """Check the answers that solve nothing; only cases that honest answers pass by tests have any."""
    if not _needs_a_solution(case):
        return CheatChecks(checked=0, findings=())
    raw = with_raw_answers(case)
    groups: list[tuple[Rule, Case, list[Cheat]]] = [
        (rules.EMPTY_PASSES, case, [Cheat(name=name, source=text) for name, text in empty_answers(case)])
    ]
    if raw is not None:
        groups.append((rules.CHEAT_PASSES, raw, list(cheating_answers(raw))))
        groups.append((rules.CONSTANT_PASSES, raw, list(constant_answers(raw))))
    passing = [(rule, _passing(used, cheats, checks)) for rule, used, cheats in groups]
    return CheatChecks(
        checked=sum(len(cheats) for _, _, cheats in groups),
        findings=tuple(
            finding(rule, f"{', '.join(names)} passes", case=case.id) for rule, names in passing if names
        ),
    )


def sealing(case: Case, outcome: Outcome) -> Iterator[Finding]:
    """Find assertions that are evaluated beside the answer, which could forge their result."""
    if not case.expectations.has_tests:
        return
    sealed, unsealed = outcome.sealed_assertions, outcome.open_assertions
    counts = f"{unsealed} of {(sealed or 0) + (unsealed or 0)} assertions are open" if unsealed else ""
    if outcome.integrity is Integrity.OPEN:
        yield finding(
            rules.OPEN_ASSERTIONS, counts or "the result is computed beside the answer", case=case.id
        )
    elif outcome.integrity is Integrity.PARTIAL:
        yield finding(rules.PARTLY_OPEN, counts or "some assertions are open", case=case.id)


def values_in_prompt(case: Case) -> Iterator[Finding]:
    """Find cases whose prompt shows every expected value: a table of them passes."""
    expected = list(dict.fromkeys(expected_values(case)))
    if len(expected) < FEWEST:
        return
    prompt = _normalize(case.prompt)
    if all(_is_shown(value, prompt) for value in expected):
        yield finding(
            rules.TESTS_IN_PROMPT,
            f"the prompt shows all {len(expected)} calls of the tests with their results, "
            f"such as {expected[0].call} and {expected[0].value}",
            case=case.id,
        )


def _needs_a_solution(case: Case) -> bool:
    expectations = case.expectations
    is_tested = case.task is not None or (expectations.has_tests and case.language != "judge")
    return (
        is_tested
        and expectations.should_pass_tests
        and expectations.should_build
        and case.expected is Classification.PASS
        and not case.honeypot
    )


def _passing(case: Case, cheats: Iterable[Cheat], checks: AnswerChecks) -> list[str]:
    return [cheat.name for cheat in cheats if checks.passes(case, cheat.source)]


def _is_shown(expected: ExpectedValue, prompt: str) -> bool:
    """Whether a prompt has a call, and its result soon after."""
    call, value = _normalize(expected.call), _normalize(expected.value)
    ends = (match.end() for match in re.finditer(re.escape(call), prompt))
    return any(value in prompt[end : end + NEAR + len(value)] for end in ends)


def _normalize(text: str) -> str:
    """Remove blanks and unify quotes, which prompts and tests may write differently."""
    return re.sub(r"\s+", "", text).replace('"', "'")
