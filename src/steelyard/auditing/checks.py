"""Check answers for an audit: in the sandbox, under conditions that the audit varies."""

from dataclasses import dataclass, replace

from steelyard.checks.classification.classifier import classified
from steelyard.model.case import Case
from steelyard.model.execution import Command, ExecResult
from steelyard.model.outcome import Classification, Outcome
from steelyard.ports import Sandbox
from steelyard.runner.check.checkers import Checkers
from steelyard.runner.check.checking import unbroken
from steelyard.runner.check.fair_time import CommandUsage, FairSandbox

HASH_SEED_VARIABLE = "PYTHONHASHSEED="


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What a run of the tests must not depend on."""

    hash_seed: int = 0
    time_zone: str = ""  # as in TZ; empty: the sandbox's

    def applied(self, command: Command) -> Command:
        """Return the command under these conditions."""
        seed = f"{HASH_SEED_VARIABLE}{self.hash_seed}"
        argv = (seed if word.startswith(HASH_SEED_VARIABLE) else word for word in command.argv)
        env = {**command.env, "TZ": self.time_zone} if self.time_zone else command.env
        return replace(command, argv=tuple(argv), env=env)


class _VariedSandbox:
    """Runs commands of a sandbox under other conditions."""

    def __init__(self, sandbox: Sandbox, conditions: Conditions) -> None:
        self._sandbox, self._conditions = sandbox, conditions

    def run(self, command: Command) -> ExecResult:
        """Run a command under the conditions."""
        return self._sandbox.run(self._conditions.applied(command))


class AnswerChecks:
    """Checks answers, under any conditions; thread-safe."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._checkers: dict[Conditions, Checkers] = {}

    def outcome(self, case: Case, answer: str, conditions: Conditions = Conditions()) -> Outcome:  # noqa: B008  # frozen
        """Return the outcome of an answer to a case."""
        checkers = self._checkers.get(conditions) or self._checkers.setdefault(
            conditions, self._make(conditions)
        )
        return unbroken(lambda: classified(case, checkers.of(case).check(case, answer), answer))

    def passes(self, case: Case, answer: str) -> bool:
        """Whether an answer ends as a good one does."""
        return self.outcome(case, answer).facts.classification is case.expected

    def _make(self, conditions: Conditions) -> Checkers:
        usage = CommandUsage()
        return Checkers(
            self._sandbox, within=lambda inner: FairSandbox(_VariedSandbox(inner, conditions), usage)
        )


def is_infrastructure_error(outcome: Outcome) -> bool:
    """Whether the check failed, and not the answer."""
    return outcome.facts.classification is Classification.ERROR


def first_lines(text: str, *, lines: int = 3, letters: int = 300) -> str:
    """Return the first lines of a message that are not blank."""
    kept = [line.strip() for line in text.splitlines() if line.strip()][:lines]
    return "; ".join(kept)[:letters]
