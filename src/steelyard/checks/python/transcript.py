"""Read what the grader told, line by line; a line without the nonce of this check is somebody else's."""

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
    """What the grader told; what it did not get to tell is None or missing."""

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
    """Return what the grader told."""
    told = Transcript()
    for line in channel.text.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict) and event.get("nonce") == nonce:
            _take(told, event)
    return told


def _take(told: Transcript, event: dict[str, Any]) -> None:
    match event["event"]:
        case "built":
            told.built = event["error"] is None
            told.build_error = event["error"] or ""
        case "loaded":
            told.is_loaded = event["error"] is None
            told.load_error = event["error"] or ""
            told.missing = event.get("missing", [])
        case "collected":
            told.names = event["names"]
        case "setup":
            told.setup_error = event["message"]
        case "test":
            told.results[event["name"]] = TestResult(
                status=event["status"], message=event["message"], asserted=event["asserted"]
            )
        case "died":
            told.death = event["message"]
        case "end":
            told.is_complete = True
