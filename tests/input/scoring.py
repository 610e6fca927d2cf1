"""Shorten the way from a few rows to a report, through the public Python API."""

from collections.abc import Iterable
from pathlib import Path

import steelyard
from steelyard.model.report import AtK, Report, SubjectSummary
from tests.commands import Json, written

HEADER = "model,case,attempt,passed\n"


def report_of(
    folder: Path,
    text: str,
    *,
    problems: str | None = None,
    options: steelyard.ReportOptions | None = None,
    rule: steelyard.RuleChoice | None = None,
) -> Report:
    """Score a CSV text with the defaults of the command line."""
    listed = None if problems is None else written(folder, problems, "problems.csv")
    return steelyard.score_files(
        [written(folder, text)],
        problems=listed,
        options=options or steelyard.ReportOptions(),
        rule=rule or steelyard.RuleChoice(),
    )


def subject_of(report: Report) -> SubjectSummary:
    """Return the only subject."""
    (subject,) = report.subjects
    return subject


def values(estimates: Iterable[AtK]) -> dict[int, float | None]:
    """Return the numbers by k."""
    return {found.k: found.estimate.value for found in estimates}


def estimate_at(subject: Json, k: int) -> Json:
    """Return the pass@k of a subject in a JSON report."""
    found: Json = next(found["estimate"] for found in subject["pass_at_k"] if found["k"] == k)
    return found
