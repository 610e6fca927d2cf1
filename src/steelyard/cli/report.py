"""`steelyard report`: report on a stored run."""

from typing import Annotated

import typer

import steelyard
from steelyard.cli import arguments, options
from steelyard.cli.output import outputs, show_result
from steelyard.cli.score import Format, Output
from steelyard.cli.screen import note_sent, results_only
from steelyard.errors import UserError
from steelyard.model.options import Errors, Missing, ReportOptions, StatisticsLimit
from steelyard.model.report import Report

Scoring = Annotated[str | None, typer.Option(rich_help_panel=options.RULE, help="Rescore by this rule.")]
EngineName = Annotated[
    str, typer.Option("--engine", help="Where outcomes are counted: local, or ray for a cluster.")
]


def report(
    run: options.RunArgument,
    *,
    weight: options.Weight,
    penalty: options.Penalty,
    suite_weight: options.SuiteWeight,
    output: Output,
    sink: options.Sink,
    pass_k: options.RunPassK = None,
    also_at_k: options.AlsoAtK = None,
    format: Format = "text",
    details: options.Details = False,
    scoring: Scoring = None,
    grade_scale: options.GradeScale = "letters-95",
    latency_good: options.LatencyGood = None,
    latency_bad: options.LatencyBad = None,
    baseline_tier: options.BaselineTier = "T0",
    level: options.Level = 0.95,
    stop_rule: options.StopRule = None,
    expert_usd: options.ExpertUsd = None,
    missing: options.OnMissing = Missing.FAIL,
    errors: options.OnErrors = Errors.EXCLUDE,
    statistics: options.Statistics = StatisticsLimit.AUTO,
    require_integrity: options.RequireIntegrity = None,
    engine: EngineName = "local",
    threads: options.Threads = None,
) -> None:
    chosen = ReportOptions(
        pass_k=arguments.optional_ks(pass_k),
        also_at_k=arguments.words(also_at_k),
        missing=missing,
        errors=errors,
        spread=statistics,
        baseline_tier=baseline_tier,
        suite_weights=arguments.numbers(suite_weight, option="--suite-weight"),
        grade_scale=grade_scale,
        latency=arguments.latency_bounds(latency_good, latency_bad),
        level=level,
        stop_rule=stop_rule,
        expert_usd=arguments.expert_usd(expert_usd),
    )
    rule = arguments.rule_choice(scoring, weight, penalty)
    if scoring is None and (weight or penalty):
        raise UserError("--weight and --penalty require --scoring: add the rule to change")
    destinations = outputs(Report, format, output, details=details)
    sinks = steelyard.find_sinks(sink)
    shown_report = steelyard.report_run(
        run,
        rule=rule if scoring else None,
        options=chosen,
        require_integrity=require_integrity,
        engine=engine,
        threads=threads,
    )
    show_result(shown_report, destinations, lambda: steelyard.sample_excerpts(run, threads=threads))
    with results_only():
        note_sent(steelyard.send_report(shown_report, run, sinks=sinks))
