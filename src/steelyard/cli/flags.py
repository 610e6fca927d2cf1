"""Extend typer's commands: option names in errors, examples in help, groups of options.

Errors of the lower layers name a parameter as in Python: `max_usd` or `duplicates=first`.
"""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, fields
from inspect import Parameter, Signature
from itertools import takewhile
from typing import Any, get_type_hints

import typer
from typer.core import TyperCommand

from steelyard.errors import SteelyardError, UserError

REPORTS = ("--baseline", "--current")
METAVARS = {
    "int": "NUMBER",
    "int range": "NUMBER",
    "float": "NUMBER",
    "float range": "NUMBER",
    "str": "TEXT",
    "list[str]": "TEXT",
    "path": "PATH",
}  # by typer's name of a type
SPREAD_OPTIONS = frozenset({"--k-values"})  # options that take several values
_PARAMETER = re.compile(r"`(?P<name>[a-z][a-z0-9_]*)(?:=(?P<value>[^`]+))?`")


def with_named_reports(words: list[str]) -> list[str]:
    """Add `--baseline` and `--current` to leading report names; a single one is the current.

    >>> with_named_reports(["a", "b", "--margin", "0.1"])
    ['--baseline', 'a', '--current', 'b', '--margin', '0.1']
    >>> with_named_reports(["a", "--subjects", "T0", "T1"])
    ['--current', 'a', '--subjects', 'T0', 'T1']
    """
    names = list(takewhile(lambda word: not word.startswith("-"), words))
    if len(names) > len(REPORTS):
        raise UserError(f"expected at most two reports, baseline and current; got {', '.join(names)}")
    options = REPORTS[len(REPORTS) - len(names) :]
    named = [word for pair in zip(options, names, strict=True) for word in pair]
    return [*named, *words[len(names) :]]


class FlagCommand(TyperCommand):
    """A command with option names in errors and examples in its help."""

    def get_params(self, ctx: typer.Context) -> list[Any]:  # type: ignore[override, explicit-override]  # as typer has it
        """Return the options; name their values plainly, and hide variables, which the epilogue explains."""
        parameters: list[Any] = list(super().get_params(ctx))
        for parameter in parameters:
            parameter.show_envvar = False
            if getattr(parameter, "is_flag", False):
                parameter.metavar = ""
            elif parameter.metavar is None and hasattr(parameter, "display_type"):  # since typer 0.29
                parameter.metavar = METAVARS.get(parameter.display_type(ctx).strip("<>"))
        return parameters

    def format_epilog(self, ctx: typer.Context, formatter: Any) -> None:  # type: ignore[override, explicit-override]  # noqa: ANN401
        """Append examples and the environment variables of options."""
        from steelyard.cli.examples import examples_of  # noqa: PLC0415  # only help shows them

        formatter.write(f"\n{examples_of(ctx.command_path, self.params)}")

    def format_options(self, ctx: typer.Context, formatter: Any) -> None:  # type: ignore[override, explicit-override]  # noqa: ANN401
        """List arguments, the options without a panel, then each panel under its heading."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            is_argument = parameter.param_type_name == "argument"
            title = "Arguments" if is_argument else parameter.rich_help_panel or "Options"
            if row := parameter.get_help_record(ctx):
                sections.setdefault(title, []).append(row)
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override, explicit-override]  # as typer has it
        """Parse the arguments; accept two leading reports without their options."""
        takes_reports = {"baseline", "current"} <= {parameter.name for parameter in self.params}
        return super().parse_args(ctx, with_named_reports(args) if takes_reports else args)

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override, explicit-override]  # noqa: ANN401  # as typer has it
        """Run the command; rewrite parameters in errors to options."""
        try:
            return super().invoke(ctx)
        except SteelyardError as error:
            message = with_flags(str(error), self.params)
            hint = _hint_variables(message, ctx, self.params) if isinstance(error, UserError) else ""
            error.args = (message + hint,)
            raise


def _hint_variables(message: str, ctx: typer.Context, parameters: Iterable[Any]) -> str:
    """Name the environment variables that set the values in a message."""
    names = []
    for parameter in parameters:
        name = str(parameter.envvar or f"{ctx.auto_envvar_prefix}_{parameter.name.upper()}")
        source = ctx.get_parameter_source(parameter.name)
        is_flag = getattr(parameter, "is_flag", False)
        is_set = source is not None and source.name == "ENVIRONMENT" and not is_flag
        if is_set and any(word in message for word in os.environ.get(name, "").replace(",", " ").split()):
            names.append(name)
    verb = "is" if len(names) == 1 else "are"
    return f" ({', '.join(names)} {verb} set)" if names else ""


def with_flags(message: str, parameters: Iterable[Any]) -> str:
    """Rewrite each `name=value` in a message to `--name value`."""
    options: dict[str, Any] = {}
    for parameter in parameters:
        for spelling in (parameter.name, parameter.opts[0].removeprefix("--").replace("-", "_")):
            options[spelling] = parameter

    def rewrite(match: re.Match[str]) -> str:
        option = options.get(match["name"])
        if option is None or option.param_type_name != "option":
            return match[0]
        takes_value = match["value"] is not None and not option.is_flag
        return f"{option.opts[0]} {match['value']}" if takes_value else str(option.opts[0])

    return _PARAMETER.sub(rewrite, message)


def spread_values(argv: Sequence[str]) -> list[str]:
    """Repeat an option before each of its values, for the parser.

    >>> spread_values(["--k-values", "1", "5", "--fixes-csv", "f"])
    ['--k-values', '1', '--k-values', '5', '--fixes-csv', 'f']
    """
    spread: list[str] = []
    option: str | None = None
    for word in argv:
        if word in SPREAD_OPTIONS:
            option = word
            if spread[-1:] == [word]:
                spread.append("")
            spread.append(word)
        elif option is not None and not word.startswith("-"):
            if spread[-1] != option:
                spread.append(option)
            spread.append(word)
        else:
            option = None
            spread.append(word)
    return spread


def takes(*groups: type) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Convert a function of option groups to a command whose options are their fields."""

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        parameters = [parameter for group in groups for parameter in _parameters_of(group)]

        def command(**values: Any) -> None:  # noqa: ANN401  # parsed by typer
            function(
                *(group(**{field.name: values[field.name] for field in fields(group)}) for group in groups)
            )

        command.__name__, command.__doc__ = function.__name__, function.__doc__
        command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # typer reads it
        command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return command

    return decorate


def _parameters_of(group: type) -> list[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(group)
    ]
