"""Decide whether a report meets its assertion."""

from collections.abc import Mapping
from dataclasses import dataclass

from steelyard.checks.toolchains.python.sealing.decode import BadReport, OtherValue, decode
from steelyard.checks.toolchains.python.sealing.expressions import ACTUAL, CELL, evaluate
from steelyard.checks.toolchains.python.sealing.forms import VALUE
from steelyard.checks.toolchains.python.sealing.records import Assertion, Check

MAX_LENGTH = 200  # of a value in a message


@dataclass(frozen=True, slots=True)
class Report:
    """The value that the sandbox sent for an assertion, and the number of its row's cell."""

    number: int
    cell: object
    encoded: object


def is_plain(report: Report) -> bool:
    """Whether a reported value can be compared outside."""
    try:
        decode(report.encoded)
    except OtherValue:
        return False
    except BadReport:
        return True
    return True


def decide(assertion: Assertion, report: Report) -> str | None:
    """Return None if the report meets the assertion, else a message."""
    check = assertion.check
    if check is None:
        raise ValueError(f"assertion {assertion.number} is not sealed")
    actual, values = None, dict[str, object]()
    try:
        actual = decode(report.encoded)
        values = _values(check, report.cell)
        if evaluate(check.expression, **values, **{ACTUAL: actual}):
            return None
        problem = actual_text(check, actual)
    except BadReport as error:
        problem = f"a {error}"
    except OtherValue as error:
        problem = f"an object of type {str(error)[:100]}"
    except Exception as error:  # noqa: BLE001  # any error in the comparison is a mismatch
        problem = f"{actual_text(check, actual)} ({type(error).__name__})"
    expected = expected_text(check, values)
    return f"line {assertion.line}: `{check.reported}`: expected {expected}, got {problem}"


def _values(check: Check, cell: object) -> dict[str, object]:
    if not check.cells:
        return {}
    if type(cell) is not int or cell not in check.cells:
        raise BadReport("report without a row of its table")
    return {CELL: evaluate(check.cells[cell])}


def expected_text(check: Check, values: Mapping[str, object]) -> str:
    """Describe the expected value; `values` are those of the reported row."""
    try:
        value = shorten(evaluate(check.expected, **values)) if check.expected else ""
    except NameError:  # the report names no row of its table
        value = "the value of a row"
    wording = check.wording.replace(CELL, shorten(values.get(CELL))) if check.cells else check.wording
    return wording.replace(VALUE, value)[: 2 * MAX_LENGTH]


def actual_text(check: Check, actual: object) -> str:
    """Describe the reported value."""
    match check.expression.partition("(")[0], actual:
        case "raised", None:
            return "no exception"
        case "raised", [[str(name), *_], str(message)]:
            return f"{name}: {message}"[:MAX_LENGTH] if message else name
        case "is_any_of" | "not is_any_of", [str(exact), *_]:
            return exact or "a class of the answer"
        case expression, str(name) if expression.startswith(f"{ACTUAL} is "):
            return name
    return shorten(actual)


def shorten(value: object) -> str:
    """Return a value's shortened representation."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001  # such as an int with more digits than Python converts
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= MAX_LENGTH else f"{text[: MAX_LENGTH - 1]}…"
