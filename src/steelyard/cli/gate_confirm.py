"""`steelyard gate --confirm` with runs: draw the suspicious cases again in both, and judge."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import typer

import steelyard
from steelyard.app.confirm import Again, FreshRun, Side, fresh_runs, side_of
from steelyard.cli import output
from steelyard.cli.progress.watch import watching
from steelyard.cli.run_ending import code_of, last_words
from steelyard.errors import InputError
from steelyard.model.config import Config
from steelyard.model.gate import GateReport
from steelyard.model.report import Report
from steelyard.model.verdict import GateRule
from steelyard.providers.limiter import MOST
from steelyard.providers.prices.price_list import PriceList
from steelyard.runner.draw.retries import Retries
from steelyard.runner.resources import RunSettings
from steelyard.sources.config.read import read_config


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """How the fresh answers are drawn."""

    baseline: str
    current: str
    config: Path | None = None
    baseline_config: Path | None = None
    max_nano_usd: int | None = None
    sandbox: str = "bubblewrap"
    allow_unsafe: bool = False
    quiet: bool = False


def confirmed(
    planned: GateReport, reports: tuple[Report, Report], rule: GateRule, drawing: Drawing
) -> GateReport:
    """Return the final verdict, or leave with an exit code if not everything could be drawn."""
    wanted = [
        Again(
            baseline=(one.pair.baseline_model, one.pair.baseline_tier),
            current=(one.pair.current_model, one.pair.current_tier),
            cases=tuple((case.suite, case.case) for case in one.redraw.cases),
            samples=one.redraw.samples,
        )
        for one in planned.subjects
        if one.redraw is not None
    ]
    if not wanted:
        return planned
    config = read_config(drawing.config)
    other = read_config(drawing.baseline_config) if drawing.baseline_config else config
    baseline = side_of(drawing.baseline, _settings(other, drawing))
    current = side_of(drawing.current, _settings(config, drawing))
    _refuse_changed(reports[0], baseline, wanted, address=drawing.baseline)
    runs = fresh_runs(baseline, current, wanted, root=config.runs)
    cap = config.limits.max_nano_usd if drawing.max_nano_usd is None else drawing.max_nano_usd
    code = _drawn(runs, cap, quiet=drawing.quiet)
    if code:
        raise typer.Exit(code=code)
    before, after = reports
    fresh = [steelyard.report_run(run.address) for run in runs]
    return steelyard.confirm_reports(
        before, after, fresh_baseline=_together(fresh[::2]), fresh_current=_together(fresh[1::2]), rule=rule
    )


def _refuse_changed(report: Report, side: Side, wanted: Sequence[Again], *, address: str) -> None:
    """Refuse a run that has changed since its report was kept: its answers would not belong to the report."""
    kept = {(case.suite, case.case): case.digest for case in report.cases}
    now = {(case.suite, case.case): case.digest for case in side.manifest.current_cases()}
    changed = sorted({case for one in wanted for case in one.cases if now.get(case) != kept.get(case)})
    if changed:
        raise InputError(
            f"{address}: the case {changed[0][1]} has changed in this run since the baseline was kept; "
            f"keep the baseline again, or name a run with --baseline"
        )


def _drawn(runs: Sequence[FreshRun], cap: int | None, *, quiet: bool) -> int:
    """Draw one run after the other, all together for no more than the cap; 0 if all are complete."""
    spent = 0
    for run in runs:
        output.note(f"drawing again: {run.address}")
        left = None if cap is None else max(0, cap - spent)
        with watching(quiet=quiet) as watch:
            store, ended = run.draw(watch=watch, max_nano_usd=left)
        spent += ended.progress.tally.total("cost_nano_usd")
        if code := code_of(ended):
            output.note(last_words(ended, store))
            output.note("then type the same gate command again: what is drawn is kept")
            return code
    return 0


def _settings(config: Config, drawing: Drawing) -> RunSettings:
    return RunSettings(
        providers=config.providers,
        prices=PriceList(config.prices, providers=config.providers),
        retries=Retries(most=config.limits.retries),
        max_concurrency=config.limits.max_concurrency or MOST,
        max_nano_usd=config.limits.max_nano_usd if drawing.max_nano_usd is None else drawing.max_nano_usd,
        sandbox=drawing.sandbox,
        allow_unsafe=drawing.allow_unsafe,
    )


def _together(reports: Sequence[Report]) -> Report:
    """Return the reports of several subjects as one, for whoever looks at its cases."""
    return replace(
        reports[0],
        subjects=tuple(subject for report in reports for subject in report.subjects),
        cases=tuple(case for report in reports for case in report.cases),
    )
