"""`steelyard score`: a report from outcome files."""

import steelyard
from steelyard.cli import arguments, output
from steelyard.cli import score_options as options
from steelyard.errors import UserError
from steelyard.model.naming import Naming
from steelyard.model.options import LatencyBounds, ReportOptions
from steelyard.model.policy import Duplicates, Errors, Missing, SpreadLimit


def score(
    outcomes: options.Outcomes,
    *,
    column: options.Map,
    weight: options.Weight,
    penalty: options.Penalty,
    suite_weight: options.SuiteWeight,
    out: options.Output,
    problems: options.Problems = None,
    pass_k: options.PassK = "1",
    form: options.Format = "text",
    model: options.Model = None,
    tier: options.Tier = "T0",
    suite: options.Suite = "default",
    scoring: options.Scoring = None,
    pass_score: options.PassScore = None,
    grade_scale: options.GradeScale = "seed",
    latency_good: options.LatencyGood = None,
    latency_bad: options.LatencyBad = None,
    baseline_tier: options.BaselineTier = "T0",
    level: options.Level = 0.95,
    stop_rule: options.StopRule = None,
    expert_usd: options.ExpertUsd = None,
    missing: options.OnMissing = Missing.FAIL,
    errors: options.OnErrors = Errors.EXCLUDE,
    duplicates: options.OnDuplicates = Duplicates.ERROR,
    statistics: options.Statistics = SpreadLimit.AUTO,
    threads: options.Threads = None,
) -> None:
    """Make a report from outcomes that are already in files."""
    rule = arguments.rule_choice(scoring, weight, penalty, pass_score)
    naming = Naming(columns=arguments.pairs(column, option="--map"), model=model, tier=tier, suite=suite)
    chosen = ReportOptions(
        pass_k=arguments.ks([pass_k], option="--pass-k"),
        missing=missing,
        errors=errors,
        duplicates=duplicates,
        spread=statistics,
        baseline_tier=baseline_tier,
        suite_weights=arguments.numbers(suite_weight, option="--suite-weight"),
        grade_scale=grade_scale,
        latency=latency_bounds(latency_good, latency_bad),
        level=level,
        stop_rule=stop_rule,
        expert_usd=arguments.expert_usd(expert_usd),
    )
    places = output.report_places(form, out)
    report = steelyard.score_files(
        outcomes, problems=problems, rule=rule, naming=naming, options=chosen, threads=threads
    )
    output.show_report(report, places)


def latency_bounds(good: str | None, bad: str | None) -> LatencyBounds | None:
    """Return the latencies that score 1 and 0, or None when no latency score is wanted."""
    if good is None and bad is None:
        return None
    if good is None or bad is None:
        raise UserError("a latency score needs both --latency-good and --latency-bad")
    return LatencyBounds(
        good_s=arguments.number(good, option="--latency-good"),
        bad_s=arguments.number(bad, option="--latency-bad"),
    )
