"""Decide by pytest's reports whether hidden tests passed: their expected values stay outside."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files

from steelyard.checks.toolchains.python.evidence import Evidence, ReferenceRun, SealedCase, seal_case
from steelyard.checks.toolchains.python.sealing import SealedCount
from steelyard.checks.toolchains.python.tests_source import Runner, read_source
from steelyard.checks.toolchains.python.transcript import TestResult, Transcript
from steelyard.model.tree import File

FOLDER = "/steelyard"
LIBRARY = f"{FOLDER}/lib"
EVENTS = "steelyard-events.jsonl"  # beside the rewards
LOGS = "/logs/verifier"
ENVIRONMENT = {
    "PYTHONPATH": LIBRARY,
    "PYTEST_PLUGINS": "steelyard_reporter",
    "STEELYARD_EVENTS": f"{LOGS}/{EVENTS}",
}
RUNTIME = "steelyard.checks.toolchains.python.runtime"
# How a test ended → what that counts as; an unexpected pass counts as a failure, as in SWE-bench.
STATUSES = {"passed": "passed", "xfailed": "passed", "skipped": "ignored"}
MOST_EVENTS = 500_000
MOST_PROBLEMS = 20
Transcripts = Mapping[str, Transcript]  # by the path of the tests' file in the container


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenTests:
    """A task's files of tests, sealed where they can be, by their paths in the container.

    `references` is what the solution's run reported: the measure for answers.
    """

    originals: Mapping[str, str] = field(default_factory=dict)
    sealed: Mapping[str, SealedCase] = field(default_factory=dict)
    references: Mapping[str, ReferenceRun] = field(default_factory=dict)

    @classmethod
    def of(cls, sources: Mapping[str, str]) -> "HiddenTests":
        """Seal the files of tests for pytest; others stay as they are."""
        sealed = {path: case for path, text in sources.items() if (case := _sealed(text)) is not None}
        return cls(originals={path: sources[path] for path in sealed}, sealed=sealed)

    def sources(self) -> dict[str, bytes]:
        """Return the sealed files."""
        return {path: case.tests.source.encode() for path, case in self.sealed.items()}

    def count(self) -> SealedCount:
        """Count the assertions of the files that the solution's run used."""
        counts = [case.count() for path, case in self.sealed.items() if path in self.references]
        not_sealed = len(self.references.keys() - self.sealed.keys())
        return SealedCount(
            sealed=sum(item.sealed for item in counts),
            open=sum(item.open for item in counts) + not_sealed,
            guessable=sum(item.guessable for item in counts),
        )

    def problems(self, transcripts: Transcripts) -> list[str]:
        """Return why the reports of a run do not show that the tests passed."""
        problems = [
            problem
            for path, reference in self.references.items()
            for problem in self._problems_of(path, transcripts.get(path, Transcript()), reference)
        ]
        return problems[:MOST_PROBLEMS]

    def counts(self, transcripts: Transcripts) -> tuple[int, int]:
        """Return how many of the solution's tests passed and how many did not."""
        passed = total = 0
        for path, reference in self.references.items():
            results = self._decided(path, transcripts.get(path, Transcript()), reference).results
            total += len(reference.passed)
            passed += sum(_has_passed(results.get(name)) for name in reference.passed)
        return passed, total - passed

    def measured(self, transcripts: Transcripts) -> "HiddenTests":
        """Return these tests with what the solution's run reported as their measure."""
        runs = {path: self._reference(path, transcript) for path, transcript in transcripts.items()}
        return replace(
            self, references={path: run for path, run in runs.items() if run is not None and run.passed}
        )

    def opened(self, transcripts: Transcripts) -> "HiddenTests":
        """Return these tests with the assertions as written that do not hold outside for the solution."""
        sealed = dict(self.sealed)
        for path, case in self.sealed.items():
            evidence = Evidence(case, transcripts.get(path, Transcript()))
            if numbers := evidence.unmet() | evidence.not_plain():
                sealed[path] = seal_case(read_source(self.originals[path]), open_numbers=numbers)
        return replace(self, sealed=sealed)

    def _reference(self, path: str, transcript: Transcript) -> ReferenceRun | None:
        if path in self.sealed:
            return Evidence(self.sealed[path], transcript).as_reference()
        passed = frozenset(name for name, result in transcript.results.items() if _has_passed(result))
        return ReferenceRun(reports={}, passed=passed)

    def _decided(self, path: str, transcript: Transcript, reference: ReferenceRun) -> Transcript:
        if path not in self.sealed:
            return transcript
        return Evidence(replace(self.sealed[path], reference=reference), transcript).decided()

    def _problems_of(self, path: str, transcript: Transcript, reference: ReferenceRun) -> Iterator[str]:
        decided = self._decided(path, transcript, reference)
        yield from decided.setup_errors
        for name in sorted(reference.passed):
            result = decided.results.get(name)
            if result is None:
                yield f"{name}: reported no result; the tests ended early or did not run"
            elif not _has_passed(result):
                yield f"{name}: {result.message or result.status}"


def read_transcripts(events: bytes) -> dict[str, Transcript]:
    """Return the events of each file of tests; what is malformed is dropped."""
    transcripts: dict[str, Transcript] = {}
    ended = False
    for event in _parsed(events):
        match event:
            case ["end", *_]:
                ended = True
            case [str() as kind, str() as path, *rest] if path:
                transcript = transcripts.setdefault(path, Transcript(has_started=True, built=True))
                transcript.add([kind, *_with_status(kind, rest)])
    for transcript in transcripts.values():
        transcript.is_complete = ended
    return transcripts


def read_results(events: bytes) -> dict[str, str]:
    """Return how each test ended, by pytest's id; the worst report of a test counts."""
    results: dict[str, str] = {}
    for event in _parsed(events):
        match event:
            case ["result", str(), str(), str() as status, str(), str() as test_id]:
                if results.get(test_id) != "failed":
                    results[test_id] = status
    return results


def unfinished_sessions(events: bytes) -> int:
    """Return how many sessions of pytest began and did not come to their ends."""
    kinds = [event[0] for event in _parsed(events) if event]
    return max(0, kinds.count("started") - kinds.count("end"))


@cache
def library_files() -> dict[str, File]:
    """Return the plug-in and what it loads, by their paths in the container's library."""
    package = files("steelyard.checks.tasks.reporter")
    result = {
        "steelyard_reporter.py": File(content=package.joinpath("steelyard_reporter.py").read_bytes()),
    }
    parts = RUNTIME.split(".")
    for depth in range(1, len(parts) + 1):
        result["/".join([*parts[:depth], "__init__.py"])] = File(content=b"")
    for name in ("encoding.py", "reporting.py"):
        content = files(RUNTIME).joinpath(name).read_bytes()
        result["/".join([*parts, name])] = File(content=content)
    return result


def _sealed(text: str) -> SealedCase | None:
    """Return a file of tests as it enters the container; None if pytest runs no test of it."""
    try:
        source = read_source(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    return seal_case(source) if source.runner is Runner.PYTEST and source.names else None


def _has_passed(result: TestResult | None) -> bool:
    return result is not None and result.status == "passed"


def _with_status(kind: str, rest: list[object]) -> list[object]:
    match kind, rest:
        case "result", [str() as name, str() as status, str() as message, *_]:
            return [name, STATUSES.get(status, "failed"), message]
    return rest


def _parsed(events: bytes) -> Iterable[list[object]]:
    for line in events.splitlines()[:MOST_EVENTS]:
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(event, list):
            yield event
