"""Convert one step of a sequential test into a verdict. INCONCLUSIVE means "keep sampling".

A pass needs a bound on the drop that holds at any stopping time, not only the lack of a shown drop.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import exp, log

import numpy as np

from steelyard.metrics.betting import (
    STAKES,
    log_drop_stakes,
    log_e_within,
    log_pair_stakes,
    log_stakes,
    mean_of_logs,
)
from steelyard.metrics.cases import CaseCounts
from steelyard.metrics.decisions import evidence_of, passed_or_open, refusal, settled
from steelyard.metrics.dependence import unless_dependent
from steelyard.metrics.paired_runs import PairedRuns
from steelyard.metrics.sequential import Step, log_e_value, sprt_step, step_of
from steelyard.model.sequence import PairsSeen
from steelyard.model.verdict import GateDecision, GateRule, Ground, SequenceEvidence

Counts = tuple[CaseCounts, CaseCounts]  # of the baseline and the current run

LARGEST_LOG = 700.0  # of a number that a float can hold


def with_round(seen: PairsSeen, runs: PairedRuns, *, margin: float) -> PairsSeen:
    """Add a round of one sample of each case in both runs to the pairs that were seen, or lost to errors.

    >>> last = PairedRuns(baseline=CaseCounts.of(n=1, c=[1, 1, 0]), current=CaseCounts.of(n=1, c=[1, 0, 0]))
    >>> found = with_round(PairsSeen(rounds=1, wins=4), last, margin=0.05)
    >>> found.rounds, found.losses, found.wins, found.same
    (2, 1, 4, 2)
    """
    losses = int((runs.baseline.c > runs.current.c).sum())
    wins = int((runs.baseline.c < runs.current.c).sum())
    after = replace(
        seen,
        rounds=seen.rounds + 1,
        losses=seen.losses + losses,
        wins=seen.wins + wins,
        same=seen.same + len(runs.baseline) - losses - wins,
        lost=seen.lost + len(runs.lost[0]) + _errored(runs),
    )
    return after if runs.scores is None and not seen.score_stakes else _with_scores(after, seen, runs, margin)


def _with_scores(after: PairsSeen, seen: PairsSeen, runs: PairedRuns, margin: float) -> PairsSeen:
    """Add the scores of a round; in rounds that had none of their own, they were the passes."""
    old, new = runs.scores or (runs.baseline.sums, runs.current.sums)
    drops = old.means - new.means
    at_worst = np.concatenate([drops, np.ones(len(runs.lost[0]) + _errored(runs))])
    losses, wins, same = seen.losses, seen.wins, seen.same
    within = seen.score_stakes or log_pair_stakes(
        losses=losses + seen.lost, wins=wins, same=same, margin=margin
    )
    # Bets on scores begin with what the bet on passes has become: half of that goes on either way.
    begun = (log_e_value(losses=losses, wins=wins),) * len(STAKES)
    fallen = seen.score_drop_stakes or begun
    return replace(
        after,
        score_stakes=_sums(within, log_stakes(at_worst, margin=margin)),
        score_drop_stakes=_sums(fallen, log_drop_stakes(drops)),
    )


def _errored(runs: PairedRuns) -> int:
    """Count the samples that an error ended beside one that tells something."""
    return 0 if runs.errors is None else sum(runs.errors[0]) + sum(runs.errors[1])


def anytime_decision(
    runs: PairedRuns, seen: PairsSeen, *, rule: GateRule, counts: Counts | None = None
) -> GateDecision:
    """Decide after any number of rounds of one pair of samples of each case; `runs` is the last round.

    FAIL when an e-value for a drop reaches 1/alpha: that of the passes, or that of the scores, at half of
    alpha each if scores say more than passes; not if `counts`, those of all rounds, show that samples
    repeat each other. PASS when the evidence for a drop below the margin reaches
    1/alpha, of both, each lost pair taken for a loss. Else INCONCLUSIVE. Range: each is wrong at most at the
    rate alpha, whenever one looks.
    Source: `sprt_step`, `log_drop_stakes`, `log_e_within`.

    >>> last = PairedRuns(baseline=CaseCounts.of(n=1, c=[1] * 9), current=CaseCounts.of(n=1, c=[1] * 9))
    >>> [anytime_decision(last, PairsSeen(same=same), rule=GateRule()).verdict.value for same in (9, 90)]
    ['inconclusive', 'pass']
    """
    if refused := refusal(runs, rule):
        return refused
    losses, wins, same = seen.losses, seen.wins, seen.same
    within = log_e_within(losses=losses + seen.lost, wins=wins, same=same, margin=rule.margin)
    score_drop = mean_of_logs(seen.score_drop_stakes) if seen.score_drop_stakes else None
    if seen.score_stakes:
        within = min(within, mean_of_logs(seen.score_stakes))
    alpha = _share_of_alpha(rule, has_scores=score_drop is not None)
    pairs = SequenceEvidence(
        rounds=seen.rounds,
        losses=losses,
        wins=wins,
        same=same,
        e_drop=_number(log_e_value(losses=losses, wins=wins)),
        e_score_drop=None if score_drop is None else _number(score_drop),
        e_within=_number(within),
        fails_at=1 / alpha,
        passes_at=1 / rule.alpha,
    )
    evidence = evidence_of(runs, rule, bound_alpha=rule.alpha)
    evidence = replace(evidence, sequence=pairs, more_samples=None)
    step = sprt_step(losses=losses, wins=wins, alpha=alpha)
    score_step = None if score_drop is None else step_of(score_drop, alpha=alpha)
    if grounds := _grounds(step, score_step):
        decision = settled(evidence, rule, grounds=grounds)
        return decision if counts is None else unless_dependent(decision, counts)
    return ended(passed_or_open(evidence, is_within=within >= -log(rule.alpha)), step, score_step)


def _share_of_alpha(rule: GateRule, *, has_scores: bool) -> float:
    """Return what each test may spend, the same in every round, whatever the passes may show by then."""
    return rule.alpha / 2 if has_scores else rule.alpha


def _grounds(step: Step, score_step: Step | None) -> list[Ground]:
    steps = {Ground.OVERALL_DROP: step, Ground.SCORE_DROP: score_step}
    return [ground for ground, result in steps.items() if result is Step.DROP]


def _sums(item: Sequence[float], other: Sequence[float]) -> tuple[float, ...]:
    return tuple(old + new for old, new in zip(item, other, strict=True))


def _number(logarithm: float) -> float:
    """Return the number of a logarithm, short of what a float cannot hold."""
    return exp(min(logarithm, LARGEST_LOG))


def ended(decision: GateDecision, step: Step, score_step: Step | None = None) -> GateDecision:
    """Say of an open verdict that going on would hardly show a drop, if every step says so.

    >>> from steelyard.model.verdict import GateEvidence
    >>> found = GateEvidence(cases=9, error_share=0)
    >>> ended(passed_or_open(found, is_within=False), Step.NO_DROP).grounds[0].value
    'not_ruled_out'
    """
    gives_up = step is Step.NO_DROP and score_step in {None, Step.NO_DROP}
    if gives_up and decision.grounds == (Ground.TOO_FEW_SAMPLES,):
        return replace(decision, grounds=(Ground.NOT_RULED_OUT,))
    return decision
