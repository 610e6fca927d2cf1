"""Keep the rounds of a sequence apart: refuse samples that it has seen, and leave out subjects that ended."""

import json
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256

from steelyard.analysis.pairing import Pairing
from steelyard.errors import UserError
from steelyard.model.comparison import PairedSubject
from steelyard.model.gate import SubjectGate
from steelyard.model.report import CaseSummary, Report, SubjectSummary
from steelyard.model.sequence import GateSequence
from steelyard.model.verdict import GateDecision, GateEvidence, GateRule, Ground, Verdict

Names = set[tuple[str, str]]  # models and tiers


def samples_digest(report: Report) -> str:
    """Return a digest of the samples of a report: their results, costs, times and tokens.

    It does not depend on how the report was made: what scores the same samples again gets the same digest.
    """
    rows = sorted(map(_case_row, report.cases), key=lambda row: row[:4])
    tokens = sorted(map(_token_row, report.subjects))
    return sha256(json.dumps([rows, tokens]).encode()).hexdigest()


def require_same_rule(sequence: GateSequence, rule: GateRule) -> None:
    """Refuse a margin or an alpha other than that of the first round: the evidence was gathered for it."""
    for name, begun, now in (
        ("margin", sequence.margin, rule.margin),
        ("alpha", sequence.alpha, rule.alpha),
    ):
        if begun is not None and begun != now:
            raise UserError(
                f"this sequence began with the {name} {begun:.12g}, this round has {now:.12g}; "
                f"use {begun:.12g} again, or begin another sequence"
            )


def require_fresh(sequence: GateSequence, baseline: Report, current: Report) -> tuple[str, str]:
    """Refuse samples that an earlier round has counted; return the digests of both reports."""
    result = samples_digest(baseline), samples_digest(current)
    for which, digest in zip(("baseline", "current report"), result, strict=True):
        if digest in sequence.reports:
            raise UserError(
                f"the {which} has the same samples as a report of an earlier round, and samples count once: "
                f"every round needs fresh samples of both runs\n(if they are fresh, and only their results "
                f"agree, score them with their latencies, costs or tokens, which tell them apart)"
            )
    return result


def require_open(pairs: Sequence[PairedSubject], ended: Sequence[SubjectGate]) -> None:
    """Refuse a round in which no subject is left to be judged."""
    verdicts = {subject_gate.pair: subject_gate.decision.verdict for subject_gate in ended}
    if pairs and all(pair in verdicts for pair in pairs):
        ends = [f"{pair.current_model} has ended with the verdict {verdicts[pair].value}" for pair in pairs]
        raise UserError(f"the sequence of {', that of '.join(ends)}; begin another one")


def require_known(sequence: GateSequence, pairs: Sequence[PairedSubject]) -> None:
    """Refuse subjects that join later: those of the first round share the whole alpha."""
    known = sequence.pairs
    joining = [pair.current_model for pair in pairs if known and pair not in known]
    if joining:
        raise UserError(
            f"{', '.join(joining)} is new to this sequence, and its alpha is shared since the first round; "
            f"begin another sequence for it"
        )


def absent_subjects(sequence: GateSequence, pairs: Sequence[PairedSubject]) -> tuple[SubjectGate, ...]:
    """Return what there is to say of subjects that a round lacks and that are still open: nothing yet."""
    absent = [
        subject.pair for subject in sequence.subjects if subject.ended is None and subject.pair not in pairs
    ]
    evidence = GateEvidence(cases=0, error_share=0.0)
    nothing = GateDecision(verdict=Verdict.INCONCLUSIVE, grounds=(Ground.NO_SHARED_CASES,), evidence=evidence)
    return tuple(SubjectGate(pair=pair, decision=nothing, broken_cases=(), resample=None) for pair in absent)


def require_same_cases(pairing: Pairing, before: str | None) -> str:
    """Refuse other cases than those of the first round: a round must not pass without those that fail."""
    pairs = (*pairing.cases, *pairing.lost)
    names = sorted((pair.current.suite, pair.current.case, pair.current.digest or "") for pair in pairs)
    hexdigest = sha256(json.dumps(names).encode()).hexdigest()
    if before not in {None, hexdigest}:
        raise UserError(
            f"the cases of {pairing.subject.current_model} are not those of the first round; "
            f"draw all of them and no others, or begin another sequence"
        )
    return hexdigest


def open_part(baseline: Report, current: Report, ended: Sequence[SubjectGate]) -> tuple[Report, Report]:
    """Return both reports without the subjects that have ended."""
    pairs = [subject_gate.pair for subject_gate in ended]
    return (
        _without(baseline, {(pair.baseline_model, pair.baseline_tier) for pair in pairs}),
        _without(current, {(pair.current_model, pair.current_tier) for pair in pairs}),
    )


def _without(report: Report, names: Names) -> Report:
    return replace(
        report,
        subjects=tuple(subject for subject in report.subjects if (subject.model, subject.tier) not in names),
        cases=tuple(case for case in report.cases if (case.model, case.tier) not in names),
    )


def _case_row(case: CaseSummary) -> tuple[object, ...]:
    return (
        *(case.model, case.tier, case.suite, case.case, case.digest),
        *(case.n, case.c, case.errored, case.score_n, case.score_sum_micro, case.score_sq_micro),
        *(case.cost_usd, case.mean_latency_s),
    )


def _token_row(subject: SubjectSummary) -> tuple[str, str, int, int]:
    return subject.model, subject.tier, subject.tokens_in, subject.tokens_out
