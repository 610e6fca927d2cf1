"""What was found in an eval set that is valid."""

from dataclasses import dataclass

from steelyard.languages.lookup import LANGUAGES
from steelyard.model.environment import EnvironmentState
from steelyard.model.evalset import EvalSet
from steelyard.model.outcome import Classification

OWN_VALIDATOR = frozenset(language.name for language in LANGUAGES if language.build_is_check)


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
            and case.task is None
            and case.expected is Classification.PASS
            and not case.honeypot
        )

    @property
    def without_reference(self) -> tuple[str, ...]:
        """The cases without a reference answer; honeypots can have none."""
        cases = (case for case in self.eval_set.cases if not case.honeypot)
        return tuple(case.id for case in cases if case.reference is None)
