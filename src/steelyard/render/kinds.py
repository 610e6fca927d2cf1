"""List the kinds of result that renderers support."""

from steelyard.errors import UserError
from steelyard.model.comparison import Comparison
from steelyard.model.gate import GateReport
from steelyard.model.history import History
from steelyard.model.matrix import SubjectMatrix
from steelyard.model.report import Report
from steelyard.ports import Renderable

JUDGED_KINDS = (Report, Comparison, GateReport)
EVERY_KIND = (*JUDGED_KINDS, SubjectMatrix, History)
NOUNS = {
    Report: "report",
    Comparison: "comparison",
    GateReport: "verdict",
    SubjectMatrix: "matrix",
    History: "history",
}


def require_report(result: Renderable, form: str) -> Report:
    """Return the result if it is a report.

    Raises:
        UserError: It is another kind of result.
    """
    if not isinstance(result, Report):
        raise UserError(f"{form} supports reports only, not a {NOUNS[type(result)]}")
    return result
