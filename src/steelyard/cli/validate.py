"""`steelyard validate`: check an eval set."""

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
            "Also check that references pass and that wrong and empty answers fail.", "--references"
        ),
    ] = False,
    require_integrity: options.RequireIntegrity = None,
    sandbox: options.SandboxName = "bubblewrap",
    unsafe_no_sandbox: options.Unsafe = False,
    threads: Annotated[int, options.checking("Concurrent checks.", min=1)] = 2,
    json: options.AsJson = False,
) -> None:
    validated = steelyard.validate(eval_set, require_integrity=require_integrity)
    if not json:
        remarks = list(validation.remarks(validated))
        show(validation.described(validated.eval_set, is_final=not references, is_remarked=bool(remarks)))
        show("".join(f"  {line}\n" for line in map(validation.environment, validated.environments)))
        for text in remarks:
            warn(text)
    if references:
        validated = steelyard.validate(
            validated.eval_set,
            references=True,
            sandbox=sandbox,
            unsafe_no_sandbox=unsafe_no_sandbox,
            threads=threads,
            notify=note,
        )
    if json:
        show(validation.as_json(validated))
    elif references:
        show(validation.checked_answers(validated))
