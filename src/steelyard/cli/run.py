"""`steelyard run`: draw answers, check them, keep everything, and report."""

import os

import typer

from steelyard.cli import arguments, output
from steelyard.cli import run_options as options
from steelyard.model.request import Parameters


def run(
    *,
    eval_set: options.EvalSetPlace = None,
    resume: options.Resume = None,
    run: options.RunAddress = None,
    config: options.ConfigFile = None,
    models: options.Models = None,
    tiers: options.Tiers = None,
    judges: options.Judges = None,
    samples: options.Samples = None,
    pass_k: options.PassK = "1",
    temperature: options.Temperature = None,
    top_p: options.TopP = None,
    max_tokens: options.MaxTokens = None,
    seed: options.Seed = None,
    replay: options.Replay = None,
    max_usd: options.MaxUsd = None,
    price: options.PriceOf,
    allow_unpriced: options.AllowUnpriced = False,
    max_concurrency: options.MaxConcurrency = None,
    retries: options.RetryCount = None,
    engine: options.EngineName = "local",
    threads: options.Threads = None,
    sandbox: options.SandboxName = "bubblewrap",
    unsafe_no_sandbox: options.Unsafe = False,
    check_each: options.CheckEach = False,
    baseline_tier: options.BaselineTier = "T0",
    expert_usd: options.ExpertUsd = None,
    out: options.Output,
    form: options.Format = "text",
    quiet: options.Quiet = False,
) -> None:
    """Draw answers to an eval set, check them in a sandbox, keep everything, and report."""
    from steelyard.cli import run_order as work  # noqa: PLC0415  # loads the engine, which help can do without

    order = work.Order(
        eval_set=eval_set,
        resume=resume,
        address=run,
        config=work.read_config(config),
        recorded=None if replay is None else work.read_answers(replay),
        judges=arguments.words(judges),
        options=arguments.run_report(pass_k, baseline_tier, expert_usd),
        places=output.report_places(form, out),
        quiet=quiet,
    )
    told = Parameters(temperature=temperature, top_p=top_p, max_tokens=max_tokens, seed=seed)
    settings = work.RunSettings(
        prices=order.prices(arguments.prices(price)),
        max_nano_usd=None if max_usd is None else arguments.nano_usd(max_usd, option="--max-usd"),
        allow_unpriced=allow_unpriced,
        retries=order.retries(retries),
        max_concurrency=max_concurrency or order.config.limits.max_concurrency or work.MOST,
        threads=threads or os.cpu_count() or 1,
        engine=engine,
        sandbox=sandbox,
        allow_unsafe=unsafe_no_sandbox,
        share=not check_each,
    )
    raise typer.Exit(work.carried_out(order, work.wishes_of(models, tiers, samples, pass_k, told), settings))
