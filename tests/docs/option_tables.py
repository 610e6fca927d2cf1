"""Draw a table of the options of each command, as the command line itself knows them.

A page asks for one with `<!-- options of score -->`; everything up to `<!-- end of options -->` is ours.
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

from typer import Context
from typer.main import get_command

from steelyard.cli.main import app

MARKED = re.compile(
    r"(?<=<!-- options of )(?P<command>[\w-]+(?: [\w-]+)?)(?P<open> -->\n\n).*?(?=<!-- end of options -->)",
    re.DOTALL,
)
HEAD = "| option | value | default | meaning |\n|---|---|---|---|\n"
PLAIN_WORDS = {"int": "NUMBER", "int range": "NUMBER", "list[str]": "TEXT", "path": "PATH", "str": "TEXT"}


def command_names() -> list[str]:
    """Return the commands in the order of `steelyard --help`."""
    return list(_commands())


def option_names(command: str) -> set[str]:
    """Return every option and argument of a command, as it is typed."""
    return {name for parameter in _commands()[command].params for name in parameter.opts}


def option_variables(command: str) -> dict[str, str]:
    """Return the environment variable of each option of a command that has one."""
    spelt = command.replace(" ", "_")
    return {
        parameter.opts[0]: parameter.envvar or f"STEELYARD_{spelt}_{parameter.name}".upper()
        for parameter in _commands()[command].params
        if parameter.param_type_name == "option" and parameter.allow_from_autoenv
    }


def with_option_tables(text: str) -> str:
    """Return a page with fresh tables of options."""
    return MARKED.sub(lambda found: f"{found['command']}{found['open']}{_table(found['command'])}\n", text)


def _commands() -> dict[str, Any]:
    group: Any = get_command(app)  # typer's own classes say little about their types
    return dict(_within(group))


def _within(group: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401  # see `_commands`
    """Give each command with its name; one that is a group gives those in it, under both names."""
    context = Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if hasattr(command, "commands"):
            yield from ((f"{name} {inner}", found) for inner, found in _within(command))
        else:
            yield name, command


def _table(name: str) -> str:
    command = _commands()[name]
    context = Context(command, info_name=name)
    panels = list(dict.fromkeys(map(_panel, command.params)))
    ordered = sorted(command.params, key=lambda parameter: panels.index(_panel(parameter)))
    return HEAD + "".join(f"| {' | '.join(_row(context, parameter))} |\n" for parameter in ordered)


def _panel(parameter: Any) -> str | None:  # noqa: ANN401  # see `_commands`
    panel: str | None = getattr(parameter, "rich_help_panel", None)
    return panel


def _row(context: Context, parameter: Any) -> Iterator[str]:  # noqa: ANN401  # see `_commands`
    is_option = parameter.param_type_name == "option"
    is_flag = is_option and parameter.is_flag
    names = parameter.opts if is_option else [f"{parameter.name.upper()}…"]
    value = "" if is_flag else parameter.metavar or parameter.display_type(context).strip("<>")
    yield ", ".join(map(_code, names))
    yield _code(PLAIN_WORDS.get(value, value))
    yield "required" if parameter.required else _code(_default(parameter))
    yield parameter.help.replace("|", r"\|")


def _code(text: str) -> str:
    escaped = text.replace("|", r"\|")
    return f"`{escaped}`" if text else ""


def _default(parameter: Any) -> str:  # noqa: ANN401  # see `_commands`
    value = parameter.default() if callable(parameter.default) else parameter.default
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(map(str, value))
    return "" if value is None or value is False else str(value)
