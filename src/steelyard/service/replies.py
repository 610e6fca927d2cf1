"""Write results as JSON."""

import json
from collections.abc import Mapping

from steelyard.service.admission import Reason, Refused
from steelyard.service.checked import Checked

MICROSECONDS = 6  # digits of seconds


def reply_of(checked: Checked, *, id: str = "") -> dict[str, object]:  # noqa: A002  # the field's name
    """Return the reply to one check."""
    outcome, facts = checked.outcome, checked.outcome.facts
    return {
        "id": id,
        "verdict": facts.classification,
        "reward": checked.reward,
        "tests": {
            "passed": facts.tests_passed,
            "failed": facts.tests_failed,
            "ignored": facts.tests_ignored,
        },
        "integrity": outcome.integrity,
        "sealed_assertions": outcome.sealed_assertions,
        "open_assertions": outcome.open_assertions,
        "queue_s": round(checked.queue_s, MICROSECONDS),
        "wall_s": round(checked.wall_s, MICROSECONDS),
        "cpu_s": None if outcome.cpu_us is None else outcome.cpu_us / 1e6,
        "peak_memory_bytes": outcome.peak_memory_bytes,
        "memory_limited": outcome.memory_limited,
        "is_repeat": outcome.is_repeat,
        "case_digest": checked.case_digest,
        "check_digest": outcome.check_digest,
        "detail": outcome.detail,
        "truncated": outcome.detail.endswith(" …"),
        "error": None if checked.reason is None else error_of(checked.reason),
    }


def refusal_of(refused: Refused, *, id: str = "") -> dict[str, object]:  # noqa: A002  # the field's name
    """Return the reply to an item of a batch that was refused."""
    error = error_of(refused.reason, retry_after_s=refused.retry_after_s)
    return {"id": id, "verdict": "error", "reward": None, "error": error}


def error_of(
    reason: Reason | str, *, retry_after_s: int | None = None, detail: str = ""
) -> Mapping[str, object]:
    """Return the `error` of a reply without a verdict."""
    error: dict[str, object] = {"kind": str(reason)}
    if retry_after_s is not None:
        error["retry_after_s"] = retry_after_s
    if detail:
        error["detail"] = detail
    return error


def line_of(reply: Mapping[str, object]) -> bytes:
    """Return a line of NDJSON."""
    return json.dumps(reply, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
