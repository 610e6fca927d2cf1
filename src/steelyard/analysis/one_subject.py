"""Choose or rename the subjects of a report, to compare two of one run, or two models, like two runs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

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


def rename_models(report: Report, names: Mapping[str, str], *, where: str) -> Report:
    """Return a report in which models have other names; two models may not get the same one."""
    own = {subject.model for subject in report.subjects}
    renamed = {model: names[model] for model in sorted(own & names.keys())}
    if not renamed:
        return report
    after = [renamed.get(model, model) for model in sorted(own)]
    if len(set(after)) < len(after):
        raise UserError(f"{where}: two models would have one name; rename them to {', '.join(sorted(own))}")

    def each(records: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(
            replace(record, model=renamed[record.model]) if record.model in renamed else record
            for record in records
        )

    return replace(
        report,
        subjects=each(report.subjects),
        tiers=each(report.tiers),
        suites=each(report.suites),
        cases=each(report.cases),
        warnings=tuple(_reworded(warning, renamed) for warning in report.warnings),
        integrity=each(report.integrity),
        honeypots=each(report.honeypots),
        also_at_k=each(report.also_at_k),
    )


def _reworded(warning: str, renamed: Mapping[str, str]) -> str:
    """Return a warning about a model, which begins with its name, under the new name."""
    model = next((model for model in renamed if warning.startswith(f"{model} (")), None)
    return warning if model is None else renamed[model] + warning.removeprefix(model)
