"""Read the grader's transcript line by line; lines without this check's nonce are not the grader's."""

import json
from dataclasses import dataclass, field
from typing import Any

from steelyard.model.execution import Stream


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """What came of one test."""

    status: str  # passed, failed or ignored
    message: str = ""
    asserted: int = 0

    __test__ = False  # for pytest, which would take this class for tests because of its name


@dataclass(slots=True, kw_only=True)
class Transcript:
    """The grader's report; what it did not reach is None or missing."""

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


def read(channel: Stream, nonce: str) -> Transcript:
    """Return the grader's report."""
    reported = Transcript()
    for line in channel.text.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict) and event.get("nonce") == nonce:
            _take(reported, event)
    return reported


def _take(reported: Transcript, event: dict[str, Any]) -> None:
    match event["event"]:
        case "built":
            reported.built = event["error"] is None
            reported.build_error = event["error"] or ""
        case "loaded":
            reported.is_loaded = event["error"] is None
            reported.load_error = event["error"] or ""
            reported.missing = event.get("missing", [])
        case "collected":
            reported.names = event["names"]
        case "setup":
            reported.setup_error = event["message"]
        case "test":
            reported.results[event["name"]] = TestResult(
                status=event["status"], message=event["message"], asserted=event["asserted"]
            )
        case "died":
            reported.death = event["message"]
        case "end":
            reported.is_complete = True
