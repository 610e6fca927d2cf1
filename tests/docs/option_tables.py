"""Draw a table of the options of each command, as the command line itself knows them.

A page asks for one with `<!-- options of score -->`; everything up to `<!-- end of options -->` is ours.
"""

import re
from collections.abc import Iterator

from typer.core import TyperOption

from scripts.command_tree import Parameter, commands, parameters

NEW_TYPER = hasattr(TyperOption, "display_type")  # which the tables show

MARKED = re.compile(
    r"(?<=<!-- options of )(?P<command>[\w-]+(?: [\w-]+)?)(?P<open> -->\n\n).*?(?=<!-- end of options -->)",
    re.DOTALL,
)
HEAD = "| option | meaning |\n|---|---|\n"


def command_names() -> list[str]:
    """Return the commands in the order of `steelyard --help`."""
    return list(commands())


def option_names(command: str) -> set[str]:
    """Return every option and argument of a command, as it is typed."""
    return {name for parameter in commands()[command].params for name in parameter.opts}


def option_variables(command: str) -> dict[str, str]:
    """Return the environment variable of each option of a command that has one."""
    spelt = command.replace(" ", "_")
    return {
        parameter.opts[0]: parameter.envvar or f"STEELYARD_{spelt}_{parameter.name}".upper()
        for parameter in commands()[command].params
        if parameter.param_type_name == "option" and parameter.allow_from_autoenv
    }


def with_option_tables(text: str) -> str:
    """Return a page with fresh tables of options."""
    return MARKED.sub(lambda found: f"{found['command']}{found['open']}{_table(found['command'])}\n", text)


def _table(name: str) -> str:
    return HEAD + "".join(f"| {' | '.join(_row(parameter))} |\n" for parameter in parameters(name))


def _row(parameter: Parameter) -> Iterator[str]:
    yield " ".join([", ".join(map(_code, parameter.names)), _escaped(parameter.value)]).strip()
    required = " Required." if parameter.is_required else ""
    default = f" Default: {_code(parameter.default)}." if parameter.default else ""
    yield f"{_escaped(parameter.help)}{required or default}"


def _code(text: str) -> str:
    return f"`{_escaped(text)}`"


def _escaped(text: str) -> str:
    return text.replace("|", r"\|")
