"""Name the subjects of a report, as briefly as possible."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from steelyard.model.options import Missing
from steelyard.model.report import Report, Settings, SubjectSummary
from steelyard.render.document.blocks import Name, Piece, TableColumn, words
from steelyard.render.names import has_several


class OfSubject(Protocol):
    """Any record of one model in one tier."""

    @property
    def model(self) -> str:
        """The model."""

    @property
    def tier(self) -> str:
        """The tier."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """Whether a report has several models, tiers and suites."""

    has_models: bool
    has_tiers: bool
    has_suites: bool

    @classmethod
    def of(cls, report: Report) -> "Labels":
        """Return the labels of a report."""
        return cls(
            has_models=has_several(subject.model for subject in report.subjects),
            has_tiers=has_several(subject.tier for subject in report.subjects),
            has_suites=has_several(suite.suite for suite in report.suites),
        )

    @property
    def noun(self) -> str:
        """The noun for a subject."""
        return "subject" if self.has_tiers else "model"

    def subject(self, row: OfSubject) -> tuple[Piece, ...]:
        """Return the name of a subject."""
        return (Name(row.model), " in ", Name(row.tier)) if self.has_tiers else (Name(row.model),)

    def if_several(self, row: OfSubject, report: Report) -> tuple[Piece, ...]:
        """Return "of SUBJECT", if a report has more than one subject."""
        return (" of ", *self.subject(row)) if len(report.subjects) > 1 else ()

    def columns(self, rows: Sequence[OfSubject], *, always_model: bool = True) -> tuple[TableColumn, ...]:
        """Return the columns that identify the subject of a row."""
        model = words("model", rows, lambda row: Name(row.model))
        tier = words("tier", rows, lambda row: Name(row.tier))
        return ((model,) if always_model or self.has_models else ()) + ((tier,) if self.has_tiers else ())


def cases_in_means(subject: SubjectSummary, settings: Settings) -> int:
    """Return the number of cases in a subject's means."""
    return subject.coverage.expected if settings.missing is Missing.FAIL else subject.coverage.seen
