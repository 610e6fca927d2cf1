"""Say what the parts of a gate's test found, and what the rounds of a sequence add up to."""

from steelyard.model.gate import GateReport
from steelyard.model.verdict import GateEvidence, SequenceEvidence
from steelyard.render.numbers import p_value
from steelyard.render.words import counted


def tests_of_passes(evidence: GateEvidence) -> str:
    """Return the p-value of the test on passes, and those of its parts."""
    parts = {
        "all cases together": evidence.p_overall,
        "several cases": evidence.p_criticism,
        "one or two cases": evidence.p_sparse,
    }
    known = ", ".join(f"{what} {p_value(p)}" for what, p in parts.items() if p is not None)
    joint = "" if evidence.p_joint is None else p_value(evidence.p_joint)
    return f"test of the passes: {joint}; its parts: {known}"


def pairs_of_rounds(found: SequenceEvidence, gate: GateReport) -> str:
    """Return the pairs of all rounds and both e-values, of which 1 / alpha decides."""
    losses = f"{found.losses:,} {'loss' if found.losses == 1 else 'losses'}"
    pairs = f"{losses}, {counted(found.wins, 'win')}, {found.same:,} alike"
    wanted = len(gate.subjects) / gate.rule.alpha
    evidence = f"e-value {found.e_drop:.3g} for a drop, {found.e_within:.3g} for one below the margin"
    return f"{counted(found.rounds, 'round')}: {pairs}; {evidence}; {wanted:.3g} decides"
