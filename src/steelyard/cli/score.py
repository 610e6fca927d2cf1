"""`steelyard score`: report on outcome files."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli import arguments, options
from steelyard.cli.output import outputs, show_result
from steelyard.model.options import ColumnMapping, Duplicates, Errors, Missing, ReportOptions, StatisticsLimit
from steelyard.model.report import Report

Problems = Annotated[Path | None, typer.Option(help="A file of all expected cases.")]
Output = Annotated[list[Path], options.output_option(options.FILES)]
Format = Annotated[str, typer.Option(rich_help_panel=options.FILES, help=options.REPORT_FORMATS)]


def score(
    outcomes: options.Outcomes,
    *,
    map: options.Map,
    weight: options.Weight,
    penalty: options.Penalty,
    suite_weight: options.SuiteWeight,
    output: Output,
    price: options.PriceOf,
    model: options.ModelNames,
    problems: Problems = None,
    pass_k: options.PassK = "1",
    also_at_k: options.AlsoAtK = None,
    format: Format = "text",
    details: options.Details = False,
    tier: options.Tier = "T0",
    suite: options.Suite = "default",
    delimiter: options.Delimiter = None,
    wide: options.Wide = None,
    ignore: options.Ignore = None,
    scoring: options.Scoring = None,
    pass_score: options.PassScore = None,
    grade_scale: options.GradeScale = "letters-95",
    latency_good: options.LatencyGood = None,
    latency_bad: options.LatencyBad = None,
    baseline_tier: options.BaselineTier = "T0",
    level: options.Level = 0.95,
    stop_rule: options.StopRule = None,
    expert_usd: options.ExpertUsd = None,
    missing: options.OnMissing = Missing.FAIL,
    errors: options.OnErrors = Errors.EXCLUDE,
    duplicates: options.OnDuplicates = Duplicates.ERROR,
    statistics: options.Statistics = StatisticsLimit.AUTO,
    require_integrity: options.RequireIntegrity = None,
    threads: options.Threads = None,
) -> None:
    chosen = ReportOptions(
        pass_k=arguments.ks([pass_k], option="--pass-k"),
        also_at_k=arguments.words(also_at_k),
        missing=missing,
        errors=errors,
        duplicates=duplicates,
        spread=statistics,
        baseline_tier=baseline_tier,
        suite_weights=arguments.numbers(suite_weight, option="--suite-weight"),
        grade_scale=grade_scale,
        latency=arguments.latency_bounds(latency_good, latency_bad),
        level=level,
        stop_rule=stop_rule,
        expert_usd=arguments.expert_usd(expert_usd),
    )
    rule = arguments.rule_choice(scoring, weight, penalty, pass_score)
    name, names = arguments.model_names(model)
    make_mapping = partial(
        ColumnMapping, delimiter=delimiter, model=name, models=names, tier=tier, suite=suite
    )
    columns = arguments.pairs(map, option="--map")
    naming = make_mapping(columns=columns, wide=arguments.words(wide), ignore=arguments.words(ignore))
    destinations = outputs(Report, format, output, details=details)
    make_report = partial(steelyard.score_files, outcomes, problems=problems, rule=rule, naming=naming)
    make_report = partial(make_report, prices=arguments.prices(price), threads=threads)
    show_result(make_report(options=chosen, require_integrity=require_integrity), destinations)
