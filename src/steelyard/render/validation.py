"""Render the contents of an eval set, and remarks about likely mistakes."""

from collections.abc import Iterator
from json import dumps

from steelyard.model.environment import EnvironmentState
from steelyard.model.evalset import EvalSet
from steelyard.model.validation import Validation
from steelyard.render.words import counted

MOST_NAMED = 10  # cases that a warning lists


def checked_answers(checked: Validation) -> str:
    """Return how many answers of a set were checked, and which cases have no reference."""
    good, wrong, empty = checked.references, checked.wrong_answers, checked.empty_answers
    lines = [f"references: {good} of {good} pass, {wrong} of {wrong} wrong answers fail\n"]
    if empty:
        lines.append(f"empty answers: {empty} of {empty} fail\n")
    if bare := checked.without_reference:
        lines.append(f"without a reference answer: {', '.join(bare)}\n")
    return "".join(lines)


def as_json(read: Validation) -> str:
    """Return the contents of a valid set as JSON."""
    eval_set = read.eval_set
    content = {
        "schema": "steelyard.validation/1",
        "eval_set": eval_set.id,
        "digest": eval_set.digest,
        "languages": eval_set.languages,
        "tiers": [tier.id for tier in eval_set.tiers],
        "cases": [{"suite": case.suite, "id": case.id, "tags": case.tags} for case in eval_set.cases],
        "assumed_language": eval_set.assumed_language,
        "without_demands": read.without_demands,
        "without_reference": read.without_reference,
        "references": read.references,
        "wrong_answers": read.wrong_answers,
        "empty_answers": read.empty_answers,
    }
    return dumps(content, indent=2) + "\n"


def remarks(read: Validation) -> Iterator[str]:
    """Yield what is valid but rarely intended."""
    if language := read.eval_set.assumed_language:
        yield f'no language is set: {language} is assumed. Set default_language = "{language}"'
    if bare := read.without_demands:
        names = ", ".join(bare[:MOST_NAMED]) + (" …" if len(bare) > MOST_NAMED else "")
        yield f"{counted(len(bare), 'case')} without tests, which any answer that builds passes: {names}"


def described(eval_set: EvalSet, *, is_final: bool = True, is_remarked: bool = False) -> str:
    """Return a line for the set, and one for each suite.

    Args:
        eval_set: The set.
        is_final: Whether to state the verdict; otherwise its answers are checked first.
        is_remarked: Whether there are remarks.
    """
    verdict = ("; no errors" if is_remarked else "; no problems") if is_final else ""
    counts = f"{counted(len(eval_set.cases), 'case')} in {counted(len(eval_set.suites), 'suite')}"
    lines = [f"{eval_set.id}: {counts}, {counted(len(eval_set.tiers), 'tier')}{verdict}"]
    for suite in eval_set.suites:
        cases = eval_set.cases_of(suite.id)
        languages = ", ".join(dict.fromkeys(case.language for case in cases)) or "-"
        references = sum(case.reference is not None for case in cases)
        wrong = sum(len(case.wrong) for case in cases)
        lines.append(
            f"  suite {suite.id}: {counted(len(cases), 'case')} ({languages}), "
            f"{counted(references, 'reference answer')}, {counted(wrong, 'wrong answer')}"
        )
    lines += [f"  tiers: {', '.join(tier.id for tier in eval_set.tiers)}", f"  digest: {eval_set.digest}"]
    return "\n".join(lines) + "\n"


def environment(state: EnvironmentState) -> str:
    """Return the packages of an environment, and whether they are installed."""
    packages = f"environment: {counted(state.packages, 'package')} for {state.language}"
    if state.problem:
        return f"{packages}; {state.problem}"
    if state.is_installed:
        return f"{packages}; installed on this machine"
    return f"{packages}; {state.missing} not installed yet: `run`, or `validate --references`, installs them"
