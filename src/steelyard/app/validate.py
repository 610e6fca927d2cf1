"""Read an eval set and check it: its form, its languages and, in a sandbox, its own answers."""

from dataclasses import dataclass
from pathlib import Path

from steelyard.errors import InfrastructureError, InputError
from steelyard.model.evalset import EvalSet
from steelyard.runner.check import sandboxes
from steelyard.runner.check.checkers import Checkers, unchecked_languages
from steelyard.runner.check.references import THREADS, CheckedAnswer, brought_answers, check_references
from steelyard.sources.evalset.read import read_eval_set

EvalSetSource = EvalSet | str | Path  # a set, a TOML file, a folder of them, or the name of a shipped set


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """A valid eval set, and how many of its own answers were checked."""

    eval_set: EvalSet
    references: int | None = None  # reference answers that pass; None: not checked
    wrong_answers: int | None = None  # wrong answers that fail

    @property
    def without_reference(self) -> tuple[str, ...]:
        """The cases without a reference answer."""
        return tuple(case.id for case in self.eval_set.cases if case.reference is None)


def validate(
    eval_set: EvalSetSource,
    *,
    references: bool = False,
    sandbox: str = sandboxes.DEFAULT,
    unsafe_no_sandbox: bool = False,
    threads: int = THREADS,
) -> Validation:
    """Read an eval set, or raise an error that lists everything wrong with it.

    With `references`, also check in a sandbox that each reference answer passes and each wrong answer fails.
    """
    found = load_eval_set(eval_set)
    if not references:
        return Validation(eval_set=found)
    checkers = Checkers(sandboxes.make_sandbox(sandbox, allow_unsafe=unsafe_no_sandbox))
    return _with_references(found, checkers, threads=threads)


def load_eval_set(source: EvalSetSource) -> EvalSet:
    """Return an eval set whose answers can be checked here."""
    found = source if isinstance(source, EvalSet) else read_eval_set(str(source))
    unknown = [
        f"  nothing checks answers in {language!r}; is it {near}?"
        for language, near in unchecked_languages(found.cases).items()
    ]
    if unknown:
        raise InputError("\n".join([f"{found.id}: there are cases that cannot be checked:", *unknown]))
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
    good = sum(answer.answer.wrong is None for answer in checked)
    return Validation(eval_set=found, references=good, wrong_answers=len(checked) - good)


def _problems(found: EvalSet, answers: list[CheckedAnswer]) -> str:
    problems = "\n".join(f"  {answer.problem}" for answer in answers)
    count = f"{len(answers)} answer{'' if len(answers) == 1 else 's'}"
    return f"{found.id}: {count} did not end as meant:\n{problems}"
