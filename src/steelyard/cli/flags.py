"""A command whose errors name its options, and whose help ends with examples.

Below the command line an error names a parameter as Python spells it: `max_usd`, or `duplicates=first`.
"""

import os
import re
from collections.abc import Iterable
from itertools import takewhile
from typing import Any

import typer
from typer.core import TyperCommand

from steelyard.errors import SteelyardError, UserError

REPORTS = ("--baseline", "--current")
_PARAMETER = re.compile(r"`(?P<name>[a-z][a-z0-9_]*)(?:=(?P<value>[^`]+))?`")


def with_named_reports(words: list[str]) -> list[str]:
    """Return words with `--baseline` and `--current` before the names they begin with; one is the current.

    >>> with_named_reports(["a", "b", "--margin", "0.1"])
    ['--baseline', 'a', '--current', 'b', '--margin', '0.1']
    >>> with_named_reports(["a", "--subjects", "T0", "T1"])
    ['--current', 'a', '--subjects', 'T0', 'T1']
    """
    names = list(takewhile(lambda word: not word.startswith("-"), words))
    if len(names) > len(REPORTS):
        raise UserError(f"name two reports, the baseline and the current one; got {', '.join(names)}")
    options = REPORTS[len(REPORTS) - len(names) :]
    named = [word for pair in zip(options, names, strict=True) for word in pair]
    return [*named, *words[len(names) :]]


class FlagCommand(TyperCommand):
    """A command whose errors name its options, and whose help ends with examples."""

    def get_params(self, ctx: typer.Context) -> list[Any]:  # type: ignore[override, explicit-override]  # as typer has it
        """Return the options; help shows no type for a flag, and variables in one place for all of them."""
        found: list[Any] = list(super().get_params(ctx))
        for one in found:
            one.show_envvar = False
            if getattr(one, "is_flag", False):
                one.metavar = ""
        return found

    def format_help(self, ctx: typer.Context, formatter: Any) -> None:  # type: ignore[override, explicit-override]  # noqa: ANN401
        """Show the help, then examples, and by which variables options can be set."""
        from steelyard.cli.examples import examples_of  # noqa: PLC0415  # only help shows them

        super().format_help(ctx, formatter)
        typer.echo(examples_of(ctx.command_path, self.params))

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override, explicit-override]  # as typer has it
        """Read the words; two reports may be named first, without their options."""
        takes_reports = {"baseline", "current"} <= {one.name for one in self.params}
        return super().parse_args(ctx, with_named_reports(args) if takes_reports else args)

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override, explicit-override]  # noqa: ANN401  # as typer has it
        """Run the command; an error gets the command's own words."""
        try:
            return super().invoke(ctx)
        except SteelyardError as error:
            said = with_flags(str(error), self.params)
            variables = _variables_in(said, ctx, self.params) if isinstance(error, UserError) else ""
            error.args = (said + variables,)
            raise


def _variables_in(message: str, ctx: typer.Context, parameters: Iterable[Any]) -> str:
    """Return which variables gave the values that a message speaks of: the user has typed none of them."""
    names = []
    for one in parameters:
        name = str(one.envvar or f"{ctx.auto_envvar_prefix}_{one.name.upper()}")
        source = ctx.get_parameter_source(one.name)
        is_set = source is not None and source.name == "ENVIRONMENT" and not getattr(one, "is_flag", False)
        if is_set and any(word in message for word in os.environ.get(name, "").replace(",", " ").split()):
            names.append(name)
    verb = "is" if len(names) == 1 else "are"
    return f" ({', '.join(names)} {verb} set)" if names else ""


def with_flags(message: str, parameters: Iterable[Any]) -> str:
    """Return a message in which each `name=value` of the command's options reads `--name value`."""
    flags: dict[str, Any] = {}
    for one in parameters:
        for spelling in (one.name, one.opts[0].removeprefix("--").replace("-", "_")):
            flags[spelling] = one

    def flag(found: re.Match[str]) -> str:
        option = flags.get(found["name"])
        if option is None or option.param_type_name != "option":
            return found[0]
        takes_value = found["value"] is not None and not option.is_flag
        return f"{option.opts[0]} {found['value']}" if takes_value else str(option.opts[0])

    return _PARAMETER.sub(flag, message)
