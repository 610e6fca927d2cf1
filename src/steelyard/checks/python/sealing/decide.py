"""Decide whether a reported value meets an assertion."""

from collections.abc import Mapping
from dataclasses import dataclass

from steelyard.checks.python.sealing.decode import BadReport, OtherValue, decode
from steelyard.checks.python.sealing.describe import actual_text, expected_text
from steelyard.checks.python.sealing.evaluate import evaluate
from steelyard.checks.python.sealing.records import ACTUAL, CELL, Assertion, Check


@dataclass(frozen=True, slots=True)
class ReportedValue:
    """What the sandbox sent for one assertion: a value, and the number of its row's cell."""

    encoded: object
    cell: object = None


def is_plain(report: ReportedValue) -> bool:
    """Whether a reported value can be compared outside."""
    try:
        decode(report.encoded)
    except OtherValue:
        return False
    except BadReport:
        return True
    return True


def decide(assertion: Assertion, report: ReportedValue) -> str | None:
    """Return None if the assertion holds for a reported value, else a message."""
    if assertion.check is None:
        raise ValueError(f"assertion {assertion.number} is not sealed")
    reason = _mismatch(assertion.check, report)
    return reason and f"line {assertion.line}: `{assertion.check.reported}`: {reason}"


def _mismatch(check: Check, report: ReportedValue) -> str | None:
    try:
        actual = decode(report.encoded)
        values = _values(check, report.cell)
    except BadReport as error:
        return f"expected {expected_text(check, {})}, got a {error}"
    except OtherValue as error:
        return f"expected {expected_text(check, {})}, got an object of type {str(error)[:100]}"
    problem = ""
    try:
        if evaluate(check.expression, {**values, ACTUAL: actual}):
            return None
    except Exception as error:  # noqa: BLE001  # whatever comparing reported data raises is a mismatch
        problem = f" ({type(error).__name__})"
    return f"expected {expected_text(check, values)}, got {actual_text(check, actual)}{problem}"


def _values(check: Check, cell: object) -> Mapping[str, object]:
    if not check.cells:
        return {}
    if type(cell) is not int or cell not in check.cells:
        raise BadReport("report without a row of its table")
    return {CELL: evaluate(check.cells[cell], {})}
