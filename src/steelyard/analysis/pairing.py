"""Pair the subjects and the cases of two reports, and list whatever cannot be paired.

Cases are paired by subject, suite and id, and only while their digests agree; nothing is dropped unsaid.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from steelyard.analysis.case_counts import case_clusters, independent_counts
from steelyard.errors import InputError
from steelyard.metrics.cases import CaseCounts, CaseSums, Ints
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.model.comparison import CaseRef, PairedSubject
from steelyard.model.options import Errors
from steelyard.model.report import CaseSummary, Report
from steelyard.model.state import SubjectKey
from steelyard.model.units import MICRO_POINTS

CaseTable = Mapping[tuple[str, str], CaseSummary]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedCase:
    """One case in both reports."""

    baseline: CaseSummary
    current: CaseSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """A subject of the baseline and one of the current report, case by case."""

    subject: PairedSubject
    cases: tuple[PairedCase, ...]
    lost: tuple[PairedCase, ...] = ()  # without evidence in one run, because of infrastructure errors

    @property
    def error_share(self) -> float:
        """The larger of the two runs' shares of samples that ended in infrastructure errors."""
        pairs = (*self.cases, *self.lost)
        return max(
            _error_share([pair.baseline for pair in pairs]), _error_share([pair.current for pair in pairs])
        )

    def runs(self) -> PairedRuns:
        """Return what a gate judges: passes, scores where they say more, and samples that are missing."""
        before, after = self.counts()
        sides = (side for pair in self.cases for side in (pair.baseline, pair.current))
        return PairedRuns(
            baseline=before,
            current=after,
            passes=self.passes() if self.has_repeats else None,
            scores=None if all(map(is_pass_share, sides)) else self.scores(),
            errors=(
                [pair.baseline.errored for pair in self.cases],
                [pair.current.errored for pair in self.cases],
            ),
            unscored=(
                [max(0, pair.baseline.n - pair.baseline.score_n) for pair in self.cases],
                [max(0, pair.current.n - pair.current.score_n) for pair in self.cases],
            ),
            lost=(
                [pair.baseline.n + pair.baseline.errored for pair in self.lost],
                [pair.current.n + pair.current.errored for pair in self.lost],
            ),
            lost_samples=sum(pair.baseline.errored + pair.current.errored for pair in self.lost),
            error_share=self.error_share,
            clusters=self.clusters,
        )

    def counts(self) -> tuple[CaseCounts, CaseCounts]:
        """Return samples and passes of both runs, row by row; answers that repeat count once."""
        return independent_counts(self.baseline), independent_counts(self.current)

    @property
    def baseline(self) -> list[CaseSummary]:
        """The cases of the baseline."""
        return [pair.baseline for pair in self.cases]

    @property
    def current(self) -> list[CaseSummary]:
        """The cases of the current report."""
        return [pair.current for pair in self.cases]

    @property
    def clusters(self) -> Ints | None:
        """The number of each case's cluster, as the current report has it; None if all are alone."""
        return case_clusters(self.current)

    @property
    def has_repeats(self) -> bool:
        """Whether answers repeat in either report."""
        return any(case.repeats for case in (*self.baseline, *self.current))

    def scores(self) -> tuple[CaseSums, CaseSums]:
        """Return the sums of scores of both runs, row by row the same case."""
        return _score_sums(self.baseline), _score_sums(self.current)

    def passes(self) -> tuple[CaseSums, CaseSums]:
        """Return sums of passes of both runs: rates of all samples, counts without repeats."""
        return _pass_sums(self.baseline), _pass_sums(self.current)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairings:
    """All pairs, and the cases and subjects without a counterpart."""

    pairs: tuple[Pairing, ...]
    new: tuple[CaseRef, ...]
    removed: tuple[CaseRef, ...]
    changed: tuple[CaseRef, ...]
    without_evidence: tuple[CaseRef, ...]
    unscored: tuple[CaseRef, ...]  # of these, the ones with samples on both sides and no score on one


def pair_reports(baseline: Report, current: Report) -> Pairings:
    """Pair two reports."""
    both_expect = {*baseline.expects_refusal} & {*current.expects_refusal}
    before, after = _tables(baseline, both_expect), _tables(current, both_expect)
    keys = _paired_subjects(set(before), set(after))
    lone_before = sorted(before.keys() - {old for old, _ in keys})
    lone_after = sorted(after.keys() - {new for _, new in keys})
    removed = [ref(case) for key in lone_before for case in before[key].values()]
    new = [ref(case) for key in lone_after for case in after[key].values()]
    changed: list[CaseRef] = []
    without: list[PairedCase] = []
    pairs = []
    for old_key, new_key in keys:
        old, fresh = before[old_key], after[new_key]
        removed += [ref(old[key]) for key in sorted(old.keys() - fresh.keys())]
        new += [ref(fresh[key]) for key in sorted(fresh.keys() - old.keys())]
        paired_cases = [
            PairedCase(baseline=old[key], current=fresh[key]) for key in sorted(old.keys() & fresh.keys())
        ]
        changed += [ref(pair.current) for pair in paired_cases if _is_changed(pair)]
        same = [pair for pair in paired_cases if not _is_changed(pair)]
        cases = tuple(pair for pair in same if _has_evidence(pair))
        unknown = [pair for pair in same if not _has_evidence(pair)]
        lost = tuple(pair for pair in unknown if _is_lost(pair))
        without += unknown
        pairs.append(Pairing(subject=_paired_subject(old_key, new_key), cases=cases, lost=lost))
    return Pairings(
        pairs=tuple(pairs),
        new=tuple(new),
        removed=tuple(removed),
        changed=tuple(changed),
        without_evidence=tuple(ref(pair.current) for pair in without),
        unscored=tuple(ref(pair.current) for pair in without if pair.baseline.n and pair.current.n),
    )


def ref(case: CaseSummary) -> CaseRef:
    """Name a case."""
    return CaseRef(model=case.model, tier=case.tier, suite=case.suite, case=case.case)


def _is_changed(pair: PairedCase) -> bool:
    """Whether two forms of a case were drawn; a case without samples has no form yet."""
    drawn = all(item.n or item.errored for item in (pair.baseline, pair.current))
    return drawn and pair.baseline.digest != pair.current.digest


def _has_evidence(pair: PairedCase) -> bool:
    return bool(pair.baseline.n and pair.current.n and pair.baseline.score_n and pair.current.score_n)


def _is_lost(pair: PairedCase) -> bool:
    """Whether both runs drew a case, and infrastructure errors are why one of them knows nothing of it."""
    return all(side.n + side.errored for side in (pair.baseline, pair.current))


def is_pass_share(case: CaseSummary) -> bool:
    """Whether the scores of a case are its passes: 1 for a pass, 0 otherwise."""
    return (
        case.score_n == case.n
        and case.score_sum_micro == case.c * MICRO_POINTS
        and case.score_sq_micro == case.c * MICRO_POINTS**2
    )


def _tables(report: Report, expects_refusal: set[tuple[str, str]]) -> dict[SubjectKey, CaseTable]:
    tables: defaultdict[SubjectKey, dict[tuple[str, str], CaseSummary]] = defaultdict(dict)
    for subject in report.subjects:
        tables[SubjectKey(subject.model, subject.tier)] = {}
    for case in report.cases:
        case_summary = _with_refusals(case) if (case.suite, case.case) in expects_refusal else case
        if report.settings.errors is Errors.FAIL and case.errored:
            case_summary = replace(case_summary, errored=0)  # they are among the failures already
        tables[SubjectKey(case.model, case.tier)][case.suite, case.case] = case_summary
    return dict(tables)


def _with_refusals(case: CaseSummary) -> CaseSummary:
    """Return a case in which refusing is right with refusals as its passes, so that a drop is seen."""
    right = case.refused
    if right is None:
        return case
    return replace(
        case,
        c=right,
        repeats=0,  # of refusals, which are not counted
        repeats_passed=0,
        mean_score=right / case.n if case.n else None,
        score_n=case.n,
        score_sum_micro=right * MICRO_POINTS,
        score_sq_micro=right * MICRO_POINTS**2,
    )


def _paired_subjects(before: set[SubjectKey], after: set[SubjectKey]) -> list[tuple[SubjectKey, SubjectKey]]:
    """Pair subjects of the same name; a single subject on each side is a pair whatever the names."""
    same = sorted(before & after)
    if same:
        return [(key, key) for key in same]
    if len(before) == len(after) == 1:
        return [(min(before), min(after))]
    raise InputError(
        f"the reports have no subject in common: {_list_names(before)} against {_list_names(after)}; "
        f"score both with the same `model`, or one subject at a time"
    )


def _list_names(keys: set[SubjectKey]) -> str:
    return ", ".join(f"{key.model} ({key.tier})" for key in sorted(keys)) or "none"


def _paired_subject(before: SubjectKey, after: SubjectKey) -> PairedSubject:
    return PairedSubject(
        baseline_model=before.model,
        baseline_tier=before.tier,
        current_model=after.model,
        current_tier=after.tier,
    )


def _error_share(cases: Sequence[CaseSummary]) -> float:
    errored = sum(case.errored for case in cases)
    samples = sum(case.n for case in cases)
    return errored / (samples + errored) if errored else 0.0


def _pass_sums(cases: Sequence[CaseSummary]) -> CaseSums:
    n = [case.n - case.repeats for case in cases]
    total = [case.c * different / case.n for case, different in zip(cases, n, strict=True)]
    return CaseSums.of(n=n, total=total, total_sq=total)


def _score_sums(cases: Sequence[CaseSummary]) -> CaseSums:
    n = [max(1, case.score_n - case.repeats) for case in cases]
    shares = [different / case.score_n for case, different in zip(cases, n, strict=True)]
    totals = [case.score_sum_micro / MICRO_POINTS for case in cases]
    squares = [case.score_sq_micro / MICRO_POINTS**2 for case in cases]
    return CaseSums.of(
        n=n,
        total=[total * share for total, share in zip(totals, shares, strict=True)],
        total_sq=[square * share for square, share in zip(squares, shares, strict=True)],
    )
