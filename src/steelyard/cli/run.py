"""`steelyard run`: draw answers, check them, keep everything, and report."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli import arguments, options
from steelyard.cli import benchmark_options as tasks
from steelyard.cli.output import Outputs, outputs, show_result
from steelyard.cli.progress.watch import watching
from steelyard.cli.run_summary import run_summary
from steelyard.cli.screen import note
from steelyard.errors import UserError
from steelyard.model.benchmark import ProtocolKind
from steelyard.model.options import ReportOptions
from steelyard.model.report import Report

RESULT = "Result"
asking, money, result = map(options.in_panel, ("Models and sampling", options.MONEY, RESULT))

EvalSetPlace = Annotated[
    str | None,
    options.plain("A TOML file, a folder of them, or a shipped set.", "--eval-set", metavar="EVALSET"),
]
Resume = Annotated[
    str | None, options.plain("Go on with a run: a folder, or an address such as s3://….", metavar="RUN")
]
RunAddress = Annotated[
    str | None,
    options.plain("Where the run is kept; by default a new folder in runs/.", "--run", metavar="ADDRESS"),
]
Models = Annotated[str | None, asking("Models as provider/name, separated by commas.")]
Tiers = Annotated[str | None, asking("Tiers of the set; all of them by default.")]
Judges = Annotated[
    str | None, asking("Models that judge the answers, separated by commas; as [judge] models.")
]
Samples = Annotated[int | None, asking("Answers to each case; by default the largest k.", min=1)]
PassK = Annotated[str, asking("The k of pass@k, such as 1,5.")]
Temperature = Annotated[float | None, asking("The sampling temperature.", min=0, max=2)]
TopP = Annotated[float | None, asking("The share of tokens drawn from.", "--top-p", min=0, max=1)]
MaxTokens = Annotated[int | None, asking("The longest answer, in tokens.", min=1)]
Seed = Annotated[int | None, asking("Where randomness begins; + attempt.", min=0)]
Replay = Annotated[str | None, asking("Use recorded answers and call no model.", metavar="FILE")]
MaxUsd = Annotated[str | None, money("The most that the run may cost.", metavar="USD")]
AllowUnpriced = Annotated[bool, money("Call models of unknown price too.", "--allow-unpriced")]
MaxConcurrency = Annotated[int | None, money("Calls of one provider at a time, at most.", min=1)]
RetryCount = Annotated[int | None, money("How often a failed call is repeated.", "--retries", min=0)]
Output = Annotated[
    list[Path],
    options.output_option(RESULT, help="Also write the report to a file; type by suffix; repeatable."),
]
Format = Annotated[str, result("As of `report`.")]


def run(
    *,
    eval_set: EvalSetPlace = None,
    benchmark: tasks.BenchmarkName = None,
    benchmark_data: tasks.Data = None,
    protocol: tasks.Protocol = ProtocolKind.OFFICIAL,
    since: tasks.Since = None,
    until: tasks.Until = None,
    canary: tasks.Canary = 0,
    benchmark_packages: tasks.Packages = None,
    benchmark_tasks: tasks.Tasks = None,
    resume: Resume = None,
    run: RunAddress = None,
    config: options.ConfigFile = None,
    models: Models = None,
    tiers: Tiers = None,
    judges: Judges = None,
    samples: Samples = None,
    pass_k: PassK = "1",
    temperature: Temperature = None,
    top_p: TopP = None,
    max_tokens: MaxTokens = None,
    seed: Seed = None,
    replay: Replay = None,
    max_usd: MaxUsd = None,
    price: options.PriceOf,
    allow_unpriced: AllowUnpriced = False,
    max_concurrency: MaxConcurrency = None,
    retries: RetryCount = None,
    engine: options.EngineName = "local",
    threads: options.CheckThreads = None,
    sandbox: options.SandboxName = "bubblewrap",
    unsafe_no_sandbox: options.Unsafe = False,
    check_each: options.CheckEach = False,
    require_isolation: options.RequireIsolation = None,
    baseline_tier: options.BaselineTier = "T0",
    expert_usd: options.ExpertUsd = None,
    output: Output,
    format: Format = "text",
    quiet: options.Quiet = False,
) -> None:
    """Draw answers to an eval set, check them in a sandbox, keep everything, and report."""
    wanted = arguments.run_report(pass_k, baseline_tier, expert_usd)
    places = outputs(Report, format, output)
    given, draws = steelyard.ExecutionOptions, steelyard.SamplingOptions
    cost = given(max_usd=max_usd, prices=arguments.prices(price), allow_unpriced=allow_unpriced)
    calls = given(max_concurrency=max_concurrency, retries=retries, unsafe_no_sandbox=unsafe_no_sandbox)
    checks = given(engine=engine, threads=threads, sandbox=sandbox, check_each=check_each)
    chosen = steelyard.BenchmarkOptions(data=benchmark_data, protocol=protocol, since=since, until=until)
    chosen = replace(chosen, canaries=canary, packages=benchmark_packages, tasks=benchmark_tasks)
    known = _known_set(
        eval_set, benchmark, replace(chosen, sandbox=sandbox, unsafe_no_sandbox=unsafe_no_sandbox)
    )
    asked = partial(steelyard.run, known, resume=resume, address=run, config=config, samples=samples)
    of = partial(asked, models=arguments.words(models), tiers=arguments.words(tiers), replay=replay)
    judged = partial(of, judges=arguments.words(judges), require_isolation=require_isolation)
    drawn = draws(temperature=temperature, top_p=top_p, max_tokens=max_tokens, seed=seed)
    with watching(quiet=quiet) as watch:
        ended = judged(pass_k=wanted.pass_k, progress=watch, notify=warn, **drawn, **(cost | calls | checks))
    raise typer.Exit(_show_end(ended, wanted, places))


def _known_set(
    eval_set: str | None, benchmark: str | None, chosen: "steelyard.BenchmarkOptions"
) -> "steelyard.EvalSet | str | None":
    """Return the set to run: the tasks of a benchmark, or where the user's own set lies."""
    if benchmark and eval_set:
        raise UserError("--benchmark and --eval-set name two sets; leave one of them out")
    return steelyard.load_benchmark(benchmark, chosen, notify=note) if benchmark else eval_set


def warn(text: str) -> None:
    """Show a warning."""
    note(f"warning: {text}")


def _show_end(ended: "steelyard.EndedRun", wanted: ReportOptions, places: Outputs) -> int:
    if ended.result.is_complete:
        show_result(ended.report(options=wanted), places, ended.samples)
    note(run_summary(ended.result))
    return ended.exit_code
