"""The arguments of runs and their configuration file; arguments take precedence."""

from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from pathlib import Path
from typing import TypedDict, Unpack, cast

from steelyard.app.amounts import Prices, nano_usd, price_list
from steelyard.errors import UserError
from steelyard.model.config import Config
from steelyard.model.nearest_name import did_you_mean
from steelyard.model.units import Number
from steelyard.runner.check.sandboxes import DEFAULT as DEFAULT_SANDBOX
from steelyard.runner.settings import RunSettings
from steelyard.sources.answers.read import Answers
from steelyard.sources.config.read import read_config

Names = str | Iterable[str]  # one name or several


class ExecutionOptions(TypedDict, total=False):
    """Options of execution, without effect on prompts and scoring."""

    max_usd: Number | None  # budget; None: the configuration's limit only
    prices: Prices  # for models with a missing or wrong list price
    allow_unpriced: bool  # call models of unknown price although `max_usd` is set
    max_concurrency: int | None  # calls of one provider at a time
    retries: int | None  # of one call
    engine: str  # "local", or "ray" for a cluster
    threads: int | None  # checks at a time; None: one for each core
    sandbox: str  # "bubblewrap", "oci" or "gvisor"
    unsafe_no_sandbox: bool  # run answers without any sandbox
    check_each: bool  # check equal answers each time anew
    no_reference_check: bool  # generate answers without checking the references of cases first
    skip_broken: bool  # exclude cases with a failing reference


class SamplingOptions(TypedDict, total=False):
    """The parameters of sampling among the arguments of `run`."""

    temperature: float | None
    top_p: float | None
    max_tokens: int | None
    seed: int | None


class SelectionOptions(TypedDict, total=False):
    """The part of the eval set to run."""

    cases: Names  # ids, or patterns such as sort-*
    suites: Names
    tags: Names
    limit: int | None  # maximum number of cases, spread over the suites
    shard: str | None  # one of several parts of the selection, such as 3/16


class GenerateOptions(SamplingOptions, SelectionOptions, total=False):
    """Options of the planned samples."""

    models: Names  # as provider/name
    tiers: Names
    judges: Names
    agents: Names  # each a tier of its own: the models are called through it
    samples: int | None  # answers to each case
    pass_k: int | Iterable[int] | None  # None: that of the resumed run, else 1
    drop_models: Names  # when resuming: models without answers, to be dropped
    replace_models: Mapping[str, str]  # when resuming: misspelt model → correct name
    replay: str | Path | None  # a file of recorded answers instead of model calls


class RunArguments(GenerateOptions, ExecutionOptions, total=False):
    """The keywords that `run` and `forecast_run` share."""

    batch: bool  # use the batch APIs of OpenAI, Anthropic and Google, at half the price


def run_settings(
    config: Config, *, recorded: Answers | None = None, **options: Unpack[ExecutionOptions]
) -> RunSettings:
    """Combine options and configuration to the settings of a run."""
    max_usd = options.get("max_usd")
    return RunSettings.of(
        config,
        recorded=recorded,
        prices=price_list(options.get("prices", ())),
        max_nano_usd=None if max_usd is None else nano_usd(max_usd, name="max_usd"),
        allow_unpriced=options.get("allow_unpriced", False),
        retries=options.get("retries"),
        max_concurrency=options.get("max_concurrency"),
        threads=options.get("threads"),
        engine=options.get("engine", "local"),
        sandbox=options.get("sandbox", DEFAULT_SANDBOX),
        allow_unsafe=options.get("unsafe_no_sandbox", False),
        share=not options.get("check_each", False),
        check_references=not options.get("no_reference_check", False),
        skip_broken=options.get("skip_broken", False),
    )


ConfigSource = Config | str | Path | None  # None: `steelyard.toml` of this folder, if it exists


def load_config(source: ConfigSource) -> Config:
    """Return a given configuration, or read it from a file; default: `steelyard.toml`."""
    if isinstance(source, Config):
        return source
    return read_config(None if source is None else Path(source))


LEAST = {
    **dict.fromkeys(("samples", "limit", "max_tokens", "max_concurrency", "threads"), 1),
    **dict.fromkeys(("retries", "seed"), 0),
}
RANGES = {"temperature": (0, 2), "top_p": (0, 1)}


def require_keywords(given: Mapping[str, object], known: Iterable[str], *, of: str) -> None:
    """Raise TypeError for unknown keywords, UserError for numbers out of range."""
    names = sorted(known)
    for name in given:
        if name not in names:
            hint = did_you_mean(name, names)
            raise TypeError(f"{of}() got an unexpected keyword argument {name!r}; {hint}")
    for name, value in given.items():
        if value is not None:
            _require_number(name, value)


def _require_number(name: str, value: object) -> None:
    if name in LEAST and not (_is(value, Integral) and value >= LEAST[name]):  # type: ignore[operator]
        raise UserError(f"`{name}` must be a whole number from {LEAST[name]} on, got {value!r}")
    if name in RANGES:
        low, high = RANGES[name]
        if not (_is(value, Real) and low <= value <= high):  # type: ignore[operator]
            raise UserError(f"`{name}` must be a number from {low} to {high}, got {value!r}")


def _is(value: object, kind: type) -> bool:
    """Whether a value is a number of a type, including numpy's; booleans are not."""
    return isinstance(value, kind) and not isinstance(value, bool)


def execution_options(arguments: RunArguments) -> ExecutionOptions:
    """Select the arguments of execution."""
    annotations = ExecutionOptions.__annotations__
    return cast("ExecutionOptions", {name: value for name, value in arguments.items() if name in annotations})
