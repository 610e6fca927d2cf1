"""Combine arguments and configuration file; arguments take precedence."""

from typing import TypedDict, Unpack

from steelyard.app.amounts import Prices, nano_usd, price_list
from steelyard.model.config import Config
from steelyard.model.units import Number
from steelyard.runner.check.sandboxes import DEFAULT as DEFAULT_SANDBOX
from steelyard.runner.settings import RunSettings
from steelyard.sources.answers.read import Answers


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
