"""The options of `steelyard run` in groups, and the decorator that accepts them."""

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any, get_type_hints

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
    str | None, options.plain("The eval set, as an option.", "--eval-set", metavar="EVALSET")
]
Resume = Annotated[
    str | None, options.plain("Resume a run: a folder, or an address such as s3://….", metavar="RUN")
]
RunAddress = Annotated[
    str | None,
    options.plain("Where to store the run. Default: a new folder in runs/.", "--run", metavar="ADDRESS"),
]
OrResume = Annotated[
    bool, options.plain("Resume --run if it exists and this command started it.", "--or-resume")
]
DryRun = Annotated[
    bool, options.plain("Show the planned samples and their cost; generate nothing.", "--dry-run")
]
Like = Annotated[str | None, options.plain("With --dry-run: base the estimate on this run.", metavar="RUN")]
Cases = Annotated[str | None, part("Case ids or patterns, such as add,sort-*.")]
Suites = Annotated[str | None, part("Suites, comma-separated.")]
Tags = Annotated[str | None, part("Cases with any of these tags.")]
Limit = Annotated[int | None, part("Run at most N cases, spread evenly over suites (deterministic).", min=1)]
ShardOf = Annotated[
    str | None, part("Run one of several equal parts, for several machines.", "--shard", metavar="3/16")
]
DropModel = Annotated[
    list[str],
    options.repeated("With --resume: drop a model that has no answers.", metavar="MODEL"),
]
ReplaceModel = Annotated[
    list[str],
    options.repeated("With --resume: correct a model's name; repeatable.", metavar="OLD=NEW"),
]
Models = Annotated[str | None, asking("Models as provider/name, comma-separated.")]
Tiers = Annotated[str | None, asking("Tiers of the set. Default: all.")]
Judges = Annotated[str | None, asking("Judge models, comma-separated; overrides [judge] models.")]
Samples = Annotated[int | None, asking("Answers per case. Default: the largest k.", min=1)]
PassK = Annotated[str | None, asking("The k of pass@k, such as 1,5. Default: the resumed run's, else 1.")]
Temperature = Annotated[float | None, asking("The sampling temperature.", min=0, max=2)]
TopP = Annotated[
    float | None, asking("Nucleus sampling: share of probability to sample from.", "--top-p", min=0, max=1)
]
MaxTokens = Annotated[int | None, asking("Maximum answer length in tokens.", min=1)]
Seed = Annotated[int | None, asking("Sampling seed; the attempt number is added.", min=0)]
Replay = Annotated[str | None, asking("Use recorded answers instead of model calls.", metavar="FILE")]
MaxUsd = Annotated[str | None, money("Budget of the run.", metavar="USD")]
AllowUnpriced = Annotated[bool, money("Also call models without a known price.", "--allow-unpriced")]
MaxConcurrency = Annotated[int | None, money("Maximum concurrent calls per provider.", min=1)]
Batch = Annotated[bool, money("Use the batch APIs: half the price, up to a day.", "--batch")]
RetryCount = Annotated[int | None, money("Retries of a failed call.", "--retries", min=0)]
SkipBroken = Annotated[
    bool, options.checking("Exclude and report cases with a failing reference.", "--skip-broken")
]
NoReferenceCheck = Annotated[
    bool, options.checking("Skip the check of references before generation.", "--no-reference-check")
]
Output = Annotated[
    list[Path],
    options.output_option(RESULT, help="Also write the report to a file; type by suffix; repeatable."),
]
Sink = Annotated[list[str], options.sink_option(RESULT)]
Format = Annotated[str, result(f"Report format: {options.REPORT_FORMATS}")]
Verbose = Annotated[bool, options.plain("Print a line per call.", "--verbose", "-v")]
LogFile = Annotated[
    Path | None, options.plain("Append a JSON line per call to this file.", "--log-file", metavar="FILE")
]


@dataclass(frozen=True, kw_only=True)
class What:
    """Options that select an eval set, a part of it, or a run."""

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
class Generation:
    """Options of models and sampling."""

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
        """Make the arguments of `steelyard.run`."""
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
    """Options of cost, model calls and checks."""

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

    output: Output
    sink: Sink
    baseline_tier: options.BaselineTier = "T0"
    expert_usd: options.ExpertUsd = None
    format: Format = "text"
    quiet: options.Quiet = False
    verbose: Verbose = False
    log_file: LogFile = None
    details: options.Details = False


def takes(*groups: type) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Convert a function of option groups to a command with all their fields as options."""

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        parameters = [parameter for group in groups for parameter in _parameters_of(group)]

        def command(**values: Any) -> None:  # noqa: ANN401  # parsed by typer
            function(
                *(group(**{field.name: values[field.name] for field in fields(group)}) for group in groups)
            )

        command.__name__, command.__doc__ = function.__name__, function.__doc__
        command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # typer reads it
        command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return command

    return decorate


def _parameters_of(group: type) -> list[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(group)
    ]
