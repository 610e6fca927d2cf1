"""The options of `steelyard run`, in groups."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli import arguments, options
from steelyard.errors import UserError

RESULT = "Result"
part, asking, money, result = map(
    options.in_panel, ("Part of the set", "Models and sampling", options.MONEY, RESULT)
)

EvalSetPlace = Annotated[
    str | None,
    typer.Argument(metavar="EVALSET", help="A TOML file, a folder of them, or a shipped set."),
]
EvalSetOption = Annotated[
    str | None, options.plain("The same, as an option.", "--eval-set", metavar="EVALSET")
]
Resume = Annotated[
    str | None, options.plain("Go on with a run: a folder, or an address such as s3://….", metavar="RUN")
]
RunAddress = Annotated[
    str | None,
    options.plain("Where the run is kept; by default a new folder in runs/.", "--run", metavar="ADDRESS"),
]
OrResume = Annotated[
    bool, options.plain("Go on with --run if this command has begun it already.", "--or-resume")
]
DryRun = Annotated[bool, options.plain("Only say what would be drawn, and what it costs.", "--dry-run")]
Like = Annotated[str | None, options.plain("With --dry-run: estimate by this earlier run.", metavar="RUN")]
Cases = Annotated[str | None, part("Cases by id or pattern, such as add,sort-*.")]
Suites = Annotated[str | None, part("Suites, separated by commas.")]
Tags = Annotated[str | None, part("Cases with one of these tags.")]
Limit = Annotated[
    int | None, part("So many cases, spread over the suites; the same ones for all users.", min=1)
]
ShardOf = Annotated[
    str | None, part("One of several equal parts, for machines side by side.", "--shard", metavar="3/16")
]
DropModel = Annotated[
    list[str],
    options.repeated("With --resume: do without this model, which has no answers.", metavar="MODEL"),
]
ReplaceModel = Annotated[
    list[str],
    options.repeated("With --resume: put a misspelt model right; repeatable.", metavar="OLD=NEW"),
]
Models = Annotated[str | None, asking("Models as provider/name, separated by commas.")]
Tiers = Annotated[str | None, asking("Tiers of the set; all of them by default.")]
Judges = Annotated[
    str | None, asking("Models that judge the answers, separated by commas; as [judge] models.")
]
Samples = Annotated[int | None, asking("Answers to each case; by default the largest k.", min=1)]
PassK = Annotated[str | None, asking("The k of pass@k, such as 1,5; by default as the run began, else 1.")]
Temperature = Annotated[float | None, asking("The sampling temperature.", min=0, max=2)]
TopP = Annotated[float | None, asking("The share of tokens drawn from.", "--top-p", min=0, max=1)]
MaxTokens = Annotated[int | None, asking("The longest answer, in tokens.", min=1)]
Seed = Annotated[int | None, asking("Where randomness begins; + attempt.", min=0)]
Replay = Annotated[str | None, asking("Use recorded answers and call no model.", metavar="FILE")]
MaxUsd = Annotated[str | None, money("The most that the run may cost.", metavar="USD")]
AllowUnpriced = Annotated[bool, money("Call models of unknown price too.", "--allow-unpriced")]
MaxConcurrency = Annotated[int | None, money("Calls of one provider at a time, at most.", min=1)]
Batch = Annotated[bool, money("Draw by batches, at half the price; may take a day.", "--batch")]
RetryCount = Annotated[int | None, money("How often a failed call is repeated.", "--retries", min=0)]
SkipBroken = Annotated[
    bool, options.checking("Exclude cases whose reference fails, and report them.", "--skip-broken")
]
NoReferenceCheck = Annotated[bool, options.checking("Do not check references first.", "--no-reference-check")]
Output = Annotated[
    list[Path],
    options.output_option(RESULT, help="Also write the report to a file; type by suffix; repeatable."),
]
Sink = Annotated[list[str], options.sink_option(RESULT)]
Format = Annotated[str, result("As of `report`.")]
Verbose = Annotated[bool, options.plain("Write a line for each call.", "--verbose", "-v")]
LogFile = Annotated[
    Path | None, options.plain("Add a line of JSON for each call to this file.", "--log-file", metavar="FILE")
]


@dataclass(frozen=True, kw_only=True)
class What:
    """Which set, which part of it, or which run."""

    set: EvalSetPlace = None
    eval_set: EvalSetOption = None
    resume: Resume = None
    run: RunAddress = None
    or_resume: OrResume = False
    config: options.ConfigFile = None
    dry_run: DryRun = False
    like: Like = None
    cases: Cases = None
    suites: Suites = None
    tags: Tags = None
    limit: Limit = None
    shard: ShardOf = None
    drop_model: DropModel
    replace_model: ReplaceModel

    @property
    def source(self) -> str | None:
        """The eval set, whichever way it was named."""
        if self.set is not None and self.eval_set is not None and self.set != self.eval_set:
            raise UserError(f"two eval sets: {self.set}, and --eval-set {self.eval_set}; name one of them")
        return self.set or self.eval_set

    def arguments(self) -> "steelyard.RunArguments":
        """Return the options for `steelyard.run`."""
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
class Draw:
    """Which models draw, how often, and by which parameters."""

    models: Models = None
    tiers: Tiers = None
    judges: Judges = None
    samples: Samples = None
    pass_k: PassK = None
    temperature: Temperature = None
    top_p: TopP = None
    max_tokens: MaxTokens = None
    seed: Seed = None
    replay: Replay = None

    def arguments(self) -> "steelyard.RunArguments":
        """Return the options for `steelyard.run`."""
        return steelyard.RunArguments(
            models=arguments.words(self.models),
            tiers=arguments.words(self.tiers),
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
class Execution:
    """What it may cost, how models are called, and how answers are checked."""

    price: options.PriceOf
    max_usd: MaxUsd = None
    allow_unpriced: AllowUnpriced = False
    max_concurrency: MaxConcurrency = None
    retries: RetryCount = None
    batch: Batch = False
    engine: options.EngineName = "local"
    threads: options.CheckThreads = None
    sandbox: options.SandboxName = "bubblewrap"
    unsafe_no_sandbox: options.Unsafe = False
    check_each: options.CheckEach = False
    require_integrity: options.RequireIntegrity = None
    skip_broken: SkipBroken = False
    no_reference_check: NoReferenceCheck = False

    def arguments(self) -> "steelyard.RunArguments":
        """Return the options for `steelyard.run`."""
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
    """What is shown, and where the report goes."""

    output: Output
    sink: Sink
    baseline_tier: options.BaselineTier = "T0"
    expert_usd: options.ExpertUsd = None
    format: Format = "text"
    quiet: options.Quiet = False
    verbose: Verbose = False
    log_file: LogFile = None
    details: options.Details = False
