"""Parse the events that the runtime sends from the sandbox. The answer can write to the same channel."""

import json
from dataclasses import dataclass, field

from steelyard.checks.toolchains.python.sealing import Report
from steelyard.model.execution import Stream

STATUSES = frozenset({"passed", "failed", "ignored"})
MOST_EVENTS = 200_000
MODULE_LEVEL = ""  # the name of the test for reports at import


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """How one test ended."""

    status: str
    message: str = ""

    __test__ = False  # for pytest, which would collect this class by its name


@dataclass(slots=True, kw_only=True)
class Transcript:
    """The events of one run."""

    has_started: bool = False
    built: bool | None = None
    build_error: str = ""
    names: list[str] = field(default_factory=list)
    results: dict[str, TestResult] = field(default_factory=dict)
    reports: list[tuple[str, Report]] = field(default_factory=list)  # with their tests
    last_reports: dict[int, Report] = field(default_factory=dict)  # by assertion
    missing: list[str] = field(default_factory=list)
    setup_errors: list[str] = field(default_factory=list)
    is_complete: bool = False
    current_test: str = MODULE_LEVEL

    def add(self, event: list[object]) -> None:  # noqa: C901  # one case for each event
        """Add one event; drop it if it is unknown or malformed."""
        match event:
            case ["built", None | str() as error]:
                self.built, self.build_error = error is None, error or ""
            case ["names", [*names]]:
                self.names = [str(name) for name in names]
            case ["test", str() as name]:
                self.current_test = name
            case ["result", str() as name, str() as status, str() as message] if status in STATUSES:
                earlier = self.results.get(name)
                if earlier is None or earlier.status != "failed":
                    self.results[name] = TestResult(status=status, message=message)
            case ["report", int() as number, cell, encoded]:
                self.last_reports[number] = Report(number, cell, encoded)
                self.reports.append((self.current_test, self.last_reports[number]))
            case ["again", int() as number] if number in self.last_reports:
                self.reports.append((self.current_test, self.last_reports[number]))
            case ["missing", [*names]]:
                self.missing = [str(name) for name in names]
            case ["setup", str() as message]:
                self.setup_errors.append(message)
            case ["started" | "end" as moment]:
                self.has_started, self.is_complete = True, moment == "end"


def read(channel: Stream) -> Transcript:
    """Parse all events of a channel."""
    transcript = Transcript()
    for line in channel.text.splitlines()[:MOST_EVENTS]:
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(event, list):
            transcript.add(event)
    return transcript
