"""The command `steelyard`: the table of its commands, and what happens when one of them fails."""

import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command as command_of

from steelyard.app.environment import load_env
from steelyard.cli.flags import FlagCommand
from steelyard.cli.screen import close_quietly, note
from steelyard.cli.spread import spread_values
from steelyard.errors import INTERRUPTED, InfrastructureError, SteelyardError, UserError
from steelyard.model.version import GENERATOR

# Name → where the command is, and its line in `steelyard --help`: a command is loaded when it is used.
COMMANDS = {
    "init": (
        "steelyard.cli.init:init",
        "Create a small working eval set and config, or an eval set of own tests. Never overwrites files.",
    ),
    "validate": (
        "steelyard.cli.validate:validate",
        "Say what is in an eval set, or everything that is wrong with it.",
    ),
    "doctor": (
        "steelyard.cli.doctor:doctor",
        "Say what is installed and works, and how to fix what does not; 3 when no sandbox works.",
    ),
    "benchmarks": (
        "steelyard.cli.benchmarks:app",
        "List public benchmarks, get their data, and verify that their references pass.",
    ),
    "run": (
        "steelyard.cli.run:run",
        "Draw answers to an eval set, check them in a sandbox, keep everything, and report.",
    ),
    "regrade": (
        "steelyard.cli.regrade:regrade",
        "Check the answers of a run again, after a test or a checker changed; nothing is drawn.",
    ),
    "score": (
        "steelyard.cli.score:score",
        "Make a report from outcomes that are already in files.",
    ),
    "report": ("steelyard.cli.report:report", "Make the report of a run from its tables."),
    "view": (
        "steelyard.cli.view:view",
        "Look at runs in the browser: every case, every answer, while the run goes on or later.",
    ),
    "runs": (
        "steelyard.cli.runs:runs",
        "List runs: when, which set and subjects, how far, pass rate and cost.",
    ),
    "show": (
        "steelyard.cli.show:show",
        "Show the answers of a run to a case, or one of them with prompt, text and check.",
    ),
    "diff": ("steelyard.cli.diff:diff", "Show the answers of two runs to one case side by side."),
    "compare": ("steelyard.cli.compare:compare", "Compare two reports case by case, or two subjects of one."),
    "matrix": (
        "steelyard.cli.matrix:matrix",
        "Compare all subjects of one report with each other, and say which are too close to call.",
    ),
    "gate": (
        "steelyard.cli.gate:gate",
        "Judge whether a report has become worse than its baseline: pass (0), fail (1) or inconclusive (4).",
    ),
    "ci": (
        "steelyard.cli.ci:ci",
        "Do what a CI job does about a change: compare with a baseline, write the files, comment, exit.",
    ),
    "plan": (
        "steelyard.cli.plan:plan",
        "Say how many samples of each case show a drop, or share a budget of samples among the cases.",
    ),
    "import": (
        "steelyard.cli.import_:import_",
        "Keep outcomes that are already in files, or a log of another tool, as a run.",
    ),
    "merge": (
        "steelyard.cli.merge:merge",
        "Make one run of the shards that `run --shard` made.",
    ),
    "export": (
        "steelyard.cli.export:export",
        "Write a run's rows to one file (Parquet, CSV or JSONL), or a log for another tool.",
    ),
    "pass-at-k": (
        "steelyard.cli.pass_at_k:pass_at_k",
        "Print the table of pass@k for one or more models.",
    ),
    "synth": (
        "steelyard.cli.synth:synth",
        "Make synthetic problems and outcomes of models with stated success rates.",
    ),
    "evaluate": (
        "steelyard.cli.evaluate:evaluate",
        "Evaluate a whole folder of fixes and write a summary.",
    ),
    "history": (
        "steelyard.cli.history:history",
        "Follow the kept baselines through time, and say where the pass rate changed.",
    ),
    "baseline": ("steelyard.cli.baseline:app", "Keep reports under names, to compare with."),
}


class LazyGroup(TyperGroup):
    """A group that knows its commands by the table and loads the one that is used.

    Its methods have the signatures of typer, whose own types are not public.
    """

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401
        super().__init__(**{**settings, "commands": dict.fromkeys(COMMANDS)})

    def get_params(self, ctx: Any) -> Any:  # type: ignore[explicit-override]  # noqa: ANN401
        """Return the options, whose help names no variables."""
        found: list[Any] = list(super().get_params(ctx))
        for one in found:
            one.show_envvar = False
        return found

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # type: ignore[explicit-override]  # noqa: ANN401, ARG002
        """Load a command; None if there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        try:
            found = getattr(import_module(module), attribute)
        except KeyboardInterrupt as stop:
            stop.add_note("nothing was begun")
            raise
        if isinstance(found, typer.Typer):
            return command_of(found)
        single = typer.Typer(add_completion=False)
        single.command(cmd_name, cls=FlagCommand)(found)
        return command_of(single)

    def invoke(self, ctx: Any) -> Any:  # type: ignore[explicit-override]  # noqa: ANN401
        """Run a command; typer turns Ctrl-C into an exit code and says nothing."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            note("; ".join(["interrupted", *getattr(stop, "__notes__", ())]))
            raise

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # type: ignore[explicit-override]  # noqa: ANN401, ARG002
        """List the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


app = typer.Typer(
    cls=LazyGroup,
    name="steelyard",
    help="Weigh code written by language models.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # loading what draws the boxes takes longer than all the rest of this page
    context_settings={"auto_envvar_prefix": "STEELYARD", "help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 good, 1 gate failed or regression found, 2 wrong input, 3 infrastructure failure, "
    "4 inconclusive.",
)


def _show_version(value: bool) -> None:
    if value:
        sys.stdout.write(f"{GENERATOR}\n")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False,
        "--version",
        callback=_show_version,
        is_eager=True,
        allow_from_autoenv=False,
        help="Show the version.",
    ),
) -> None:
    pass


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    words = spread_values(sys.argv[1:] if argv is None else argv)
    try:
        if ignored := load_env():
            note(f"note: only keys are taken from .env; ignored: {', '.join(ignored)}")
        shown = app(args=words or ["--help"], prog_name="steelyard", standalone_mode=False)
        code = shown if words else UserError.exit_code
    except SteelyardError as error:
        note(f"error: {error}")
        return error.exit_code
    except typer.TyperException as error:
        return _usage_error(error)
    except SystemExit:  # all that typer says when the reader of its help is gone
        close_quietly(sys.stdout)
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception:  # noqa: BLE001  # an exit code of 1 would read as a failed gate
        traceback.print_exc()
        note("error: this is a bug in Steelyard; please report it with the lines above")
        return InfrastructureError.exit_code
    return code if isinstance(code, int) else 0


def _usage_error(error: typer.TyperException) -> int:
    """Report a usage error; a group without a command has shown its help already."""
    if message := error.format_message().replace("Value error, ", ""):
        context = getattr(error, "ctx", None)
        command = "steelyard" if context is None else context.command_path
        note(f"error: {message}\nSee '{command} --help'.")
    return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
