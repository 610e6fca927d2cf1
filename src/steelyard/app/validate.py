"""Read an eval set and check it: its form, its languages and, in a sandbox, its own answers."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from steelyard.errors import InfrastructureError, InputError
from steelyard.model.environment import EnvironmentState
from steelyard.model.evalset import EvalSet
from steelyard.model.outcome import Classification, Isolation
from steelyard.runner.check import sandboxes
from steelyard.runner.check.checkers import Checkers, unchecked_languages
from steelyard.runner.check.environments import environment_states, install_environments
from steelyard.runner.check.isolation import isolation_problems, require_case_isolation
from steelyard.runner.check.references import THREADS, CheckedAnswer, brought_answers, check_references
from steelyard.sources.evalset.read import read_eval_set

OWN_VALIDATOR = frozenset({"terraform"})  # languages whose build is the check
EvalSetSource = EvalSet | str | Path  # a set, a TOML file, a folder of them, or the name of a shipped set


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """A valid eval set, and how many of its own answers were checked."""

    eval_set: EvalSet
    references: int | None = None  # reference answers that pass; None: not checked
    wrong_answers: int | None = None  # wrong answers that fail
    empty_answers: int | None = None  # answers that do nothing, which the tests fail
    environments: tuple[EnvironmentState, ...] = ()  # what this machine has of the set's packages

    @property
    def without_demands(self) -> tuple[str, ...]:
        """The cases that every answer passes if only it builds; a judge or a validator may still look."""
        if self.eval_set.judge is not None:
            return ()
        return tuple(
            case.id
            for case in self.eval_set.cases
            if case.expectations.demands_nothing
            and case.language not in OWN_VALIDATOR
            and case.expected is Classification.PASS
            and not case.honeypot
        )

    @property
    def without_reference(self) -> tuple[str, ...]:
        """The cases without a reference answer; honeypots can have none."""
        cases = (case for case in self.eval_set.cases if not case.honeypot)
        return tuple(case.id for case in cases if case.reference is None)


def validate(  # noqa: PLR0913  # one parameter for each option of the command
    eval_set: EvalSetSource,
    *,
    references: bool = False,
    require_isolation: Isolation | None = None,
    sandbox: str = sandboxes.DEFAULT,
    unsafe_no_sandbox: bool = False,
    threads: int = THREADS,
    notify: Callable[[str], None] = warnings.warn,
) -> Validation:
    """Read an eval set, or raise an error that lists everything wrong with it.

    With `references`, also check in a sandbox that each reference answer passes, and that each wrong answer
    and answers that do nothing fail. `require_isolation` refuses cases that are graded with less isolation.
    `notify` gets a message before packages are installed, which happens only with `references`.
    """
    found = load_eval_set(eval_set)
    require_case_isolation(found.cases, require_isolation)
    if not references:
        return Validation(eval_set=found, environments=environment_states(found.cases))
    install_environments(found.cases, notify)
    checkers = Checkers(sandboxes.make_sandbox(sandbox, allow_unsafe=unsafe_no_sandbox))
    return _with_references(found, checkers, threads=threads)


def load_eval_set(source: EvalSetSource) -> EvalSet:
    """Return an eval set whose answers can be checked here."""
    found = source if isinstance(source, EvalSet) else read_eval_set(str(source))
    problems = [
        f"  nothing checks answers in {language!r}; is it {near}?"
        for language, near in unchecked_languages(found.cases).items()
    ]
    problems += [f"  {problem}" for problem in isolation_problems(found.cases)]
    if problems:
        raise InputError("\n".join([f"{found.id}: there are cases that cannot be checked:", *problems]))
    return found


def _with_references(found: EvalSet, checkers: Checkers, *, threads: int) -> Validation:
    if not any(True for _ in brought_answers(found)):
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
