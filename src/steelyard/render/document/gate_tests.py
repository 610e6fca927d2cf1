"""Say what the parts of a gate's test found, and what the rounds of a sequence add up to."""

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


def pairs_of_rounds(found: SequenceEvidence) -> str:
    """Return the pairs of all rounds and the e-values, and at which of them the gate decides."""
    losses = f"{found.losses:,} {'loss' if found.losses == 1 else 'losses'}"
    pairs = f"{losses}, {counted(found.wins, 'win')}, {found.same:,} alike"
    fails, passes = f"{found.fails_at:.3g}", f"{found.passes_at:.3g}"
    decides = f"{passes} decides" if fails == passes else f"{fails} shows a drop, {passes} rules it out"
    score = found.e_score_drop
    drop = "a drop" if score is None else f"a drop of the pass rate, {score:.3g} for one of the score"
    evidence = f"e-value {found.e_drop:.3g} for {drop}, {found.e_within:.3g} for one below the margin"
    return f"{counted(found.rounds, 'round')}: {pairs}; {evidence}; {decides}"
