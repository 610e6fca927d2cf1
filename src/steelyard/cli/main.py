"""The command `steelyard`: loads commands on demand and maps errors to exit codes."""

import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command as command_of

from steelyard.app.environment import load_env
from steelyard.cli.flags import FlagCommand, spread_values
from steelyard.cli.screen import close_quietly, note
from steelyard.errors import INTERRUPTED, InfrastructureError, SteelyardError, UserError
from steelyard.model.version import GENERATOR

# Section of the help → name → location and help. A command's module is imported when the command runs.
GROUPS = {
    "Evaluate": {
        "init": (
            "steelyard.cli.init:init",
            "Create a small working eval set and config, or an eval set of own tests. Overwrites nothing.",
        ),
        "validate": ("steelyard.cli.validate:validate", "Validate an eval set and list all errors."),
        "audit": (
            "steelyard.cli.audit:audit",
            "Test the tests of an eval set: references, answers that solve nothing, mutants. 1 for errors.",
        ),
        "run": (
            "steelyard.cli.run:run",
            "Generate answers to an eval set, check them in a sandbox, store everything and report.",
        ),
        "serve": (
            "steelyard.cli.serve:serve",
            "Check answers over HTTP, for trainers: verdicts as in `run`, null for infrastructure errors.",
        ),
        "regrade": (
            "steelyard.cli.regrade:regrade",
            "Check a run's stored answers again after a test or checker changed. Generates nothing.",
        ),
        "merge": ("steelyard.cli.runs:merge", "Merge the runs made by `run --shard` into one."),
    },
    "Inspect results": {
        "report": ("steelyard.cli.report:report", "Make the report of a stored run."),
        "view": (
            "steelyard.cli.view:view",
            "Browse runs in the browser: every case and answer, live or finished.",
        ),
        "runs": (
            "steelyard.cli.runs:runs",
            "List runs: time, eval set, subjects, progress, pass rate and cost.",
        ),
        "show": (
            "steelyard.cli.show:show",
            "Show a run's answers to a case: prompt, text and check; or beside those of another run.",
        ),
    },
    "Compare and gate": {
        "compare": (
            "steelyard.cli.compare:compare",
            "Compare two reports case by case, or the subjects of one report with each other.",
        ),
        "gate": (
            "steelyard.cli.gate:gate",
            "Decide whether a report is worse than its baseline: pass (0), fail (1) or inconclusive (4).",
        ),
        "ci": (
            "steelyard.cli.ci:ci",
            "Gate a pull request: compare with the baseline, write reports, comment, set the exit code.",
        ),
        "plan": (
            "steelyard.cli.plan:plan",
            "Compute the samples needed to detect a drop, or allocate a sample budget to cases.",
        ),
        "baseline": (
            "steelyard.cli.baseline:app",
            "Keep reports as named baselines; show them over time.",
        ),
    },
    "Data": {
        "score": ("steelyard.cli.score:score", "Make a report from outcome files."),
        "pass-at-k": (
            "steelyard.cli.pass_at_k:pass_at_k",
            "Print the pass@k table of outcome files, or of a folder of fixes.",
        ),
        "import": (
            "steelyard.cli.import_:import_",
            "Import outcome files or another tool's logs as a run.",
        ),
        "export": (
            "steelyard.cli.export:export",
            "Export a run's rows to Parquet, CSV or JSONL, or as another tool's log.",
        ),
        "benchmarks": (
            "steelyard.cli.benchmarks:app",
            "List public benchmarks, fetch their data and verify their references.",
        ),
    },
    "Set-up": {
        "doctor": (
            "steelyard.cli.doctor:doctor",
            "Check this machine's sandboxes, toolchains and keys, and print fixes; 3 without a sandbox.",
        ),
    },
}
COMMANDS = {name: entry for group in GROUPS.values() for name, entry in group.items()}


class LazyGroup(TyperGroup):
    """A group that loads only the requested command.

    The signatures are typer's, which does not export its types.
    """

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401
        super().__init__(**{**settings, "commands": dict.fromkeys(COMMANDS)})

    def get_params(self, ctx: Any) -> Any:  # type: ignore[explicit-override]  # noqa: ANN401
        """Return the options; hide their variables from the help."""
        parameters: list[Any] = list(super().get_params(ctx))
        for parameter in parameters:
            parameter.show_envvar = False
        return parameters

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # type: ignore[explicit-override]  # noqa: ANN401, ARG002
        """Load a command; return None for unknown names."""
        if cmd_name not in COMMANDS:
            return None
        location, help_text = COMMANDS[cmd_name]
        module, _, attribute = location.partition(":")
        try:
            target = getattr(import_module(module), attribute)
        except KeyboardInterrupt as stop:
            stop.add_note("nothing was started")
            raise
        if not isinstance(target, typer.Typer):
            function, target = target, typer.Typer(add_completion=False, rich_markup_mode=None)
            target.command(cmd_name, cls=FlagCommand)(function)
        command = command_of(target)
        command.help = help_text
        return command

    def invoke(self, ctx: Any) -> Any:  # type: ignore[explicit-override]  # noqa: ANN401
        """Run a command and report Ctrl-C, which typer handles silently."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            note("; ".join(["interrupted", *getattr(stop, "__notes__", ())]))
            raise

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # type: ignore[explicit-override]  # noqa: ANN401, ARG002
        """List the commands without importing them."""
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<10}", help_text) for name, (_, help_text) in group.items()])


app = typer.Typer(
    cls=LazyGroup,
    name="steelyard",
    help="Evaluate code written by language models.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # importing rich takes longer than the rest of this command
    context_settings={"auto_envvar_prefix": "STEELYARD", "help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 success, 1 gate failed or regression found, 2 invalid input, "
    "3 infrastructure failure, 4 inconclusive, 130 interrupted.",
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
            note(f"note: .env may contain keys only; ignored: {', '.join(ignored)}")
        result = app(args=words or ["--help"], prog_name="steelyard", standalone_mode=False)
        code = result if words else UserError.exit_code
    except SteelyardError as error:
        note(f"error: {error}")
        return error.exit_code
    except typer.TyperException as error:
        return _usage_error(error)
    except SystemExit:  # typer's reaction to a closed pipe
        close_quietly(sys.stdout)
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception:  # noqa: BLE001  # exit code 1 would mean a failed gate
        note(traceback.format_exc())
        note("error: this is a bug in Steelyard; please report it with the lines above")
        return InfrastructureError.exit_code
    return code if isinstance(code, int) else 0


def _usage_error(error: typer.TyperException) -> int:
    """Report a usage error. A group without a command has printed its help already."""
    if message := error.format_message().replace("Value error, ", ""):
        context = getattr(error, "ctx", None)
        command = "steelyard" if context is None else context.command_path
        note(f"error: {message}\nSee '{command} --help'.")
    return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
