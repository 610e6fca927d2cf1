"""Name the subjects of a report, with no more words than it takes to tell them apart."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from steelyard.model.options import Missing
from steelyard.model.report import Report, Settings, SubjectSummary
from steelyard.render.document.blocks import Name, Piece, TableColumn, words
from steelyard.render.names import has_several


class OfSubject(Protocol):
    """Anything said about one model, asked in one tier."""

    @property
    def model(self) -> str:
        """The model."""

    @property
    def tier(self) -> str:
        """How it was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What there is more than one of in a report."""

    has_models: bool
    has_tiers: bool
    has_suites: bool

    @classmethod
    def of(cls, report: Report) -> "Labels":
        """Look at what a report holds."""
        return cls(
            has_models=has_several(subject.model for subject in report.subjects),
            has_tiers=has_several(subject.tier for subject in report.subjects),
            has_suites=has_several(suite.suite for suite in report.suites),
        )

    @property
    def noun(self) -> str:
        """What one subject is called here."""
        return "subject" if self.has_tiers else "model"

    def subject(self, item: OfSubject) -> tuple[Piece, ...]:
        """Return the name of a subject."""
        return (Name(item.model), " in ", Name(item.tier)) if self.has_tiers else (Name(item.model),)

    def if_several(self, item: OfSubject, report: Report) -> tuple[Piece, ...]:
        """Return whose number it is, where a report has more than one subject."""
        return (" of ", *self.subject(item)) if len(report.subjects) > 1 else ()

    def columns(self, items: Sequence[OfSubject], *, always_model: bool = True) -> tuple[TableColumn, ...]:
        """Return the columns that tell whose row it is."""
        model = words("model", items, lambda item: Name(item.model))
        tier = words("tier", items, lambda item: Name(item.tier))
        return ((model,) if always_model or self.has_models else ()) + ((tier,) if self.has_tiers else ())


def cases_in_means(subject: SubjectSummary, settings: Settings) -> int:
    """Return how many cases the means of a subject are over."""
    return subject.coverage.expected if settings.missing is Missing.FAIL else subject.coverage.seen
