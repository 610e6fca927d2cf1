"""Name the cases that a gate's verdict rests on, with their samples in both reports."""

from collections.abc import Iterable

from steelyard.analysis.pairing import PairedCase, Pairing, ref
from steelyard.model.gate import CarryingCase
from steelyard.model.verdict import GateDecision, Ground

MOST = 10
ABOUT_DROPS = frozenset(
    {
        Ground.OVERALL_DROP,
        Ground.BROKEN_CASES,
        Ground.SEVERAL_CASES,
        Ground.TOO_FEW_SAMPLES,
        Ground.NOT_RULED_OUT,
        Ground.CASES_STAND_OUT,
        Ground.TO_BE_CONFIRMED,
    }
)


def carrying_cases(pairing: Pairing, decision: GateDecision) -> tuple[CarryingCase, ...]:
    """Return the cases that pass less often, those beyond noise first, then by drop; none for a pass.

    Where single cases alone decided, these are all. What a verdict on scores rests on, passes do not show.
    """
    grounds, evidence = set(decision.grounds), decision.evidence
    if not grounds & ABOUT_DROPS:
        return ()
    beyond = {*evidence.broken_cases, *evidence.standing_out}
    rows: Iterable[int] = range(len(pairing.cases))
    if grounds <= {Ground.BROKEN_CASES, Ground.CASES_STAND_OUT}:
        rows = beyond
    dropped = [row for row in rows if row in beyond or _drop(pairing.cases[row]) > 0]
    dropped.sort(key=lambda row: (row not in beyond, -_drop(pairing.cases[row]), row))
    return tuple(_carrying(pairing.cases[row], stands_out=row in beyond) for row in dropped[:MOST])


def _drop(pair: PairedCase) -> float:
    return pair.baseline.c / pair.baseline.n - pair.current.c / pair.current.n


def _carrying(pair: PairedCase, *, stands_out: bool) -> CarryingCase:
    return CarryingCase(
        case=ref(pair.current),
        baseline_passed=pair.baseline.c,
        baseline_samples=pair.baseline.n,
        current_passed=pair.current.c,
        current_samples=pair.current.n,
        stands_out=stands_out,
    )
