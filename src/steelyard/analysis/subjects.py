"""Line up each subject's cases with the cases it should have answered, by the stated policies.

Decides what counts; `figures.py` computes the numbers.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from steelyard.errors import InputError
from steelyard.metrics.cases import Ints
from steelyard.metrics.clusters import cluster_numbers
from steelyard.model.options import ColumnMapping, Errors, Missing, ReportOptions
from steelyard.model.state import (
    CaseKey,
    CaseState,
    Clusters,
    Evidence,
    ExpectedCase,
    Repeats,
    SubjectKey,
    total,
)
from steelyard.model.summary import Coverage

MOST_NAMES = 20  # names that a coverage lists
DEFAULT_SUITE = ColumnMapping().suite
_NAME = attrgetter("suite", "case")


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteCases:
    """The cases of one suite that take part in means, and their total."""

    states: tuple[CaseState, ...]
    total: CaseState


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectCases:
    """A subject with its cases, those with samples and those without a single one, and their total.

    `counted` are the cases that take part in means; a missing one does when it counts as failed. `counts`
    are their samples and passes; a missing case has as many failures as the largest k needs. `repeats` are
    those of the same cases, none where no answer repeats. `suites` are
    the counted cases by suite, and the empty suites too, of which nothing counts. `cluster_names` has the
    cluster of each case in one.
    """

    key: SubjectKey
    states: tuple[CaseState, ...]
    missing: tuple[CaseState, ...]
    counted: tuple[CaseState, ...]
    counts: tuple[tuple[int, int], ...]
    repeats: tuple[Repeats, ...]
    suites: Mapping[str, SuiteCases]
    total: CaseState
    coverage: Coverage
    options: ReportOptions
    cluster_names: Clusters

    def clusters(self, states: Iterable[CaseState]) -> Ints | None:
        """Return the number of each case's cluster; None where every case is alone."""
        return cluster_numbers(self.unit_names(states)) if self.cluster_names else None

    def unit_names(self, states: Iterable[CaseState]) -> list[str]:
        """Return the name of each case's cluster, or its own with its suite where it is alone."""
        names = ((state.suite, state.case) for state in states)
        return [self.cluster_names.get(name) or "/".join(name) for name in names]


def subjects(
    evidence: Evidence, expected: frozenset[ExpectedCase] | None, options: ReportOptions
) -> tuple[SubjectCases, ...]:
    """Return the subjects in stable order, each with the same expected cases."""
    expected_keys = _expected_keys(evidence.states, expected)
    by_subject = _by_subject(evidence.states)
    unknown = _by_subject(evidence.unknown)
    # Also those who have no sample that counts.
    for key in (*unknown, *_by_subject(evidence.honeypots)):
        by_subject.setdefault(key, [])
    is_scored = any(state.score_n for state in evidence.states)
    is_priced = any(state.cost_n for state in evidence.states)
    lined_up = [
        _subject(
            key,
            _with_errors(sorted(by_subject[key]), options.errors, is_scored=is_scored, is_priced=is_priced),
            unknown=unknown.get(key, []),
            wanted=expected_keys,
            duplicates=evidence.dropped_duplicates.get(key, 0),
            repeats=evidence.repeats,
            clusters=evidence.clusters,
            options=options,
        )
        for key in sorted(by_subject)
    ]
    return tuple(lined_up)


def _by_subject(states: Iterable[CaseState]) -> dict[SubjectKey, list[CaseState]]:
    grouped: defaultdict[SubjectKey, list[CaseState]] = defaultdict(list)
    for key, result in groupby(states, attrgetter("model", "tier")):
        grouped[SubjectKey(*key)] += result
    return dict(grouped)


def _expected_keys(
    states: Iterable[CaseState], expected: frozenset[ExpectedCase] | None
) -> frozenset[tuple[str, str]]:
    """Name the suite of every expected case; without a list, every case that any subject answered."""
    seen = set(map(_NAME, states))
    if expected is None:
        return frozenset(seen)
    suites: defaultdict[str, set[str]] = defaultdict(set)
    for suite, case in seen:
        suites[case].add(suite)
    # An unanswered case belongs to the only suite, if there is only one.
    every = {suite for suite, _ in seen}
    otherwise = every if len(every) == 1 else {DEFAULT_SUITE}
    keys: set[tuple[str, str]] = set()
    for suite_or_none, case in expected:
        named = {suite_or_none} if suite_or_none is not None else suites.get(case, otherwise)
        keys |= {(suite, case) for suite in named}
    return frozenset(keys)


def _subject(  # noqa: PLR0913  # one call site, and every argument is of another kind
    key: SubjectKey,
    states: list[CaseState],
    *,
    unknown: list[CaseState],
    wanted: frozenset[tuple[str, str]],
    duplicates: int,
    repeats: Mapping[CaseKey, Repeats],
    clusters: Clusters,
    options: ReportOptions,
) -> SubjectCases:
    absent = sorted(wanted.difference(map(_NAME, states)))
    if absent and options.missing is Missing.ERROR:
        raise InputError(_missing_message(key, absent))
    coverage = Coverage(
        expected=len(wanted),
        seen=len(states),
        missing=len(absent),
        unknown=len(unknown),
        duplicate=duplicates,
        errored=sum(state.n_error for state in states),
        missing_cases=tuple(case for _, case in absent[:MOST_NAMES]),
        unknown_cases=tuple(state.case for state in unknown[:MOST_NAMES]),
    )
    missing = tuple(CaseState(*key, suite, case) for suite, case in absent)
    is_counted = missing and options.missing is not Missing.SKIP
    counted = sorted((*states, *missing)) if is_counted else states
    suites = _by_suite(counted, missing)
    enough = max(options.ks)
    return SubjectCases(
        key=key,
        states=tuple(states),
        missing=missing,
        counted=tuple(counted),
        counts=tuple(
            [
                (case_state.n, case_state.c) if case_state.n or case_state.n_error else (enough, 0)
                for case_state in counted
            ]
        ),
        repeats=tuple(repeats.get(case_state.key, Repeats()) for case_state in counted) if repeats else (),
        suites=suites,
        total=total(suite.total for suite in suites.values()),  # a missing case adds nothing to it
        coverage=coverage,
        options=options,
        cluster_names=clusters,
    )


def _by_suite(counted: Iterable[CaseState], missing: Iterable[CaseState]) -> dict[str, SuiteCases]:
    grouped: dict[str, tuple[CaseState, ...]] = {state.suite: () for state in missing}
    # They are sorted, so that those of a suite stand together.
    grouped |= {suite: tuple(states) for suite, states in groupby(counted, attrgetter("suite"))}
    return {
        suite: SuiteCases(states=grouped[suite], total=total(grouped[suite])) for suite in sorted(grouped)
    }


def _with_errors(
    states: list[CaseState], policy: Errors, *, is_scored: bool, is_priced: bool
) -> list[CaseState]:
    """Count infrastructure errors as failed samples with a score of 0, if that is the policy."""
    if policy is Errors.EXCLUDE:
        return states
    return [_with_failed_errors(state, is_scored=is_scored, is_priced=is_priced) for state in states]


def _with_failed_errors(state: CaseState, *, is_scored: bool, is_priced: bool) -> CaseState:
    n = state.n + state.n_error
    return state._replace(
        n=n,
        score_n=state.score_n + state.n_error if is_scored else 0,
        # What an error has cost is part of the total as soon as it is a sample like the others.
        n_unpriced=n - state.cost_n if is_priced else state.n_unpriced,
    )


def _missing_message(key: SubjectKey, absent: list[tuple[str, str]]) -> str:
    names = ", ".join(repr(case) for _, case in absent[:5])
    more = f" and {len(absent) - 5} more" if len(absent) > 5 else ""  # noqa: PLR2004  # as many as fit a line
    have = "case has" if len(absent) == 1 else "cases have"
    return (
        f"{key.model} ({key.tier}): {len(absent)} expected {have} no outcome: {names}{more}.\n"
        f"Draw them, or choose what they count as: `missing=fail` or `missing=skip`."
    )
