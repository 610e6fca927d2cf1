"""Make reports of small runs with known counts, for the tests that compare and judge them."""

from collections.abc import Mapping, Sequence

from steelyard.analysis.build import build_report
from steelyard.model.options import ReportOptions, Scoring
from steelyard.model.report import Report
from steelyard.model.state import CaseState, Evidence

Counts = Sequence[tuple[int, int]]  # samples and passes of each case

POINTS = 1_000_000


def run(counts: Counts, *, model: str = "m", tier: str = "T0", errors: int = 0, night: int = 0) -> Report:
    """Report on one subject; `errors` samples of the first case ended in an infrastructure error."""
    return report_of({(model, tier): counts}, errors=errors, night=night)


def report_of(subjects: Mapping[tuple[str, str], Counts], *, errors: int = 0, night: int = 0) -> Report:
    """Report on several subjects, each case scored 1 for a pass and 0 otherwise.

    Samples of another `night` took another time, which is all that tells them apart.
    """
    states = [
        CaseState(
            model,
            tier,
            "s",
            f"case-{place:03d}",
            n=n,
            c=c,
            n_error=errors if place == 0 else 0,
            score_n=n,
            score_sum=c * POINTS,
            score_sq=c * POINTS**2,
            latency_n=n if night else 0,
            latency_sum=n * night * POINTS,
        )
        for (model, tier), counts in subjects.items()
        for place, (n, c) in enumerate(counts)
    ]
    evidence = Evidence(
        states=tuple(sorted(states)), scoring=Scoring(name="plausible", version=1), spreads={}
    )
    return build_report(evidence, ReportOptions())
