"""Write what is in an eval set, and what is seldom meant in it."""

from collections.abc import Iterator
from json import dumps

from steelyard.model.environment import EnvironmentState
from steelyard.model.evalset import EvalSet
from steelyard.model.validation import Validation
from steelyard.render.words import counted

MOST_NAMED = 10  # cases that a warning lists


def checked_answers(checked: Validation) -> str:
    """Return how many of the answers in a set were checked, and which cases have none."""
    good, wrong, empty = checked.references, checked.wrong_answers, checked.empty_answers
    lines = [f"references: {good} of {good} pass, {wrong} of {wrong} wrong answers fail\n"]
    if empty:
        lines.append(f"answers that do nothing: {empty} of {empty} fail\n")
    if bare := checked.without_reference:
        lines.append(f"without a reference answer: {', '.join(bare)}\n")
    return "".join(lines)


def as_json(read: Validation) -> str:
    """Return what is in a set as JSON; with wrong input there is an error and no JSON."""
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
    """Return what is allowed and seldom meant."""
    if language := read.eval_set.assumed_language:
        yield f'no language is named: {language} is assumed. Say it with default_language = "{language}"'
    if bare := read.without_demands:
        names = ", ".join(bare[:MOST_NAMED]) + (" …" if len(bare) > MOST_NAMED else "")
        yield f"{counted(len(bare), 'case')} without tests, which any answer that builds passes: {names}"


def described(found: EvalSet, *, is_final: bool = True, is_remarked: bool = False) -> str:
    """Return what is in a set: a line for the whole, and one for each suite.

    Unless this `is_final`, its answers are checked next, and nothing is said yet about whether all is well.
    With remarks, `is_remarked`, there are no errors, but not everything is well.
    """
    verdict = ("; no errors" if is_remarked else "; nothing is wrong with it") if is_final else ""
    counts = f"{counted(len(found.cases), 'case')} in {counted(len(found.suites), 'suite')}"
    lines = [f"{found.id}: {counts}, {counted(len(found.tiers), 'tier')}{verdict}"]
    for suite in found.suites:
        inside = found.cases_of(suite.id)
        languages = ", ".join(dict.fromkeys(case.language for case in inside)) or "-"
        brought = sum(case.reference is not None for case in inside)
        wrong = sum(len(case.wrong) for case in inside)
        lines.append(
            f"  suite {suite.id}: {counted(len(inside), 'case')} ({languages}), "
            f"{counted(brought, 'reference answer')}, {counted(wrong, 'wrong answer')}"
        )
    lines += [f"  tiers: {', '.join(tier.id for tier in found.tiers)}", f"  digest: {found.digest}"]
    return "\n".join(lines) + "\n"


def environment(state: EnvironmentState) -> str:
    """Describe which packages an environment has, and whether they are installed."""
    packages = f"environment: {counted(state.packages, 'package')} for {state.language}"
    if state.problem:
        return f"{packages}; {state.problem}"
    if state.is_installed:
        return f"{packages}; installed on this machine"
    return f"{packages}; {state.missing} not installed yet: `run`, or `validate --references`, installs them"
