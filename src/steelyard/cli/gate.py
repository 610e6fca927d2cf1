"""`steelyard gate`: decide whether the current report is worse than its baseline."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli import arguments, options
from steelyard.cli.output import note_sources, outputs, show_result
from steelyard.cli.progress import watching
from steelyard.cli.screen import address_here, note
from steelyard.errors import UserError
from steelyard.model.gate import GateReport
from steelyard.model.verdict import GateRule, Inconclusive, Verdict
from steelyard.render.run_end import run_summary

stages = options.in_panel("Several stages or rounds")
resampling = options.in_panel("Resampling, for --confirm")

Confirm = Annotated[bool, stages("Resample suspicious cases of runs; for reports, list them.", "--confirm")]
FreshBaseline = Annotated[str | None, stages("The baseline's cases, resampled.", metavar="REPORT")]
FreshCurrent = Annotated[str | None, stages("The current cases, resampled.", metavar="REPORT")]
Sequence = Annotated[
    Path | None, stages("Add a round of single samples to this file and decide over all.", metavar="FILE")
]
History = Annotated[int | None, options.gate_rule("Compare with this many of the last baselines too.")]
BaselineConfig = Annotated[
    Path | None, resampling("Configuration of the baseline, if it differs.", metavar="FILE")
]
MaxUsd = Annotated[str | None, resampling("Budget of the fresh samples.", metavar="USD")]


def gate(
    *,
    baseline: options.BaselineReport,
    current: options.CurrentReport,
    model: options.Renames,
    output: options.Output,
    margin: options.Margin = 0.05,
    alpha: options.Alpha = 0.05,
    max_error_share: options.MaxErrorShare = 0.05,
    allow_missing: options.AllowMissing = False,
    inconclusive: options.OnInconclusive = None,
    require_integrity: options.RequireIntegrity = None,
    baselines: options.Baselines = "baselines",
    history: History = None,
    confirm: Confirm = False,
    fresh_baseline: FreshBaseline = None,
    fresh_current: FreshCurrent = None,
    sequence: Sequence = None,
    config: options.ConfigFile = None,
    baseline_config: BaselineConfig = None,
    max_usd: MaxUsd = None,
    sandbox: options.SandboxName = "bubblewrap",
    unsafe_no_sandbox: options.Unsafe = False,
    quiet: options.Quiet = False,
    details: options.Details = False,
    format: options.PairFormat = "text",
) -> None:
    _require_one_form(confirm, fresh_baseline or fresh_current, sequence, history)
    _require_confirm({"--max-usd": max_usd, "--baseline-config": baseline_config}, confirm=confirm)
    if model and confirm:
        raise UserError("--model renames models of finished reports; leave --confirm out")
    destinations = outputs(GateReport, format, output, details=details)
    rule = GateRule(alpha=alpha, margin=margin, max_error_share=max_error_share, allow_missing=allow_missing)
    if confirm:
        with watching(quiet=quiet) as watch, _exit_if_incomplete():
            report = steelyard.confirm(
                baseline,
                current,
                rule=rule,
                baselines=baselines,
                config=config,
                baseline_config=baseline_config,
                max_usd=max_usd,
                sandbox=sandbox,
                unsafe_no_sandbox=unsafe_no_sandbox,
                require_integrity=require_integrity,
                progress=watch,
                notify=lambda address: note(f"resampling: {address}"),
            )
    else:
        report = steelyard.gate(
            baseline,
            current,
            rule=rule,
            baselines=baselines,
            config=config,
            models=arguments.pairs(model, option="--model"),
            sequence=sequence,
            history=history,
            fresh_baseline=fresh_baseline,
            fresh_current=fresh_current,
            require_integrity=require_integrity,
        )
    note_sources(baseline, current, baselines, form=format)
    show_result(report, destinations)
    note_inconclusive(report, inconclusive)
    raise typer.Exit(code=steelyard.gate_exit_code(report, inconclusive))


@contextmanager
def _exit_if_incomplete() -> Iterator[None]:
    """If some fresh answers could not be generated, explain how to resume, and exit."""
    try:
        yield
    except steelyard.ConfirmationStopped as stopped:
        note(run_summary(stopped.result, address_here(stopped.result.address)))
        note("then repeat this gate command: it keeps the generated answers")
        raise typer.Exit(code=stopped.exit_code) from None


def note_inconclusive(report: GateReport, inconclusive: Inconclusive | None) -> None:
    """Report the effect of --inconclusive on the exit code."""
    if report.verdict is not Verdict.INCONCLUSIVE or inconclusive is None:
        return
    if inconclusive is Inconclusive.PASS and not report.lacks_only_samples:
        note(
            "--inconclusive pass excuses too few samples only, and not fewer than the baseline has. "
            "It excuses no missing case, no infrastructure error, and nothing that is still to be confirmed."
        )
    else:
        note(f"an inconclusive verdict counts as a {inconclusive} here (--inconclusive)")


def _require_one_form(*forms: object) -> None:
    if sum(form not in {None, False} for form in forms) > 1:
        raise UserError(
            "choose one of --confirm, --fresh-baseline with --fresh-current, --sequence and --history"
        )


def _require_confirm(values: Mapping[str, object], *, confirm: bool) -> None:
    """Reject options without effect."""
    for option, value in values.items():
        if value is not None and not confirm:
            raise UserError(f"{option} requires --confirm: add that, or remove {option}")
