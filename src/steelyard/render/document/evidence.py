"""Word the statistics behind a verdict: power, test statistics, totals of sequential rounds."""

from math import ceil, floor

from steelyard.model.verdict import DetectionChances, GateEvidence, SequenceEvidence
from steelyard.render.numbers import p_value, size_in_points
from steelyard.render.words import counted

RULE_OF_THREE = 3  # of n simulated pairs without an event: the rate is at most 3/n, with 95 % confidence
TESTS_IN_WORDS = (
    "Samples are shuffled between the two runs many times. Did the total fall more than shuffling explains? "
    "Did cases that used to pass stop passing?"
)


def chances_in_words(chances: DetectionChances) -> str:
    """Return the power to detect an overall drop and one broken case.

    >>> chances_in_words(DetectionChances(drop=0.05, spread=0.89, one_case=1))
    'a drop of 5 points is detected in about 89 % of comparisons, one broken case in 98 % or more'
    """
    spread, one_case = (_share(chance, chances.pairs) for chance in (chances.spread, chances.one_case))
    drop = f"a drop of {size_in_points(chances.drop)} is detected in {spread} of comparisons"
    return f"{drop}, one broken case in {one_case}"


def _share(chance: float, pairs: int) -> str:
    rare = RULE_OF_THREE / pairs
    if chance >= 1 - rare:
        return f"{floor(100 * (1 - rare))} % or more"
    return f"{ceil(100 * rare)} % or less" if chance <= rare else f"about {100 * chance:.0f} %"


def tests_of_passes(evidence: GateEvidence) -> str:
    """Return the p-values of the test on passes and of its parts."""
    parts = {
        "all cases together": evidence.p_overall,
        "several cases": evidence.p_criticism,
        "one or two cases": evidence.p_sparse,
    }
    known = ", ".join(f"{what} {p_value(p)}" for what, p in parts.items() if p is not None)
    joint = "" if evidence.p_joint is None else p_value(evidence.p_joint)
    return f"test of the passes: {joint}; its parts: {known}"


def pairs_of_rounds(sequence: SequenceEvidence) -> str:
    """Return the pairs of all rounds, the e-values, and the e-values that decide."""
    losses = f"{sequence.losses:,} {'loss' if sequence.losses == 1 else 'losses'}"
    pairs = f"{losses}, {counted(sequence.wins, 'win')}, {sequence.same:,} ties"
    fails, passes = f"{sequence.fails_at:.3g}", f"{sequence.passes_at:.3g}"
    decides = f"{passes} decides" if fails == passes else f"{fails} shows a drop, {passes} rules it out"
    score = sequence.e_score_drop
    drop = "a drop" if score is None else f"a drop of the pass rate, {score:.3g} for one of the score"
    evidence = f"e-value {sequence.e_drop:.3g} for {drop}, {sequence.e_within:.3g} for one below the margin"
    return f"{counted(sequence.rounds, 'round')}: {pairs}; {evidence}; {decides}"
