"""`steelyard run`: generate answers, check them, store everything and report."""

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli import arguments, options
from steelyard.cli.benchmark_options import PublicTasks
from steelyard.cli.flags import takes
from steelyard.cli.output import Outputs, outputs, show_result
from steelyard.cli.progress import watching, watching_calls
from steelyard.cli.screen import address_here, note, note_sent, results_only, show, warn
from steelyard.errors import UserError
from steelyard.model.options import ReportOptions
from steelyard.model.report import Report
from steelyard.render.forecast import forecast_as_json, forecast_as_text
from steelyard.render.run_end import run_summary

RESULT = "Result"
plain = options.plain
location, part, sampling, money, result = map(
    options.in_panel,
    ("Location of the run", "Part of the set", "Models and sampling", options.MONEY, RESULT),
)


# Options without a panel come first in the help, in the order of these groups: the most common ones.


@dataclass(frozen=True, kw_only=True)
class Generation:
    """Options of models and sampling."""

    models: Annotated[str | None, plain("Models as provider/name, comma-separated.")] = None
    samples: Annotated[int | None, plain("Answers per case. Default: the largest k.", min=1)] = None
    pass_k: Annotated[
        str | None, plain("The k of pass@k, such as 1,5. Default: the resumed run's, else 1.")
    ] = None
    tiers: Annotated[str | None, sampling("Tiers of the set. Default: all.")] = None
    agent: Annotated[
        str | None, sampling("Agents that call the models, comma-separated.", "--agent", metavar="AGENT")
    ] = None
    judges: Annotated[str | None, sampling("Judge models, comma-separated; overrides [judge] models.")] = None
    temperature: Annotated[float | None, sampling("The sampling temperature.", min=0, max=2)] = None
    top_p: Annotated[
        float | None,
        sampling("Nucleus sampling: share of probability to sample from.", "--top-p", min=0, max=1),
    ] = None
    max_tokens: Annotated[int | None, sampling("Maximum answer length in tokens.", min=1)] = None
    seed: Annotated[int | None, sampling("Sampling seed; the attempt number is added.", min=0)] = None
    replay: Annotated[
        str | None, sampling("Use recorded answers instead of model calls.", metavar="FILE")
    ] = None

    def arguments(self) -> "steelyard.RunArguments":
        """Make the arguments of `steelyard.run`."""
        return steelyard.RunArguments(
            models=arguments.words(self.models),
            tiers=arguments.words(self.tiers),
            agents=arguments.words(self.agent),
            judges=arguments.words(self.judges),
            samples=self.samples,
            pass_k=arguments.optional_ks(self.pass_k),
            temperature=self.temperature,
            top_p=self.top_p,
            max_tokens=self.max_tokens,
            seed=self.seed,
            replay=self.replay,
        )


@dataclass(frozen=True, kw_only=True)
class What:
    """Options that select an eval set, a part of it, or a run."""

    set: Annotated[
        str | None,
        typer.Argument(metavar="EVALSET", help="A TOML file, a folder of them, or a shipped set."),
    ] = None
    limit: Annotated[
        int | None, plain("Run at most N cases, spread evenly over suites (deterministic).", min=1)
    ] = None
    dry_run: Annotated[
        bool, plain("Show the planned samples and their cost; generate nothing.", "--dry-run")
    ] = False
    resume: Annotated[
        str | None, plain("Resume a run: a folder, or an address such as s3://….", metavar="RUN")
    ] = None
    config: options.ConfigFile = None
    eval_set: Annotated[str | None, location("The eval set, as option.", "--eval-set", metavar="EVALSET")] = (
        None
    )
    run: Annotated[
        str | None,
        location("Where to store the run. Default: a new folder in runs/.", "--run", metavar="ADDRESS"),
    ] = None
    or_resume: Annotated[
        bool, location("Resume --run if it exists and this command started it.", "--or-resume")
    ] = False
    like: Annotated[str | None, location("With --dry-run: estimate by this run.", metavar="RUN")] = None
    cases: Annotated[str | None, part("Case ids or patterns, such as add,sort-*.")] = None
    suites: Annotated[str | None, part("Suites, comma-separated.")] = None
    tags: Annotated[str | None, part("Cases with any of these tags.")] = None
    shard: Annotated[
        str | None, part("Run one of several equal parts, for several machines.", "--shard", metavar="3/16")
    ] = None
    drop_model: Annotated[
        list[str],
        options.repeated(
            "With --resume: drop a model that has no answers.", metavar="MODEL", panel="Models and sampling"
        ),
    ]
    replace_model: Annotated[
        list[str],
        options.repeated(
            "With --resume: correct a model's name; repeatable.",
            metavar="OLD=NEW",
            panel="Models and sampling",
        ),
    ]

    @property
    def source(self) -> str | None:
        """The eval set of the argument or of --eval-set."""
        if self.set is not None and self.eval_set is not None and self.set != self.eval_set:
            raise UserError(f"two eval sets: {self.set} and --eval-set {self.eval_set}; remove one of them")
        return self.set or self.eval_set

    def arguments(self) -> "steelyard.RunArguments":
        """Make the arguments of `steelyard.run`."""
        return steelyard.RunArguments(
            cases=arguments.case_names(self.cases),
            suites=arguments.words(self.suites),
            tags=arguments.words(self.tags),
            limit=self.limit,
            shard=self.shard,
            drop_models=self.drop_model,
            replace_models=arguments.pairs(self.replace_model, option="--replace-model"),
        )


@dataclass(frozen=True, kw_only=True)
class Execution:
    """Options of cost, model calls and checks."""

    max_usd: Annotated[str | None, plain("Budget of the run.", metavar="USD")] = None
    price: options.PriceOf
    allow_unpriced: Annotated[bool, money("Also call models without a known price.", "--allow-unpriced")] = (
        False
    )
    max_concurrency: Annotated[int | None, money("Maximum concurrent calls per provider.", min=1)] = None
    retries: Annotated[int | None, money("Retries of a failed call.", "--retries", min=0)] = None
    batch: Annotated[bool, money("Use the batch APIs: half the price, up to a day.", "--batch")] = False
    engine: options.EngineName = "local"
    threads: options.CheckThreads = None
    sandbox: options.SandboxName = "bubblewrap"
    unsafe_no_sandbox: options.Unsafe = False
    check_each: options.CheckEach = False
    require_integrity: options.RequireIntegrityOfChecks = None
    skip_broken: Annotated[
        bool, options.checking("Exclude and report cases with a failing reference.", "--skip-broken")
    ] = False
    no_reference_check: Annotated[
        bool, options.checking("Skip the check of references before generation.", "--no-reference-check")
    ] = False

    def arguments(self) -> "steelyard.RunArguments":
        """Make the arguments of `steelyard.run`."""
        return steelyard.RunArguments(
            max_usd=self.max_usd,
            prices=arguments.prices(self.price),
            allow_unpriced=self.allow_unpriced,
            max_concurrency=self.max_concurrency,
            retries=self.retries,
            batch=self.batch,
            engine=self.engine,
            threads=self.threads,
            sandbox=self.sandbox,
            unsafe_no_sandbox=self.unsafe_no_sandbox,
            check_each=self.check_each,
            skip_broken=self.skip_broken,
            no_reference_check=self.no_reference_check,
        )


@dataclass(frozen=True, kw_only=True)
class RunOutput:
    """Options of screen output and report files."""

    output: Annotated[
        list[Path],
        options.output_option(help="Also write the report to a file; type by suffix; repeatable."),
    ]
    quiet: options.Quiet = False
    format: Annotated[str, result(f"Report format: {options.REPORT_FORMATS}")] = "text"
    details: Annotated[bool, result("Show every number, not only a screenful.", "--details")] = False
    sink: Annotated[list[str], options.sink_option(RESULT)]
    verbose: Annotated[bool, result("Print a line per call.", "--verbose", "-v")] = False
    log_file: Annotated[
        Path | None, result("Append a JSON line per call to this file.", "--log-file", metavar="FILE")
    ] = None
    baseline_tier: Annotated[str, result("Reference tier of uplifts.")] = "T0"
    expert_usd: Annotated[
        str | None,
        result("Price of an expert's solution; caps the frontier cost of pass.", metavar="USD"),
    ] = None


@takes(Generation, What, Execution, RunOutput, PublicTasks)
def run(
    generation: Generation, what: What, execution: Execution, output: RunOutput, tasks: PublicTasks
) -> None:
    run_arguments = what.arguments() | generation.arguments() | execution.arguments()
    source = _find_eval_set(what, tasks, execution)
    if what.dry_run:
        forecast = steelyard.forecast_run(
            source,
            resume=what.resume,
            address=what.run,
            or_resume=what.or_resume,
            config=what.config,
            like=what.like,
            **run_arguments,
        )
        show(forecast_as_json(forecast) if output.format == "json" else forecast_as_text(forecast))
        return
    if what.like is not None:
        raise UserError("--like requires --dry-run: add that, or remove --like")
    report_options = arguments.run_report(generation.pass_k, output.baseline_tier, output.expert_usd)
    destinations = outputs(Report, output.format, output.output, details=output.details)
    sinks = steelyard.find_sinks(output.sink)
    observing = watching_calls(output.log_file, verbose=output.verbose)
    try:
        with watching(quiet=output.quiet or output.verbose) as watch, observing as observe_call:
            finished = steelyard.run(
                source,
                resume=what.resume,
                address=what.run,
                or_resume=what.or_resume,
                config=what.config,
                require_integrity=execution.require_integrity,
                progress=watch,
                notify=warn,
                announce=note,
                observe_call=observe_call,
                **run_arguments,
            )
    except KeyboardInterrupt as stop:  # a started run returns a result instead
        stop.add_note("nothing was generated")
        raise
    resume_options = _format_resume_options(what, generation, execution)
    report = _show_end(finished, report_options, destinations, resume_options=resume_options)
    if report is not None:
        with results_only():
            note_sent(steelyard.send_report(report, finished.address, sinks=sinks))
    elif sinks:
        note(f"not sent to {', '.join(sinks)}: the run is not complete")
    raise typer.Exit(finished.exit_code)


def _find_eval_set(what: What, tasks: PublicTasks, execution: Execution) -> "steelyard.EvalSet | str | None":
    """Load the benchmark, or return the eval set's address."""
    if tasks.benchmark is None:
        tasks.require_unused()
        return what.source
    if what.source is not None:
        raise UserError(f"two eval sets: --benchmark {tasks.benchmark} and {what.source}; remove one of them")
    chosen = tasks.options(sandbox=execution.sandbox, unsafe_no_sandbox=execution.unsafe_no_sandbox)
    return steelyard.load_benchmark(tasks.benchmark, chosen, notify=note)


def _format_resume_options(what: What, generation: Generation, execution: Execution) -> str:
    """Format the options that a resumed run needs again, except its budget."""
    sandbox = None if execution.sandbox == Execution.sandbox else execution.sandbox
    values = {"--config": what.config, "--replay": generation.replay, "--sandbox": sandbox}
    words = [word for name, value in values.items() if value is not None for word in (name, str(value))]
    words += [word for price in execution.price for word in ("--price", price)]
    words += ["--no-reference-check"] * execution.no_reference_check
    words += ["--allow-unpriced"] * execution.allow_unpriced + ["--batch"] * execution.batch
    return "".join(f" {shlex.quote(word)}" for word in words)


def _show_end(
    finished: "steelyard.EndedRun", options: ReportOptions, destinations: Outputs, *, resume_options: str
) -> Report | None:
    """Summarize a run; show its report if it is complete."""
    report = finished.report(options=options) if finished.result.is_complete else None
    if report is not None:
        show_result(report, destinations, finished.samples)
    note(run_summary(finished.result, address_here(finished.result.address), again=resume_options))
    return report
