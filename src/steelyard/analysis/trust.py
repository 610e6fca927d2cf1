"""Count how samples were graded and who passed honeypots; refuse reports that are trusted too little."""

from collections import defaultdict
from collections.abc import Iterable

from steelyard.errors import InputError
from steelyard.model.members import member
from steelyard.model.outcome import Isolation
from steelyard.model.report import Report
from steelyard.model.state import CaseState, Evidence, SubjectKey
from steelyard.model.trust import HoneypotSummary, SubjectIsolation

MOST_NAMES = 20
NAMES_SHOWN = 5
ADVICE = (
    "grade them by `calls` or `io`, whose expected values stay out of the answer's reach, or do without "
    "`require_isolation`; docs/explanation/trust.md says what each one promises"
)


def isolation_counts(evidence: Evidence) -> tuple[SubjectIsolation, ...]:
    """Return how the samples of each subject were graded; nothing where it is known of no sample."""
    if not any(state.n_apart or state.n_shared for state in evidence.states):
        return ()
    by_subject = _by_subject(evidence.states)
    return tuple(_isolation(key, by_subject[key]) for key in sorted(by_subject))


def honeypot_summaries(evidence: Evidence) -> tuple[HoneypotSummary, ...]:
    """Return how often each subject passed honeypots; nothing where the set has none."""
    by_subject = _by_subject(evidence.honeypots)
    return tuple(_honeypots(key, by_subject[key]) for key in sorted(by_subject))


def honeypot_warnings(found: Iterable[HoneypotSummary]) -> list[str]:
    """Return a sentence for each subject that passed a honeypot."""
    return [
        f"{one.model} ({one.tier}): {one.passed} of {one.samples} samples passed honeypots, which no honest "
        f"answer does: {_listed(one.passed_cases)}; read these answers before you trust the other grades"
        for one in found
        if one.passed
    ]


def require_isolation(report: Report, wanted: Isolation | None, *, where: str) -> None:
    """Refuse a report with samples that were graded with less isolation than wanted, or an unknown one."""
    if wanted is None:
        return
    wanted = member(Isolation, wanted, option="require_isolation")
    if not report.isolation:
        raise InputError(
            f"{where}: `require_isolation={wanted}`: how these samples were graded is unknown. The report "
            f"or the run is of an older version, the outcomes come from files, or there was no sandbox. "
            f"Check the answers again with `steelyard regrade --all`, or run the set anew."
        )
    refused = [problem for one in report.isolation for problem in _refused(one, wanted)]
    if refused:
        lines = "\n".join(f"  {problem}" for problem in refused)
        raise InputError(
            f"{where}: `require_isolation={wanted}`: some samples were not graded so:\n{lines}\n{ADVICE}"
        )


def _refused(found: SubjectIsolation, wanted: Isolation) -> Iterable[str]:
    who = f"{found.model} ({found.tier})"
    if found.shared and wanted == Isolation.APART:
        yield f"{who}: {_many(found.shared)} graded shared: {_listed(found.shared_cases)}"
    if found.unknown:
        yield f"{who}: {_many(found.unknown)} of unknown isolation: {_listed(found.unknown_cases)}"


def _many(samples: int) -> str:
    return f"{samples} sample{'' if samples == 1 else 's'}"


def _listed(cases: tuple[str, ...]) -> str:
    more = " and more" if len(cases) > NAMES_SHOWN else ""
    return f"{', '.join(map(repr, cases[:NAMES_SHOWN]))}{more}"


def _by_subject(states: Iterable[CaseState]) -> dict[SubjectKey, list[CaseState]]:
    grouped: defaultdict[SubjectKey, list[CaseState]] = defaultdict(list)
    for state in states:
        grouped[state.subject].append(state)
    return dict(grouped)


def _isolation(key: SubjectKey, states: list[CaseState]) -> SubjectIsolation:
    unknown = [(state.case, state.n - state.n_apart - state.n_shared) for state in states]
    return SubjectIsolation(
        model=key.model,
        tier=key.tier,
        apart=sum(state.n_apart for state in states),
        shared=sum(state.n_shared for state in states),
        unknown=sum(samples for _, samples in unknown),
        shared_cases=tuple(state.case for state in states if state.n_shared)[:MOST_NAMES],
        unknown_cases=tuple(case for case, samples in unknown if samples)[:MOST_NAMES],
    )


def _honeypots(key: SubjectKey, states: list[CaseState]) -> HoneypotSummary:
    return HoneypotSummary(
        model=key.model,
        tier=key.tier,
        cases=len(states),
        samples=sum(state.n for state in states),
        passed=sum(state.c for state in states),
        passed_cases=tuple(state.case for state in states if state.c)[:MOST_NAMES],
    )
