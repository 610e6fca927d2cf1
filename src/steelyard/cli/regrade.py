"""`steelyard regrade`: check the stored answers of a run again; nothing is drawn."""

import os
from typing import Annotated

import typer

from steelyard.cli import output
from steelyard.cli import run_options as options
from steelyard.cli.arguments import nano_usd


def regrade(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A folder, or an address such as s3://….")],
    *,
    eval_set: Annotated[
        str | None,
        typer.Option(
            "--eval-set", metavar="EVALSET", help="Check by this set; by default the one kept with the run."
        ),
    ] = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all", envvar="STEELYARD_REGRADE_ALL", help="Also what was checked in just the same way."
        ),
    ] = False,
    allow_errors: Annotated[
        bool, typer.Option("--allow-errors", help="Replace outcomes even where a check broke.")
    ] = False,
    config: options.ConfigFile = None,
    max_usd: options.MaxUsd = None,
    engine: options.EngineName = "local",
    threads: options.Threads = None,
    sandbox: options.SandboxName = "bubblewrap",
    unsafe_no_sandbox: options.Unsafe = False,
    check_each: options.CheckEach = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Check the answers of a run again, after a test or a checker changed; nothing is drawn."""
    # The engine takes a while to load, and asking for help does not need it.
    from steelyard.cli import regrade_work as work  # noqa: PLC0415

    settings = work.settings_of(
        config,
        max_nano_usd=None if max_usd is None else nano_usd(max_usd, option="--max-usd"),
        threads=threads or os.cpu_count() or 1,
        engine=engine,
        sandbox=sandbox,
        allow_unsafe=unsafe_no_sandbox,
        share=not check_each,
    )
    order = work.Order(
        address=run, eval_set=eval_set, every=every, allow_errors=allow_errors, quiet=quiet, settings=settings
    )
    code, words = work.carried_out(order)
    output.show(words)
    raise typer.Exit(code=code)
