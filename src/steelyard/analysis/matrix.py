"""Lay all subjects of one report side by side, over the cases that all of them have evidence for."""

from collections.abc import Mapping, Sequence

from steelyard.analysis.case_counts import case_counts
from steelyard.analysis.fixed_samples import require_fixed_samples
from steelyard.errors import InputError
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.matrix import RunPair, close_groups, compare_all, informative_samples
from steelyard.metrics.pair_tests import ranked
from steelyard.model.estimate import Estimate
from steelyard.model.matrix import MatrixPair, MatrixSubject, NextSample, SubjectMatrix
from steelyard.model.report import CaseSummary, Report
from steelyard.model.version import GENERATOR

DRAWS = 10
MOST_SUBJECTS = 50  # more than a thousand pairs

Name = tuple[str, str]


def matrix_of(report: Report, *, level: float = 0.95) -> SubjectMatrix:
    """Compare every subject of a report with every other one, paired by case."""
    require_fixed_samples(report, where="the report")
    subjects = [(subject.model, subject.tier) for subject in report.subjects]
    if not 1 < len(subjects) <= MOST_SUBJECTS:
        raise InputError(
            f"a matrix compares 2 to {MOST_SUBJECTS} subjects with each other, the report has {len(subjects)}"
        )
    tables = _tables(report, subjects)
    shared = _shared_cases(tables)
    if not shared:
        raise InputError("the subjects of the report share no case that all of them have evidence for")
    refusing = frozenset(report.expects_refusal)
    runs = [case_counts([table[name] for name in shared], refusing=refusing) for table in tables]
    pairs = compare_all(runs, level=level)
    order = ranked(runs)
    index = {run: at for at, run in enumerate(order)}
    return SubjectMatrix(
        generator=GENERATOR,
        level=level,
        cases=len(shared),
        left_out=len(set().union(*tables)) - len(shared),
        subjects=tuple(_subject(subjects[run], runs[run]) for run in order),
        pairs=tuple(_pair(pair, index) for pair in pairs),
        groups=tuple(tuple(index[run] for run in group) for group in close_groups(pairs)),
        next_samples=tuple(
            _draw(subjects[run], shared[case]) for run, case in informative_samples(runs, pairs, limit=DRAWS)
        ),
    )


def _tables(report: Report, subjects: Sequence[Name]) -> list[dict[Name, CaseSummary]]:
    tables: dict[Name, dict[Name, CaseSummary]] = {name: {} for name in subjects}
    for case in report.cases:
        tables[case.model, case.tier][case.suite, case.case] = case
    return list(tables.values())


def _shared_cases(tables: Sequence[Mapping[Name, CaseSummary]]) -> list[Name]:
    """Return the cases of which every subject has evidence, and all the same version."""
    everywhere = set(tables[0]).intersection(*tables[1:])
    return sorted(
        name
        for name in everywhere
        if all(table[name].n for table in tables) and len({table[name].digest for table in tables}) == 1
    )


def _subject(name: Name, run: CaseCounts) -> MatrixSubject:
    return MatrixSubject(model=name[0], tier=name[1], pass_rate=float(run.rates.mean()))


def _pair(pair: RunPair, index: Mapping[int, int]) -> MatrixPair:
    return MatrixPair(
        better=index[pair.better],
        worse=index[pair.worse],
        difference=Estimate.of(pair.rerun.value, pair.new_cases.interval, pair.rerun.interval),
        p=pair.p,
        p_adjusted=pair.p_adjusted,
        is_settled=pair.is_settled,
    )


def _draw(subject: Name, case: Name) -> NextSample:
    return NextSample(model=subject[0], tier=subject[1], suite=case[0], case=case[1])
