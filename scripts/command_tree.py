"""List the commands of the command line, and what is known about each of their options.

For pages that are made of it: typer's own classes say little about their types.
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache
from typing import Any, NamedTuple

from typer import Context
from typer.main import get_command

from steelyard.cli.flags import METAVARS
from steelyard.cli.main import app


class Parameter(NamedTuple):
    """An option or an argument of a command, as a page shows it."""

    names: Sequence[str]
    value: str  # what it takes; nothing for a flag
    default: str
    is_required: bool
    help: str


@cache
def commands() -> dict[str, Any]:
    """Return every command by its name, in the order of `steelyard --help`."""
    group: Any = get_command(app)
    return dict(_within(group))


def parameters(name: str) -> list[Parameter]:
    """Return the options and arguments of a command, those of one panel of its help together."""
    command = commands()[name]
    context = Context(command, info_name=name)
    panels = list(dict.fromkeys(map(_panel, command.params)))
    ordered = sorted(command.params, key=lambda parameter: panels.index(_panel(parameter)))
    return [_parameter(context, parameter) for parameter in ordered]


def _within(group: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401  # see above
    """Yield the commands by name; those of a group under both names."""
    context = Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if hasattr(command, "commands"):
            yield from ((f"{name} {inner}", nested) for inner, nested in _within(command))
        else:
            yield name, command


def _panel(parameter: Any) -> str | None:  # noqa: ANN401  # see above
    panel: str | None = getattr(parameter, "rich_help_panel", None)
    return panel


def _parameter(context: Context, parameter: Any) -> Parameter:  # noqa: ANN401  # see above
    is_option = parameter.param_type_name == "option"
    is_flag = is_option and parameter.is_flag
    value = "" if is_flag else parameter.metavar or parameter.display_type(context).strip("<>")
    return Parameter(
        names=parameter.opts if is_option else [f"{parameter.name.upper()}…"],
        value=METAVARS.get(value, value),
        default=_default(parameter),
        is_required=parameter.required,
        help=parameter.help,
    )


def _default(parameter: Any) -> str:  # noqa: ANN401  # see above
    value = parameter.default() if callable(parameter.default) else parameter.default
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(map(str, value))
    return "" if value is None or value is False else str(value)
