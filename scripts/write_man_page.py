"""Write the manual page docs/man/steelyard.1 from the command line itself; a test sees that it is fresh."""

from collections.abc import Iterator
from pathlib import Path

from scripts.command_tree import Parameter, commands, parameters
from steelyard.cli.examples import EXAMPLES
from steelyard.model.version import VERSION

PAGE = Path(__file__).parents[1] / "docs" / "man" / "steelyard.1"
HEAD = """.TH STEELYARD 1 "" "Steelyard {version}" "User Commands"
.SH NAME
steelyard \\- evaluate code written by language models
.SH SYNOPSIS
.B steelyard
.I command
[\\fIoption\\fR ...]
.SH DESCRIPTION
Generates answers of models and agents, checks them in a sandbox, scores them by stated rules, and reports
pass rates and costs with confidence intervals.
Compares two runs, tests whether a difference is noise, and gives a CI job an exit code.
.SH COMMANDS
"""
END = """.SH EXIT STATUS
.TP
.B 0
Success; a gate passed.
.TP
.B 1
A gate failed, or a regression was found.
.TP
.B 2
Invalid input or option.
.TP
.B 3
Infrastructure failure; no evidence about a model.
.TP
.B 4
Not finished or not decided: over the budget, or inconclusive.
.TP
.B 130
Interrupted by Ctrl-C; a run keeps its results and can be resumed.
.SH ENVIRONMENT
STEELYARD_COMMAND_OPTION sets an option of a command, as STEELYARD_RUN_SAMPLES sets
.B run --samples\\fR.
"""


def man_page() -> str:
    """Return the page."""
    lines = [line for name in commands() for line in _command(name)]
    return HEAD.format(version=VERSION) + "\n".join(lines) + "\n" + END


def _command(name: str) -> Iterator[str]:
    yield f".SS steelyard {_escaped(name)}"
    yield _escaped(" ".join((commands()[name].help or "").split()))
    for parameter in parameters(name):
        yield from _option(parameter)
    if name in EXAMPLES:
        yield ".PP"
        yield "Examples:"
        yield ".nf"
        yield from (f".RS\nsteelyard {_escaped(example)}\n.RE" for example in EXAMPLES[name])
        yield ".fi"


def _option(parameter: Parameter) -> Iterator[str]:
    names = ", ".join(f"\\fB{_escaped(name)}\\fR" for name in _spelt(parameter))
    yield ".TP"
    yield f"{names} \\fI{_escaped(parameter.value)}\\fR" if parameter.value else names
    default = f" [default: {parameter.default}]" if parameter.default else ""
    yield _escaped(f"{parameter.help}{' [required]' if parameter.is_required else default}")


def _spelt(parameter: Parameter) -> list[str]:
    return [name.removesuffix("…") for name in parameter.names]


def _escaped(text: str) -> str:
    r"""Return a text that troff shows as it is.

    >>> _escaped("a-b\\c")
    'a\\-b\\\\c'
    """
    plain = text.replace("\\", "\\\\").replace("-", "\\-")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(man_page(), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(PAGE.parents[2])}")
