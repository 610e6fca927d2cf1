"""The ports: small protocols that adapters and plug-ins implement.

Protocols and their records only; adapters receive everything else as arguments.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol, TypeVar

from steelyard.model.case import Case
from steelyard.model.comparison import Comparison
from steelyard.model.config import ProviderSettings
from steelyard.model.container import ContainerCommand, ContainerLimits, Image, ImageSource, Mount
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
    """Renders a result as text or bytes, deterministically."""

    @property
    def kinds(self) -> tuple[type[Renderable], ...]:
        """The supported types of results."""

    @property
    def is_text(self) -> bool:
        """Whether `render` returns text; bytes are only written to files."""

    @property
    def shows_samples(self) -> bool:
        """Whether it shows `samples`; others receive none, because loading them is slow."""

    def render(self, result: Renderable, *, samples: Sequence[SampleExcerpt] = ()) -> str | bytes:
        """Return the text, ending in a newline, or the bytes of the file.

        Args:
            result: One of `kinds`.
            samples: Samples of a report or of both sides of a comparison; empty if none are stored.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """A repaired file to validate."""

    case: str
    attempt: str
    filename: str
    text: str


class Validator(Protocol):
    """Validates repaired files, as `terraform validate` does."""

    def validate(self, fixes: Sequence[Fix], *, clones_dir: str) -> Sequence[Classification]:
        """Return the classification of each fix, in order; `error` for infrastructure failures."""


class ValidatorMaker(Protocol):
    """Creates a validator; the entry of the table of validators."""

    def __call__(self, sandbox: "Sandbox", *, providers: str | None) -> Validator:
        """Return a validator that runs in a sandbox; `providers` is a folder of its tool's plug-ins."""


class Sandbox(Protocol):
    """Runs untrusted commands, each in a fresh workspace; thread-safe."""

    def run(self, command: Command) -> ExecResult:
        """Run a command, clean up, and return its result.

        Raises:
            SandboxError: The command could not be started, which is no evidence about it.
        """


class Provider(Protocol):
    """Calls a model, runs an agent or replays a record; safe for concurrent calls.

    Each call is one attempt; the runner queues, retries and tracks costs.
    """

    async def generate(self, request: Request) -> Reply:
        """Return the reply, right or wrong; raises ProviderError if there is none."""

    async def close(self) -> None:
        """Close the connections."""


class ProviderMaker(Protocol):
    """Creates a provider; the entry of the table of providers."""

    def __call__(self, settings: ProviderSettings, *, sandbox: "Sandbox") -> Provider:
        """Return a provider; only agents use the sandbox.

        Raises:
            UserError: A key or a setting is missing.
        """


class Engine(Protocol):
    """Maps a function over records, in this process or on a cluster."""

    @property
    def parts(self) -> int:
        """The best number of parts to split work into."""

    @property
    def threads(self) -> int | None:
        """The threads per part; None: one per core."""

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterable[Result]:
        """Yield the function's result for each item, in order; items may be computed twice."""

    def close(self) -> None:
        """Stop everything the engine started."""


class Checker(Protocol):
    """Checks answers and records facts; thread-safe.

    A checker receives its sandbox when it is created. Everything that an answer does is a fact about it; an
    outcome is classified `error` only if the infrastructure fails, and only a missing tool raises an error.
    """

    def check(self, case: Case, answer: str) -> Outcome:
        """Check the model's raw answer and return the outcome."""


class Importer(Protocol):
    """Reads the logs of one tool. Logs are untrusted: every defect is an InputError.

    Created without arguments.
    """

    def recognise(self, path: Path) -> bool:
        """Whether a file or a folder is a log of this tool, by its content; never raises."""

    def read(self, paths: Sequence[Path], options: LogOptions) -> Log:
        """Return the content of recognised logs, and the parts that a run cannot store.

        Missing facts, such as which of several repeats passed, are not guessed.
        """


class Exporter(Protocol):
    """Writes a run as a log of another tool; created without arguments."""

    def write(self, run: ExportedRun, folder: Path) -> Exported:
        """Write files atomically; return them and the parts that the format cannot hold."""


class Sink(Protocol):
    """Stores reports in another system, such as MLflow.

    Created without arguments; raises UserError if a setting of its system is missing.
    """

    def send(self, run: SentRun) -> str:
        """Send a run and its report; return their address in one line.

        An earlier version of the run is replaced. Errors of the system are raised unchanged.
        """


class Container(Protocol):
    """A running container: commands share its files and processes until it is removed."""

    @property
    def process_id(self) -> int:
        """The id of its first process on the engine's machine."""

    def run(self, command: ContainerCommand) -> ExecResult:
        """Run a command to its end; after its time limit, kill every process of the container."""

    def end_processes(self) -> None:
        """Kill every process that commands have started; files stay."""

    def put(self, folder: str, archive: bytes) -> None:
        """Unpack a tar archive into a folder, as root."""

    def take(self, path: str, *, limit_bytes: int) -> IO[bytes]:
        """Return a tar archive of a file or folder; raises ValueError if it is larger than the limit."""

    def count_processes(self) -> int:
        """Return the number of processes that commands have left running."""

    def freeze(self) -> None:
        """Stop all processes where they are."""

    def thaw(self) -> None:
        """Let a frozen container continue."""


class ContainerEngine(Protocol):
    """Builds images and starts containers; safe to call from many threads. Raises SandboxError."""

    def prepare(self, source: ImageSource) -> Image:
        """Return an image, which is built if the engine does not have it."""

    def container(
        self, image: Image, limits: ContainerLimits, *, mounts: Sequence[Mount] = (), network: str = "none"
    ) -> AbstractContextManager[Container]:
        """Start a container, and remove it at the end."""
