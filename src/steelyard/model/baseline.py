"""Hold a report that was kept under a name, to compare later ones with; its JSON form is versioned."""

from dataclasses import dataclass

from steelyard.model.policy import GatePolicy
from steelyard.model.report import Report

BASELINE_SCHEMA = "steelyard.baseline/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """A report under a name.

    `source` is where it came from, such as the run, which a confirming gate generates from again. `note` is
    whatever its keeper wanted to remember, such as a commit. `run` is the id of the run at the source, if it
    was one: at that address there may be another one later. `policy` is the digest of the gate's policy with
    which the baseline was kept.
    """

    schema: str = BASELINE_SCHEMA
    name: str
    kept_at: str  # UTC, such as 2026-11-15T09:30:00Z
    source: str
    note: str | None = None
    run: str | None = None
    policy: str = GatePolicy().digest
    report: Report
