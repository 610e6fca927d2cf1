"""Read the grader's transcript line by line; a line without the seal for its place is not the grader's."""

import hmac
import json
from dataclasses import dataclass, field
from typing import Any

from steelyard.checks.python.grader_runtime.report import seal
from steelyard.model.execution import Stream

TEXTS = {"setup": "setup_error", "died": "death"}  # events that only say something, and where it is kept


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """What came of one test."""

    status: str  # passed, failed or ignored
    message: str = ""
    asserted: int = 0  # assertions that held

    __test__ = False  # for pytest, which would take this class for tests because of its name


@dataclass(slots=True, kw_only=True)
class Transcript:
    """The grader's report; what it did not reach is None or missing."""

    has_begun: bool = False  # whether the answer's source was about to be read where the grader is
    built: bool | None = None
    build_error: str = ""
    is_loaded: bool = False
    load_error: str = ""
    missing: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    results: dict[str, TestResult] = field(default_factory=dict)
    setup_error: str = ""
    death: str = ""
    is_complete: bool = False


def read(channel: Stream, key: bytes) -> Transcript:
    """Return the grader's report."""
    reported, place = Transcript(), 0
    for sealed in channel.text.splitlines():
        mark, _, line = sealed.partition(b" ")
        if hmac.compare_digest(mark, seal(key, place, line)):
            _take(reported, json.loads(line))
            place += 1
    return reported


def _take(reported: Transcript, event: dict[str, Any]) -> None:
    match event["event"]:
        case "begun":
            reported.has_begun = True
        case "built":
            reported.built = event["error"] is None
            reported.build_error = event["error"] or ""
        case "loaded":
            reported.is_loaded = event["error"] is None
            reported.load_error = event["error"] or ""
            reported.missing = event.get("missing", [])
        case "collected":
            reported.names = event["names"]
        case "test":
            result = _result(event)
            before = reported.results.get(event["name"])
            if before is None or before.status != "failed":  # two assertions on one line share a name
                reported.results[event["name"]] = result
        case "setup" | "died" as what:
            setattr(reported, TEXTS[what], event["message"])
        case "end":
            reported.is_complete = True


def _result(event: dict[str, Any]) -> TestResult:
    return TestResult(**{name: event[name] for name in ("status", "message", "asserted")})
