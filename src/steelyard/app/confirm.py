"""Confirm a suspicion: resample suspicious cases in both runs, and decide by the fresh answers alone.

Fresh answers are stored in separate runs. After an interruption, the same call resumes them.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Self, Unpack

from steelyard.analysis.gate_report import DEFAULT_RULE
from steelyard.analysis.staged_gate import confirm_reports, plan_confirmation
from steelyard.app.baseline import PLACE, find_report, require_kept_run
from steelyard.app.fresh_runs import FreshRun, Resampled, Side, fresh_runs, side_of
from steelyard.app.gate import require_both, require_no_policy
from steelyard.app.report import report_at, report_run
from steelyard.app.run import exit_code, ignore_progress
from steelyard.app.run_address import RunAddress, address_of
from steelyard.app.settings import ConfigSource, ExecutionOptions, load_config, require_keywords, run_settings
from steelyard.errors import InputError, SteelyardError
from steelyard.model.gate import GateReport
from steelyard.model.outcome import Integrity
from steelyard.model.progress import ProgressCallback, RunResult
from steelyard.model.report import Report
from steelyard.model.verdict import GateRule
from steelyard.store.run.run_store import is_run, open_run
from steelyard.store.run.stored_set import has_stored_set


class ConfirmationStopped(SteelyardError):
    """Some fresh answers could not be generated; `result` has the reason, and the same call resumes."""

    def __init__(self, result: RunResult) -> None:
        super().__init__(
            f"{result.address}: not all fresh answers were generated; confirm again to generate the rest"
        )
        self.result = result
        self.exit_code = exit_code(result)

    def __reduce__(  # type: ignore[explicit-override]  # as in object
        self,
    ) -> tuple[Callable[..., Self], tuple[object, ...]]:
        """Support pickling, for errors from another process."""
        return type(self), (self.result,)


def confirm(  # noqa: PLR0913  # two runs, the rule, and options of generation
    baseline: RunAddress,
    current: RunAddress,
    *,
    rule: GateRule = DEFAULT_RULE,
    baselines: str = PLACE,
    config: ConfigSource = None,
    baseline_config: ConfigSource = None,
    progress: ProgressCallback | None = None,
    notify: Callable[[str], None] | None = None,
    require_integrity: Integrity | None = None,
    **execution: Unpack[ExecutionOptions],
) -> GateReport:
    """Gate a run against a baseline in two stages: resample suspicious cases in both, decide by those.

    Without suspicious cases, or if one of the two is no run that can be extended, returns the verdict of the
    first stage, which lists the cases to resample.

    Args:
        baseline: A run, a report or the name of a baseline.
        current: A run or a report.
        rule: Error rate, margin and tolerances of the decision.
        baselines: Folder or address of the kept baselines.
        config: Providers, prices and defaults.
        baseline_config: Configuration of the baseline's model, if it differs.
        progress: Called with the progress.
        notify: Called with the address of each run before it is generated.
        require_integrity: Reject reports with samples of lower integrity.
        execution: Fields of `ExecutionOptions`; `max_usd` limits the cost of all fresh answers.

    Raises:
        ConfirmationStopped: Some fresh answers could not be generated.
    """
    require_keywords(execution, ExecutionOptions.__optional_keys__, of="confirm")
    baseline, current = address_of(baseline), address_of(current)
    (before, source), after = find_report(baseline, baselines=baselines), report_at(current)
    require_both(before, after, require_integrity)
    require_no_policy(load_config(config).gate)
    planned = plan_confirmation(before, after, rule=rule)
    requested = _list_suspicions(planned)
    if not requested or not (_can_generate(source) and _can_generate(str(current))):
        return replace(planned, addresses=(str(baseline), str(current)))
    require_kept_run(baseline, baselines=baselines)
    current_config = load_config(config)
    old_config = current_config if baseline_config is None else load_config(baseline_config)
    settings = run_settings(current_config, **execution)
    old = side_of(source, run_settings(old_config, **execution))
    new = side_of(str(current), settings)
    _require_unchanged(before, old, requested, address=source)
    runs = fresh_runs(old, new, requested, root=current_config.runs)
    _generate_runs(runs, settings.max_nano_usd, progress or ignore_progress, notify or (lambda _: None))
    fresh = [report_run(run.address, require_integrity=require_integrity) for run in runs]
    return confirm_reports(
        before,
        after,
        fresh_baseline=_combine_reports(fresh[::2]),
        fresh_current=_combine_reports(fresh[1::2]),
        rule=rule,
    )


def _list_suspicions(planned: GateReport) -> list[Resampled]:
    return [
        Resampled(
            baseline=(subject.pair.baseline_model, subject.pair.baseline_tier),
            current=(subject.pair.current_model, subject.pair.current_tier),
            cases=tuple((case.suite, case.case) for case in subject.resample.cases),
            samples=subject.resample.samples,
        )
        for subject in planned.subjects
        if subject.resample is not None
    ]


def _can_generate(address: str) -> bool:
    """Whether an address is a run with its eval set, not an imported one."""
    return is_run(address) and open_run(address).manifest.imported is None and has_stored_set(address)


def _require_unchanged(report: Report, side: Side, pairs: Sequence[Resampled], *, address: str) -> None:
    """Require a run whose cases are those of its report."""
    kept = {(case.suite, case.case): case.digest for case in report.cases}
    now = {(case.suite, case.case): case.digest for case in side.manifest.current_cases()}
    changed = sorted({case for pair in pairs for case in pair.cases if now.get(case) != kept.get(case)})
    if changed:
        raise InputError(
            f"{address}: the case {changed[0][1]} has changed in this run since the baseline was set; "
            f"set the baseline again, or name a run: `baseline=RUN`"
        )


def _generate_runs(
    runs: Sequence[FreshRun], cap: int | None, progress: ProgressCallback, notify: Callable[[str], None]
) -> None:
    """Generate one run after the other within one budget."""
    spent = 0
    for run in runs:
        notify(run.address)
        remaining = None if cap is None else max(0, cap - spent)
        outcome = run.generate(progress=progress, max_nano_usd=remaining)
        spent += outcome.progress.spent_nano_usd
        if exit_code(outcome):
            raise ConfirmationStopped(outcome)


def _combine_reports(reports: Sequence[Report]) -> Report:
    """Combine the reports of several subjects."""
    return replace(
        reports[0],
        subjects=tuple(subject for report in reports for subject in report.subjects),
        cases=tuple(case for report in reports for case in report.cases),
    )
