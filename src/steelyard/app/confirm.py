"""Confirm a suspicion: resample suspicious cases in both runs, and judge by the fresh answers alone.

The fresh answers are kept in runs of their own. After an interruption the same call goes on with them.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Self, Unpack

from steelyard.analysis.gate_report import DEFAULT_RULE
from steelyard.analysis.staged_gate import confirm_reports, plan_confirmation
from steelyard.app.baseline import PLACE, find_report, require_kept_run
from steelyard.app.config import ConfigSource, load_config
from steelyard.app.fresh_runs import Again, FreshRun, Side, fresh_runs, side_of
from steelyard.app.gate import require_both, require_no_policy
from steelyard.app.keywords import require_keywords
from steelyard.app.report import report_at, report_run
from steelyard.app.run import exit_code, ignore_progress
from steelyard.app.run_address import RunAddress, address_of
from steelyard.app.settings import ExecutionOptions, run_settings
from steelyard.errors import InputError, SteelyardError
from steelyard.model.gate import GateReport
from steelyard.model.outcome import Integrity
from steelyard.model.progress import ProgressCallback, RunResult
from steelyard.model.report import Report
from steelyard.model.verdict import GateRule
from steelyard.store.run.run_store import is_run, open_run
from steelyard.store.run.stored_set import has_stored_set


class ConfirmationStopped(SteelyardError):
    """Not all fresh answers could be generated; `result` says why, and the same call goes on with them."""

    def __init__(self, result: RunResult) -> None:
        super().__init__(
            f"{result.address}: not all fresh answers were generated; finished ones are kept, confirm again"
        )
        self.result = result
        self.exit_code = exit_code(result)

    def __reduce__(  # type: ignore[explicit-override]  # as every class has it
        self,
    ) -> tuple[Callable[..., Self], tuple[object, ...]]:
        """Say how to make it again: another process may send it back."""
        return type(self), (self.result,)


def confirm(  # noqa: PLR0913  # two runs, the rule, and how to generate
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
    """Judge a run against a baseline in two stages: resample suspicious cases in both, and judge by those.

    Without a suspicion, or if one of the two is no run that can be generated from, return the verdict of the
    first stage, which says what to generate. `baseline_config` says how to call the model of the baseline if
    that differs. `execution` are those of `ExecutionOptions`; `max_usd` limits the cost of all fresh answers
    together. `notify` gets the address of each run before it is generated. `require_integrity` refuses
    samples with less integrity.
    """
    require_keywords(execution, ExecutionOptions.__optional_keys__, of="confirm")
    baseline, current = address_of(baseline), address_of(current)
    (before, source), after = find_report(baseline, baselines=baselines), report_at(current)
    require_both(before, after, require_integrity)
    require_no_policy(load_config(config).gate)
    planned = plan_confirmation(before, after, rule=rule)
    requested = _suspicions(planned)
    if not requested or not (_can_generate(source) and _can_generate(str(current))):
        return replace(planned, addresses=(str(baseline), str(current)))
    require_kept_run(baseline, baselines=baselines)
    chosen = load_config(config)
    other = chosen if baseline_config is None else load_config(baseline_config)
    settings = run_settings(chosen, **execution)
    old = side_of(source, run_settings(other, **execution))
    new = side_of(str(current), settings)
    _require_unchanged(before, old, requested, address=source)
    runs = fresh_runs(old, new, requested, root=chosen.runs)
    _generate(runs, settings.max_nano_usd, progress or ignore_progress, notify or (lambda _: None))
    fresh = [report_run(run.address, require_integrity=require_integrity) for run in runs]
    return confirm_reports(
        before, after, fresh_baseline=_together(fresh[::2]), fresh_current=_together(fresh[1::2]), rule=rule
    )


def _suspicions(planned: GateReport) -> list[Again]:
    return [
        Again(
            baseline=(subject.pair.baseline_model, subject.pair.baseline_tier),
            current=(subject.pair.current_model, subject.pair.current_tier),
            cases=tuple((case.suite, case.case) for case in subject.resample.cases),
            samples=subject.resample.samples,
        )
        for subject in planned.subjects
        if subject.resample is not None
    ]


def _can_generate(address: str) -> bool:
    """Whether an address is that of a run with its eval set, generated here and not imported."""
    return is_run(address) and open_run(address).manifest.imported is None and has_stored_set(address)


def _require_unchanged(report: Report, side: Side, wanted: Sequence[Again], *, address: str) -> None:
    """Require a run that has not changed since its report was kept: the answers belong to the report."""
    kept = {(case.suite, case.case): case.digest for case in report.cases}
    now = {(case.suite, case.case): case.digest for case in side.manifest.current_cases()}
    changed = sorted({case for item in wanted for case in item.cases if now.get(case) != kept.get(case)})
    if changed:
        raise InputError(
            f"{address}: the case {changed[0][1]} has changed in this run since the baseline was kept; "
            f"keep the baseline again, or name a run: `baseline=RUN`"
        )


def _generate(
    runs: Sequence[FreshRun], cap: int | None, progress: ProgressCallback, notify: Callable[[str], None]
) -> None:
    """Generate one run after the other, all together for no more than the cap."""
    spent = 0
    for run in runs:
        notify(run.address)
        remaining = None if cap is None else max(0, cap - spent)
        result = run.generate(progress=progress, max_nano_usd=remaining)
        spent += result.progress.spent_nano_usd
        if exit_code(result):
            raise ConfirmationStopped(result)


def _together(reports: Sequence[Report]) -> Report:
    """Return the reports of several subjects as one, for a reader of its cases."""
    return replace(
        reports[0],
        subjects=tuple(subject for report in reports for subject in report.subjects),
        cases=tuple(case for report in reports for case in report.cases),
    )
