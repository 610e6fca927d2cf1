"""`steelyard report`: the report of a run."""

from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli import arguments, output
from steelyard.cli import score_options as options
from steelyard.cli.score import latency_bounds
from steelyard.errors import UserError
from steelyard.model.options import ReportOptions
from steelyard.model.policy import Errors, Missing, SpreadLimit

Run = Annotated[str, typer.Argument(help="A run: a folder, or an address such as s3://bucket/runs/1.")]
Output = Annotated[
    list[Path],
    typer.Option(
        "--output",
        "-o",
        envvar="STEELYARD_REPORT_OUTPUT",
        metavar="FILE",
        rich_help_panel=options.FILES,
        help="Also write a file; type by suffix; repeatable.",
        default_factory=list,
        show_default=False,
    ),
]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        envvar="STEELYARD_REPORT_FORMAT",
        rich_help_panel=options.FILES,
        help="text, json, markdown, csv, html, junit or sarif.",
    ),
]
Scoring = Annotated[
    str | None, typer.Option(rich_help_panel=options.RULE, help="Another rule than the run was scored by.")
]
EngineName = Annotated[str, typer.Option("--engine", help="Who counts: local, or ray for a cluster.")]


def report(
    run: Run,
    *,
    weight: options.Weight,
    penalty: options.Penalty,
    suite_weight: options.SuiteWeight,
    out: Output,
    pass_k: options.PassK = "1",
    form: Format = "text",
    scoring: Scoring = None,
    grade_scale: options.GradeScale = "seed",
    latency_good: options.LatencyGood = None,
    latency_bad: options.LatencyBad = None,
    baseline_tier: options.BaselineTier = "T0",
    level: options.Level = 0.95,
    stop_rule: options.StopRule = None,
    expert_usd: options.ExpertUsd = None,
    missing: options.OnMissing = Missing.FAIL,
    errors: options.OnErrors = Errors.EXCLUDE,
    statistics: options.Statistics = SpreadLimit.AUTO,
    engine: EngineName = "local",
    threads: options.Threads = None,
) -> None:
    """Make the report of a run from its tables."""
    chosen = ReportOptions(
        pass_k=arguments.ks([pass_k], option="--pass-k"),
        missing=missing,
        errors=errors,
        spread=statistics,
        baseline_tier=baseline_tier,
        suite_weights=arguments.numbers(suite_weight, option="--suite-weight"),
        grade_scale=grade_scale,
        latency=latency_bounds(latency_good, latency_bad),
        level=level,
        stop_rule=stop_rule,
        expert_usd=arguments.expert_usd(expert_usd),
    )
    rule = arguments.rule_choice(scoring, weight, penalty)
    if scoring is None and (weight or penalty):
        raise UserError("--weight and --penalty change a rule: say which with --scoring")
    places = output.report_places(form, out)
    found = steelyard.report_run(
        run, rule=rule if scoring else None, options=chosen, engine=engine, threads=threads
    )
    output.show_report(found, places, lambda: steelyard.sample_excerpts(run, threads=threads))
