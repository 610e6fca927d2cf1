"""Compose the document of any kind of result."""

from steelyard.model.comparison import Comparison
from steelyard.model.history import History
from steelyard.model.matrix import SubjectMatrix
from steelyard.model.report import Curves, Report
from steelyard.ports import Renderable
from steelyard.render.document.blocks import Document
from steelyard.render.document.comparison import comparison_document
from steelyard.render.document.gate import gate_document
from steelyard.render.document.history import history_document
from steelyard.render.document.matrix import matrix_document
from steelyard.render.document.report import NO_CURVES, report_document


def document_of(result: Renderable, *, curves: Curves = NO_CURVES) -> Document:
    """Return the document of a result."""
    match result:
        case Report():
            return report_document(result, curves=curves)
        case Comparison():
            return comparison_document(result)
        case SubjectMatrix():
            return matrix_document(result)
        case History():
            return history_document(result)
    return gate_document(result)
