"""`steelyard ci`: what a job does about a change, in one command."""

from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli import options
from steelyard.cli.gate import note_inconclusive
from steelyard.cli.output import outputs, show_result
from steelyard.cli.screen import note
from steelyard.model.gate import GateReport
from steelyard.model.verdict import GateRule


def ci(
    *,
    current: options.CurrentReport,
    baseline: Annotated[str, typer.Option(metavar="NAME", help="The name of the baseline.")] = "main",
    baselines: options.Baselines = "baselines",
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep the current report as the baseline if the job passes.")
    ] = False,
    accept: Annotated[
        bool, typer.Option("--accept", help="Keep it whatever the verdict and the old baseline are.")
    ] = False,
    require_baseline: Annotated[
        bool,
        typer.Option(
            "--require-baseline", help="Exit with 2 if there is no baseline, as after a lost cache."
        ),
    ] = False,
    margin: options.Margin = 0.05,
    alpha: options.Alpha = 0.05,
    max_error_share: options.MaxErrorShare = 0.05,
    allow_missing: options.AllowMissing = False,
    inconclusive: options.OnInconclusive = None,
    require_integrity: options.RequireIntegrity = None,
    comment: Annotated[
        bool, typer.Option("--comment", help="Comment on the pull request of this job.")
    ] = False,
    folder: Annotated[Path, typer.Option("--folder", metavar="FOLDER", help="Where the files go.")] = Path(
        "steelyard-report"
    ),
    config: options.ConfigFile = None,
) -> None:
    gated = steelyard.ci(
        current,
        baseline=baseline,
        baselines=baselines,
        keep=keep,
        accept=accept,
        require_baseline=require_baseline,
        rule=GateRule(
            alpha=alpha, margin=margin, max_error_share=max_error_share, allow_missing=allow_missing
        ),
        inconclusive=inconclusive,
        require_integrity=require_integrity,
        comment=comment,
        folder=folder,
        config=config,
    )
    _show_verdict(gated, baseline)
    if gated.gate is not None:
        note_inconclusive(gated.gate, inconclusive)
    if gated.is_kept:
        note(f"kept as the baseline {baseline} in {baselines}")
    elif keep:
        note("the baseline stays as it is; --accept keeps the current report all the same")
    if gated.comment_problem:
        note(gated.comment_problem)
    raise typer.Exit(code=gated.exit_code)


def _show_verdict(result: "steelyard.CiResult", baseline: str) -> None:
    """Show the verdict, or say why there is none."""
    if result.baseline_problem is not None:
        note(f"the baseline {baseline} is replaced without a comparison: {result.baseline_problem}")
    elif result.gate is None:
        first = result.comment.strip().replace("`", "")
        note(f"{first} On the main branch, `steelyard ci --keep` makes one.")
    else:
        show_result(result.gate, outputs(GateReport, "text", []))
