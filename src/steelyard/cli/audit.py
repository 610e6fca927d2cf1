"""`steelyard audit`: test the tests of an eval set."""

from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli import options
from steelyard.cli.progress import EveryFewSeconds
from steelyard.cli.screen import note, show
from steelyard.errors import InfrastructureError, SteelyardError
from steelyard.render.audit import audit_json, audit_text

EvalSetPlace = Annotated[
    str,
    typer.Argument(metavar="EVALSET", help="A TOML file, a folder of them, or the name of a shipped set."),
]


def audit(
    eval_set: EvalSetPlace,
    *,
    runs: Annotated[int, options.plain("Runs of each reference under equal conditions.", min=1)] = 2,
    mutants: Annotated[
        int, options.plain("At most N mutants of each Python reference; 0 skips them.", metavar="N", min=0)
    ] = 20,
    waivers: Annotated[
        Path | None,
        options.plain("Accepted findings. Default: SET.waivers.toml, if it exists.", metavar="FILE"),
    ] = None,
    json: options.AsJson = False,
    sandbox: options.SandboxName = "bubblewrap",
    threads: Annotated[int, options.checking("Concurrent checks.", min=1)] = 2,
    quiet: options.Quiet = False,
) -> None:
    write_line = EveryFewSeconds()
    result = steelyard.audit(
        eval_set,
        runs=runs,
        mutants=mutants,
        waivers=waivers,
        sandbox=sandbox,
        threads=threads,
        progress=None if quiet else lambda done, total: write_line(f"audited {done} of {total} cases"),
        notify=note,
    )
    show(audit_json(result) if json else audit_text(result))
    if result.unchecked:
        raise typer.Exit(InfrastructureError.exit_code)
    raise typer.Exit(SteelyardError.exit_code if result.has_errors else 0)
