"""The seams: small protocols behind which one part can be swapped for another.

Protocols and the records they hand over, nothing else; adapters get what they need as arguments.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from steelyard.model.case import Case
from steelyard.model.comparison import Comparison
from steelyard.model.config import ProviderSettings
from steelyard.model.execution import Command, ExecResult
from steelyard.model.gate import GateReport
from steelyard.model.history import History
from steelyard.model.log import Exported, ExportedRun, Log, LogOptions
from steelyard.model.matrix import SubjectMatrix
from steelyard.model.outcome import Classification, Outcome
from steelyard.model.report import Report
from steelyard.model.request import Reply, Request
from steelyard.model.sample import SampleExcerpt
from steelyard.model.sent_run import SentRun

Item = TypeVar("Item")
Result = TypeVar("Result")

Renderable = Report | Comparison | GateReport | SubjectMatrix | History


class Renderer(Protocol):
    """Turns a result into text, or into the bytes of a file; the same result always gives the same bytes."""

    @property
    def kinds(self) -> tuple[type[Renderable], ...]:
        """The kinds of result that it takes."""

    @property
    def is_text(self) -> bool:
        """Whether `render` returns text; bytes go to a file and never to the screen."""

    @property
    def shows_samples(self) -> bool:
        """Whether it makes use of `samples`; reading them takes time, so the others are given none."""

    def render(self, result: Renderable, *, samples: Sequence[SampleExcerpt] = ()) -> str | bytes:
        """Return the whole text, ending in a newline, or the whole file.

        `result` is one of `kinds`; `samples` belong to a report, or to both sides of a comparison, and are
        empty where none were kept.
        """


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
    """Runs untrusted commands, each in a fresh place of its own; safe to call from many threads."""

    def run(self, command: Command) -> ExecResult:
        """Run a command to its end and return what came of it; nothing of it survives.

        Raises SandboxError only when the command could not be started, which says nothing about the command.
        """


class Provider(Protocol):
    """Asks a model, or an agent, or a record of what they once said; safe to call many times at once.

    One attempt for one call: who waits, repeats and pays is the business of the engine.
    """

    async def generate(self, request: Request) -> Reply:
        """Return the reply, however bad; raises ProviderError when there is none."""

    async def close(self) -> None:
        """Let go of connections."""


class ProviderMaker(Protocol):
    """Makes a provider; what the table of providers names."""

    def __call__(self, settings: ProviderSettings, *, sandbox: "Sandbox") -> Provider:
        """Return a provider; agents run in the sandbox, other providers have no use for it.

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

    A checker is handed its sandbox when it is made. Whatever the answer does is a fact about the answer; an
    outcome is classified `error` only when the infrastructure failed, and only a missing tool raises an
    error.
    """

    def check(self, case: Case, answer: str) -> Outcome:
        """Return what a check of the model's raw answer saw."""


class Importer(Protocol):
    """Reads the logs of one tool. A log is untrusted: whatever is wrong with it is an InputError.

    A reader takes no arguments when it is made.
    """

    def recognise(self, path: Path) -> bool:
        """Whether a file or a folder is a log of this tool, by its content; raises nothing."""

    def read(self, paths: Sequence[Path], options: LogOptions) -> Log:
        """Return what logs hold, which were all recognised, and what of it a run cannot keep.

        What a log does not say, such as which of several repeats passed, is not made up.
        """


class Exporter(Protocol):
    """Writes a run in the form that another tool reads; made without arguments."""

    def write(self, run: ExportedRun, folder: Path) -> Exported:
        """Write files into a folder, each whole or not at all, and say what the form has no place for."""


class Sink(Protocol):
    """Keeps reports in another system of record, such as MLflow.

    A sink takes no arguments when it is made, and raises UserError if a setting of its system is missing.
    """

    def send(self, run: SentRun) -> str:
        """Send a run and its report, and return in one line where they can be found.

        A run that was sent before is replaced: what is sent last counts. Raises whatever its system raises.
        """
