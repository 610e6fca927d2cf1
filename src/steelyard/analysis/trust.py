"""Count samples by integrity and passed honeypots; reject reports with less integrity than required."""

from collections import defaultdict
from collections.abc import Iterable

from steelyard.errors import InputError
from steelyard.model.members import member
from steelyard.model.outcome import Integrity
from steelyard.model.report import Report
from steelyard.model.state import CaseState, Evidence, SubjectKey
from steelyard.model.trust import HoneypotSummary, SubjectIntegrity

MOST_NAMES = 20
NAMES_SHOWN = 5
ADVICE = (
    "state expected values as `calls` or `io`, which are sealed, or leave `require_integrity` out; "
    "docs/explanation/trust.md explains each level"
)


def integrity_counts(evidence: Evidence) -> tuple[SubjectIntegrity, ...]:
    """Count the samples of each subject by integrity; empty if it is unknown for all of them."""
    if not any(state.n_sealed or state.n_partial or state.n_open for state in evidence.states):
        return ()
    by_subject = _by_subject(evidence.states)
    return tuple(_subject_integrity(key, by_subject[key]) for key in sorted(by_subject))


def honeypot_summaries(evidence: Evidence) -> tuple[HoneypotSummary, ...]:
    """Return how often each subject passed honeypots; nothing where the set has none."""
    by_subject = _by_subject(evidence.honeypots)
    return tuple(_honeypots(key, by_subject[key]) for key in sorted(by_subject))


def honeypot_warnings(summaries: Iterable[HoneypotSummary]) -> list[str]:
    """Return a sentence for each subject that passed a honeypot."""
    return [
        f"{honeypot.model} ({honeypot.tier}): {honeypot.passed} of {honeypot.samples} samples passed "
        "honeypots, which no honest answer does: "
        f"{_listed(honeypot.passed_cases)}; read these answers before you trust the other grades"
        for honeypot in summaries
        if honeypot.passed
    ]


def require_integrity(report: Report, least: Integrity | None, *, where: str) -> None:
    """Reject a report with samples whose integrity is lower than required or unknown."""
    if least is None:
        return
    least = member(Integrity, least, option="require_integrity")
    if not report.integrity:
        raise InputError(
            f"{where}: `require_integrity={least}`: the integrity of these samples is unknown. The outcomes "
            f"come from files, or there was no sandbox. Check the answers again with "
            f"`steelyard regrade --all`, or run the set anew."
        )
    problems = [problem for subject in report.integrity for problem in _problems(subject, least)]
    if problems:
        lines = "\n".join(f"  {problem}" for problem in problems)
        raise InputError(f"{where}: `require_integrity={least}`: some samples have less:\n{lines}\n{ADVICE}")


def _problems(subject: SubjectIntegrity, least: Integrity) -> Iterable[str]:
    name = f"{subject.model} ({subject.tier})"
    by_integrity = (
        (Integrity.OPEN, subject.open, subject.open_cases),
        (Integrity.PARTIAL, subject.partial, subject.partial_cases),
    )
    for integrity, samples, cases in by_integrity:
        if samples and not integrity.is_at_least(least):
            yield f"{name}: {_many(samples)} {integrity}: {_listed(cases)}"
    if subject.unknown:
        yield f"{name}: {_many(subject.unknown)} of unknown integrity: {_listed(subject.unknown_cases)}"


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


def _subject_integrity(key: SubjectKey, states: list[CaseState]) -> SubjectIntegrity:
    unknown = [(state.case, state.n - state.n_sealed - state.n_partial - state.n_open) for state in states]
    return SubjectIntegrity(
        model=key.model,
        tier=key.tier,
        sealed=sum(state.n_sealed for state in states),
        partial=sum(state.n_partial for state in states),
        open=sum(state.n_open for state in states),
        unknown=sum(samples for _, samples in unknown),
        partial_cases=tuple(state.case for state in states if state.n_partial)[:MOST_NAMES],
        open_cases=tuple(state.case for state in states if state.n_open)[:MOST_NAMES],
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
