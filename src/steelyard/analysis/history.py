"""Follow the subjects of kept baselines through time, over the cases that all of their baselines have."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from steelyard.analysis.case_counts import case_counts
from steelyard.analysis.fixed_samples import require_fixed_samples
from steelyard.errors import UserError
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.change_points import best_split
from steelyard.metrics.intervals import rerun_interval
from steelyard.model.baseline import Baseline
from steelyard.model.estimate import Estimate
from steelyard.model.history import ChangePoint, History, HistoryEntry, SubjectHistory
from steelyard.model.report import CaseSummary
from steelyard.model.verdict import require_alpha
from steelyard.model.version import GENERATOR

Name = tuple[str, str]
Kept = tuple[Baseline, dict[Name, CaseSummary]]


def history_of(baselines: Iterable[Baseline], *, alpha: float = 0.05) -> History:
    """Return each subject's pass rate in every baseline, and where it changed most.

    The subjects share alpha, as do the places at which a change is looked for.
    """
    require_alpha(alpha)
    ordered = sorted(baselines, key=lambda kept: (kept.kept_at, kept.name))
    for kept in ordered:
        require_fixed_samples(kept.report, where=f"the baseline {kept.name}")
    names = sorted({(subject.model, subject.tier) for kept in ordered for subject in kept.report.subjects})
    return History(
        generator=GENERATOR,
        alpha=alpha,
        baselines=len(ordered),
        subjects=tuple(_subject(name, ordered, alpha=alpha, sharing=len(names)) for name in names),
    )


def _subject(name: Name, ordered: Sequence[Baseline], *, alpha: float, sharing: int) -> SubjectHistory:
    kept = [(baseline, cases) for baseline in ordered if (cases := _cases(baseline, name))]
    for (earlier, _), (later, _) in pairwise(kept):
        _require_same_rule(earlier, later)
    shared = _shared(kept)
    expected = [frozenset(item.report.expects_refusal) for item, _ in kept]
    refusing = frozenset.intersection(*expected) if expected else frozenset[Name]()
    lined_up = [[cases[case] for case in shared] for _, cases in kept] if shared else []
    runs = [case_counts(cases, refusing=refusing) for cases in lined_up]
    entries = [_entry(item, run) for (item, _), run in zip(kept, runs, strict=bool(runs))]
    return SubjectHistory(
        model=name[0],
        tier=name[1],
        cases=len(shared),
        entries=tuple(entries),
        change_point=_change(kept, runs, alpha=alpha, sharing=sharing),
    )


def _cases(kept: Baseline, name: Name) -> dict[Name, CaseSummary]:
    """Return the cases of a subject that have evidence."""
    return {
        (case.suite, case.case): case
        for case in kept.report.cases
        if (case.model, case.tier) == name and case.n
    }


def _shared(kept: Sequence[Kept]) -> list[Name]:
    """Return the cases that all have, in the same version."""
    if not kept:
        return []
    everywhere = set(kept[0][1]).intersection(*(cases for _, cases in kept[1:]))
    return sorted(name for name in everywhere if len({cases[name].digest for _, cases in kept}) == 1)


def _entry(kept: Baseline, run: CaseCounts) -> HistoryEntry:
    rate = Estimate.of(float(run.rates.mean()), rerun_interval(run))
    return HistoryEntry(name=kept.name, kept_at=kept.kept_at, note=kept.note, pass_rate=rate)


def _change(
    kept: Sequence[Kept], runs: Sequence[CaseCounts], *, alpha: float, sharing: int
) -> ChangePoint | None:
    """Return where a subject changed most; samples that were kept under several names count once."""
    seen: list[dict[Name, tuple[object, ...]]] = []
    places = []
    for index, (_, cases) in enumerate(kept if runs else ()):
        measured = {name: case.measured for name, case in cases.items()}
        if measured not in seen:
            seen.append(measured)
            places.append(index)
    if len(places) < 2:  # noqa: PLR2004  # before and after
        return None
    split = best_split([runs[position] for position in places])
    p = min(1.0, split.p * sharing)
    return ChangePoint(first=places[split.first], change=split.change, p=p, is_shown=p <= alpha)


def _require_same_rule(earlier: Baseline, later: Baseline) -> None:
    before, after = earlier.report.settings.scoring, later.report.settings.scoring
    if before != after:
        raise UserError(
            f"the baselines {earlier.name} and {later.name} were scored by different rules ({before.name} "
            f"and {after.name}, or with other parameters); a history needs one rule"
        )
    if earlier.report.settings.errors is not later.report.settings.errors:
        raise UserError(
            f"one of the baselines {earlier.name} and {later.name} counts infrastructure errors as failures "
            f"(`errors=fail`), and the other leaves them out; a history needs one rule"
        )
