"""`steelyard regrade`: check the stored answers of a run again; nothing is drawn."""

import shlex
from typing import Annotated

import typer

import steelyard
from steelyard.cli import options
from steelyard.cli.progress.watch import watching
from steelyard.cli.run_options import money
from steelyard.cli.screen import address_here, show, warn
from steelyard.render.regrade import regrade_summary

EvalSetPlace = Annotated[
    str | None, options.plain("Check by this set; by default the one kept with the run.", metavar="EVALSET")
]
AllowErrors = Annotated[
    bool, options.plain("Replace outcomes even where a check broke or a score is lost.", "--allow-errors")
]

MaxUsd = Annotated[
    str | None, money("The most that the run's judges may cost, in all its sessions.", metavar="USD")
]


def regrade(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A folder, or an address such as s3://….")],
    *,
    eval_set: EvalSetPlace = None,
    all: Annotated[bool, options.plain("Also what was checked in just the same way.", "--all")] = False,
    allow_errors: AllowErrors = False,
    config: options.ConfigFile = None,
    max_usd: MaxUsd = None,
    engine: options.EngineName = "local",
    threads: options.CheckThreads = None,
    sandbox: options.SandboxName = "bubblewrap",
    unsafe_no_sandbox: options.Unsafe = False,
    check_each: options.CheckEach = False,
    quiet: options.Quiet = False,
) -> None:
    """Check the answers of a run again, after a test or a checker changed; nothing is drawn."""
    with watching(quiet=quiet) as watch:
        done = steelyard.regrade(
            run,
            eval_set=eval_set,
            every=all,
            allow_errors=allow_errors,
            config=config,
            max_usd=max_usd,
            engine=engine,
            threads=threads,
            sandbox=sandbox,
            unsafe_no_sandbox=unsafe_no_sandbox,
            check_each=check_each,
            progress=watch,
            notify=warn,
        )
    set_option = "" if eval_set is None else f" --eval-set {shlex.quote(eval_set)}"
    lines = regrade_summary(done, address_here(done.address), set_option=set_option, every=all)
    show("\n".join(lines) + "\n")
    raise typer.Exit(code=done.exit_code)
