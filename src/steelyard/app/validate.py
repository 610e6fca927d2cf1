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
from steelyard.runner.tasks.solutions import with_solutions
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
    """Validate an eval set.

    Args:
        eval_set: A set, a TOML file, a folder of them, or the name of a shipped set.
        references: Also check that references pass and that wrong and empty answers fail.
        require_integrity: Reject cases of lower integrity.
        sandbox: The sandbox of `references`: `bubblewrap`, `oci` or `gvisor`.
        unsafe_no_sandbox: Run answers without a sandbox.
        threads: Concurrent checks.
        notify: Called with a message before packages are installed for `references`.

    Raises:
        InputError: The set is invalid; the message lists all errors.
        InfrastructureError: An answer could not be checked.
    """
    loaded = load_eval_set(eval_set)
    require_gradable(loaded)
    require_case_integrity(loaded.cases, require_integrity, allow_unsafe=unsafe_no_sandbox)
    if not references:
        return Validation(eval_set=loaded, environments=environment_states(loaded.cases))
    install_environments(loaded.cases, notify)
    loaded = with_solutions(loaded)
    checkers = Checkers(sandboxes.make_sandbox(sandbox, allow_unsafe=unsafe_no_sandbox))
    return _check_references(loaded, checkers, threads=threads)


def load_eval_set(source: EvalSetSource) -> EvalSet:
    """Load an eval set.

    Args:
        source: A set, a TOML file, a folder of them, or the name of a shipped set.

    Raises:
        InputError: The set is invalid, or has a language without a checker.
    """
    eval_set = source if isinstance(source, EvalSet) else read_eval_set(str(source))
    problems = [
        f"  no checker for the language {language!r}; did you mean {near}?"
        for language, near in unchecked_languages(eval_set.cases).items()
    ]
    _require_none(eval_set, problems)
    return eval_set


def require_gradable(eval_set: EvalSet) -> None:
    """Reject tests that cannot grade any answer."""
    _require_none(eval_set, [f"  {problem}" for problem in problems_of_tests(eval_set.cases)])


def _require_none(eval_set: EvalSet, problems: Sequence[str]) -> None:
    if problems:
        raise InputError("\n".join([f"{eval_set.id}: these cases cannot be checked:", *problems]))


def _check_references(eval_set: EvalSet, checkers: Checkers, *, threads: int) -> Validation:
    if not any(True for _ in known_answers(eval_set)):
        raise InputError(f"{eval_set.id}: no case has an answer to check; add a `reference` to each")
    checked = list(check_references(eval_set, checkers, threads=threads))
    bad = [answer for answer in checked if not answer.is_as_meant]
    if broken := [answer for answer in bad if answer.is_our_failure]:
        raise InfrastructureError(_format_problems(eval_set, broken))
    if bad:
        raise InputError(_format_problems(eval_set, bad))
    good = sum(answer.answer.must_pass for answer in checked)
    empty = sum(answer.answer.is_empty for answer in checked)
    return Validation(
        eval_set=eval_set,
        references=good,
        wrong_answers=len(checked) - good - empty,
        empty_answers=empty,
        environments=environment_states(eval_set.cases),
    )


def _format_problems(eval_set: EvalSet, answers: list[CheckedAnswer]) -> str:
    problems = "\n".join(f"  {answer.problem}" for answer in answers)
    count = f"{len(answers)} answer{'' if len(answers) == 1 else 's'}"
    return f"{eval_set.id}: {count} had an unexpected result:\n{problems}"
