"""`steelyard regrade`: check a run's stored answers again."""

import shlex
from typing import Annotated

import typer

import steelyard
from steelyard.cli import options
from steelyard.cli.progress import watching
from steelyard.cli.screen import address_here, show, warn
from steelyard.render.regrade import regrade_summary

EvalSetPlace = Annotated[
    str | None,
    options.plain("Use this set's tests. Default: the set stored with the run.", metavar="EVALSET"),
]
AllowErrors = Annotated[
    bool,
    options.plain(
        "Replace outcomes even if a check fails for infrastructure reasons or a score is lost.",
        "--allow-errors",
    ),
]
MaxUsd = Annotated[
    str | None, options.plain("Budget for the run's judges, over all sessions.", metavar="USD")
]


def regrade(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run: a folder, or an address such as s3://….")],
    *,
    eval_set: EvalSetPlace = None,
    all: Annotated[bool, options.plain("Also answers with an up-to-date check.", "--all")] = False,
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
    with watching(quiet=quiet) as watch:
        regraded = steelyard.regrade(
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
    lines = regrade_summary(regraded, address_here(regraded.address), set_option=set_option, every=all)
    show("\n".join(lines) + "\n")
    raise typer.Exit(code=regraded.exit_code)
