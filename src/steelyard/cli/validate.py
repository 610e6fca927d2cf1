"""`steelyard validate`: what is in an eval set, and what is wrong with it."""

from typing import Annotated

import typer

import steelyard
from steelyard.cli import options
from steelyard.cli.screen import note, show, warn
from steelyard.render import validation

EvalSetPlace = Annotated[
    str,
    typer.Argument(metavar="EVALSET", help="A TOML file, a folder of them, or the name of a shipped set."),
]


def validate(
    eval_set: EvalSetPlace,
    *,
    references: Annotated[
        bool,
        options.plain(
            "Check that reference answers pass, and that wrong and empty ones fail.", "--references"
        ),
    ] = False,
    require_integrity: options.RequireIntegrity = None,
    sandbox: options.SandboxName = "bubblewrap",
    unsafe_no_sandbox: options.Unsafe = False,
    threads: Annotated[int, options.checking("How many answers to check at a time.", min=1)] = 2,
    json: options.AsJson = False,
) -> None:
    """Say what is in an eval set, or everything that is wrong with it."""
    read = steelyard.validate(eval_set, require_integrity=require_integrity)
    found = read.eval_set
    if not json:
        remarks = list(validation.remarks(read))
        show(validation.described(found, is_final=not references, is_remarked=bool(remarks)))
        show("".join(f"  {line}\n" for line in map(validation.environment, read.environments)))
        for text in remarks:
            warn(text)
    if references:
        read = steelyard.validate(
            found,
            references=True,
            sandbox=sandbox,
            unsafe_no_sandbox=unsafe_no_sandbox,
            threads=threads,
            notify=note,
        )
    if json:
        show(validation.as_json(read))
    elif references:
        show(validation.checked_answers(read))
