"""Name the subjects and cases of two reports, as briefly as possible."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from steelyard.model.comparison import CaseRef, PairedSubject, ScoreChange
from steelyard.render.document.blocks import Name, Piece, Prose, TableColumn, words
from steelyard.render.names import has_several


@dataclass(frozen=True, slots=True, kw_only=True)
class PairLabels:
    """Whether a comparison has more than one model, and more than one tier."""

    has_models: bool
    has_tiers: bool

    @classmethod
    def of(cls, pairs: Iterable[PairedSubject], others: Iterable[CaseRef] = ()) -> "PairLabels":
        """Return the labels of pairs, and of further cases that may belong to no pair."""
        paired_subjects, lone = list(pairs), list(others)
        partners = {pair.baseline_model: pair.current_model for pair in paired_subjects}
        tiers = [tier for pair in paired_subjects for tier in (pair.baseline_tier, pair.current_tier)]
        models = [pair.current_model for pair in paired_subjects] + [
            partners.get(case.model, case.model) for case in lone
        ]
        return cls(
            has_models=has_several(models), has_tiers=has_several(tiers + [case.tier for case in lone])
        )

    @property
    def noun(self) -> str:
        """The noun for a subject."""
        return "subject" if self.has_tiers else "model"

    def columns(self, rows: Sequence[ScoreChange | CaseRef]) -> tuple[TableColumn, ...]:
        """Return the columns that name the subject and the case of a row."""
        model = words("model", rows, lambda row: Name(row.model))
        tier = words("tier", rows, lambda row: Name(row.tier))
        return (
            *((model,) if self.has_models else ()),
            *((tier,) if self.has_tiers else ()),
            words("suite", rows, lambda row: Name(row.suite)),
            words("case", rows, lambda row: Name(row.case)),
        )

    def pair(self, pair: PairedSubject) -> tuple[Piece, ...]:
        """Return the name of a pair, or both names if the two differ."""
        baseline, current = self._baseline(pair), self._current(pair)
        return current if baseline == current else (*baseline, " → ", *current)

    def names(self, pair: PairedSubject) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
        """Return the name of the baseline's subject and that of the current one."""
        return self._baseline(pair), self._current(pair)

    def pair_columns(self, pairs: Sequence[PairedSubject]) -> tuple[TableColumn, ...]:
        """Return the columns that name the pair of a row."""
        if any(self._baseline(pair) != self._current(pair) for pair in pairs):
            return (
                words("baseline", pairs, lambda pair: self._cell(pair.baseline_model, pair.baseline_tier)),
                words("current", pairs, lambda pair: self._cell(pair.current_model, pair.current_tier)),
            )
        tier = words("tier", pairs, lambda pair: Name(pair.current_tier))
        return (
            words("model", pairs, lambda pair: Name(pair.current_model)),
            *((tier,) if self.has_tiers else ()),
        )

    def _baseline(self, pair: PairedSubject) -> tuple[Piece, ...]:
        return self.subject(pair.baseline_model, pair.baseline_tier)

    def _current(self, pair: PairedSubject) -> tuple[Piece, ...]:
        return self.subject(pair.current_model, pair.current_tier)

    def subject(self, model: str, tier: str) -> tuple[Piece, ...]:
        """Return the name of one subject, with its tier if there are several."""
        return (Name(model), " in ", Name(tier)) if self.has_tiers else (Name(model),)

    def _cell(self, model: str, tier: str) -> Piece:
        return Prose(f"{model} in {tier}") if self.has_tiers else Name(model)
