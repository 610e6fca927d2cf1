"""Take one subject of a report by its name, so that two of one run can be compared like two runs."""

from dataclasses import replace

from steelyard.errors import UserError
from steelyard.model.report import Report, SubjectSummary


def one_subject(report: Report, name: str, *, where: str) -> Report:
    """Return a report of one subject alone: `MODEL`, `TIER` or `MODEL@TIER`, whatever names just one."""
    fitting = [subject for subject in report.subjects if name in _names(subject)]
    fitting = fitting or [subject for subject in report.subjects if name == subject.tier]
    if len(fitting) != 1:
        known = ", ".join(f"{subject.model}@{subject.tier}" for subject in report.subjects)
        why = "several subjects are" if fitting else "no subject is"
        raise UserError(f"{where}: {why} called {name!r}; there are {known}")
    [subject] = fitting
    chosen = subject.model, subject.tier
    return replace(
        report,
        subjects=(subject,),
        cases=tuple(case for case in report.cases if (case.model, case.tier) == chosen),
        integrity=tuple(part for part in report.integrity if (part.model, part.tier) == chosen),
    )


def _names(subject: SubjectSummary) -> set[str]:
    return {subject.model, f"{subject.model}@{subject.tier}"}
