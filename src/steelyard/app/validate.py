"""Validate an eval set: form, languages and, in a sandbox, its reference answers."""

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

from steelyard.checks.environments import environment_states, install_environments
from steelyard.errors import InfrastructureError, InputError
from steelyard.model.evalset import EvalSet
from steelyard.model.outcome import Integrity
from steelyard.model.validation import Validation
from steelyard.runner.check import sandboxes
from steelyard.runner.check.checkers import Checkers, problems_of_tests, unchecked_languages
from steelyard.runner.check.integrity import require_case_integrity
from steelyard.runner.check.references import THREADS, CheckedAnswer, check_references, known_answers
from steelyard.sources.evalset.read import read_eval_set

EvalSetSource = EvalSet | str | Path  # a set, a TOML file, a folder of them, or the name of a shipped set


def validate(  # noqa: PLR0913  # one parameter for each option of the command
    eval_set: EvalSetSource,
    *,
    references: bool = False,
    require_integrity: Integrity | None = None,
    sandbox: str = sandboxes.DEFAULT,
    unsafe_no_sandbox: bool = False,
    threads: int = THREADS,
    notify: Callable[[str], None] = warnings.warn,
) -> Validation:
    """Read an eval set, or raise an error that lists everything wrong with it.

    With `references`, also check in a sandbox that each reference answer passes, and that each wrong answer
    and answers that do nothing fail. `require_integrity` refuses cases with less integrity.
    `notify` gets a message before packages are installed, which happens only with `references`.
    """
    result = load_eval_set(eval_set)
    require_gradable(result)
    require_case_integrity(result.cases, require_integrity, allow_unsafe=unsafe_no_sandbox)
    if not references:
        return Validation(eval_set=result, environments=environment_states(result.cases))
    install_environments(result.cases, notify)
    checkers = Checkers(sandboxes.make_sandbox(sandbox, allow_unsafe=unsafe_no_sandbox))
    return _with_references(result, checkers, threads=threads)


def load_eval_set(source: EvalSetSource) -> EvalSet:
    """Load an eval set from a TOML file, a folder of them, or by the name of a shipped set.

    Raises InputError that lists what is wrong, such as a language that nothing checks.
    """
    eval_set_source = source if isinstance(source, EvalSet) else read_eval_set(str(source))
    problems = [
        f"  nothing checks answers in {language!r}; is it {near}?"
        for language, near in unchecked_languages(eval_set_source.cases).items()
    ]
    _refuse(eval_set_source, problems)
    return eval_set_source


def require_gradable(eval_set: EvalSet) -> None:
    """Refuse tests that cannot grade anything, before any answer is generated."""
    _refuse(eval_set, [f"  {problem}" for problem in problems_of_tests(eval_set.cases)])


def _refuse(eval_set: EvalSet, problems: Sequence[str]) -> None:
    if problems:
        raise InputError("\n".join([f"{eval_set.id}: there are cases that cannot be checked:", *problems]))


def _with_references(found: EvalSet, checkers: Checkers, *, threads: int) -> Validation:
    if not any(True for _ in known_answers(found)):
        raise InputError(f"{found.id}: no case brings an answer to check; give each one a `reference`")
    checked = list(check_references(found, checkers, threads=threads))
    bad = [answer for answer in checked if not answer.is_as_meant]
    if broken := [answer for answer in bad if answer.is_our_failure]:
        raise InfrastructureError(_problems(found, broken))
    if bad:
        raise InputError(_problems(found, bad))
    good = sum(answer.answer.must_pass for answer in checked)
    empty = sum(answer.answer.is_empty for answer in checked)
    return Validation(
        eval_set=found,
        references=good,
        wrong_answers=len(checked) - good - empty,
        empty_answers=empty,
        environments=environment_states(found.cases),
    )


def _problems(found: EvalSet, answers: list[CheckedAnswer]) -> str:
    problems = "\n".join(f"  {answer.problem}" for answer in answers)
    count = f"{len(answers)} answer{'' if len(answers) == 1 else 's'}"
    return f"{found.id}: {count} did not end as meant:\n{problems}"
