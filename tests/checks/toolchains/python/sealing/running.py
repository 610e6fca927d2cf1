"""Run sealed tests in this process, and decide their reports."""

import json
from collections.abc import Mapping

from steelyard.checks.toolchains.python.runtime.reporting import Reporter
from steelyard.checks.toolchains.python.sealing import Report, decide, seal


def run_sealed(source: str, names: Mapping[str, object]) -> list[str | None]:
    """Return a message for each report of sealed tests; None where the assertion holds."""
    sealed = seal(source)
    sent: list[list[object]] = []
    reporter = Reporter(lambda event: sent.append(json.loads(json.dumps(event))))
    exec(compile(sealed.source, "tests", "exec"), {**names, "__steelyard__": reporter})  # noqa: S102
    by_number: dict[object, object] = {item.number: item for item in sealed.assertions}
    return [
        decide(by_number[number], Report(number, cell, encoded))  # type: ignore[arg-type]
        for _, number, cell, encoded in sent
    ]


def passes_plainly(source: str, names: Mapping[str, object]) -> bool:
    """Whether tests pass as they are written."""
    try:
        exec(compile(source, "tests", "exec"), {**names})  # noqa: S102
    except Exception:  # noqa: BLE001  # any of them fails a test
        return False
    return True
