"""The seams: small protocols behind which one part can be swapped for another.

Protocols and the records they hand over, nothing else; adapters get what they need as arguments.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

from steelyard.model.case import Case
from steelyard.model.classification import Classification
from steelyard.model.comparison import Comparison
from steelyard.model.excerpt import SampleExcerpt
from steelyard.model.execution import Command, ExecResult
from steelyard.model.facts import Outcome
from steelyard.model.gate import GateReport
from steelyard.model.provider import ProviderSettings
from steelyard.model.report import Report
from steelyard.model.request import Reply, Request

Item = TypeVar("Item")
Result = TypeVar("Result")


class ReportRenderer(Protocol):
    """Turns a report into text; the same report always gives the same text."""

    def render(self, report: Report) -> str:
        """Return the whole text, ending in a newline."""


@runtime_checkable
class SampleRenderer(Protocol):
    """Turns a report into text that also shows samples of the run, where there are any."""

    def render_with_samples(self, report: Report, samples: Sequence[SampleExcerpt]) -> str:
        """Return the whole text, ending in a newline."""


@runtime_checkable
class FileRenderer(Protocol):
    """Turns a report into a file that is no text."""

    def render_bytes(self, report: Report) -> bytes:
        """Return the whole file."""


class ComparisonRenderer(Protocol):
    """Turns a comparison into text; the same comparison always gives the same text."""

    def render(self, comparison: Comparison) -> str:
        """Return the whole text, ending in a newline."""


class GateRenderer(Protocol):
    """Turns a gate's verdict into text; the same verdict always gives the same text."""

    def render(self, gate: GateReport) -> str:
        """Return the whole text, ending in a newline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """One repaired file that has not been validated yet."""

    case: str
    attempt: str
    filename: str
    text: str


class Validator(Protocol):
    """Finds out whether repaired files are valid, such as `terraform validate` does."""

    def validate(self, fixes: Sequence[Fix], *, clones_dir: str) -> Sequence[Classification]:
        """Return how each fix ended, in order; `error` when we, not the fix, broke."""


class ValidatorMaker(Protocol):
    """Makes a validator; what the table of validators names."""

    def __call__(self, sandbox: "Sandbox", *, providers: str | None) -> Validator:
        """Return a validator that runs its tool in a sandbox, with plug-ins of the tool from a folder."""


class Sandbox(Protocol):
    """Runs commands that nobody trusts, each in a fresh place of its own; safe to call from many threads."""

    def run(self, command: Command) -> ExecResult:
        """Run a command to its end and return what came of it; nothing of it survives.

        Raises SandboxError only when the command could not be started, which says nothing about the command.
        """


class Provider(Protocol):
    """Asks a model, or an agent, or a record of what they once said; safe to call many times at once.

    One attempt for one call: who waits, repeats and pays is the business of the engine.
    """

    async def draw(self, request: Request) -> Reply:
        """Return the reply, however bad; raises ProviderError when there is none."""

    async def close(self) -> None:
        """Let go of connections."""


class ProviderMaker(Protocol):
    """Makes a provider; what the table of providers names."""

    def __call__(self, settings: ProviderSettings, *, sandbox: "Sandbox") -> Provider:
        """Return a provider; agents run in the sandbox, everybody else has no use for it.

        Raises UserError, before anything is paid for, when a key or a setting is missing.
        """


class Engine(Protocol):
    """Runs a plain function over plain records, in this process or on a cluster."""

    @property
    def parts(self) -> int:
        """Into how many parts work is best dealt out."""

    @property
    def threads(self) -> int | None:
        """How many threads the work on one part may use; None: as many as there are cores."""

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterable[Result]:
        """Give the function's result for each item, in order, each computed at least once."""

    def close(self) -> None:
        """Stop whatever the engine started."""


class Checker(Protocol):
    """Finds out the facts about an answer; safe to call from many threads.

    A checker is handed its sandbox when it is made. Whatever the answer does is a fact about the answer;
    an outcome is classified `error` only when we broke, and only a missing tool raises an error.
    """

    def check(self, case: Case, answer: str) -> Outcome:
        """Return what a check of the model's raw answer saw."""
