"""The command `steelyard`: its commands, and what happens when one of them fails."""

import os
import sys
import traceback
from collections.abc import Sequence

import typer

from steelyard.cli.arguments import spread_values
from steelyard.cli.baseline import app as baseline
from steelyard.cli.ci import ci
from steelyard.cli.compare import compare
from steelyard.cli.doctor import doctor
from steelyard.cli.evalset import init, validate
from steelyard.cli.gate import gate
from steelyard.cli.output import ReaderGone, note
from steelyard.cli.pass_at_k import evaluate, pass_at_k, synth
from steelyard.cli.plan import plan
from steelyard.cli.regrade import regrade
from steelyard.cli.report import report
from steelyard.cli.run import run
from steelyard.cli.score import score
from steelyard.cli.store import export, import_outcomes
from steelyard.errors import InfrastructureError, SteelyardError
from steelyard.model.version import GENERATOR
from steelyard.sources.dotenv import read_env

INTERRUPTED = 130  # what a shell expects after Ctrl-C

app = typer.Typer(
    name="steelyard",
    help="Weigh code written by language models.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"auto_envvar_prefix": "STEELYARD", "help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 good, 1 gate failed or regression found, 2 wrong input, 3 infrastructure failure, "
    "4 inconclusive.",
)
app.command()(init)
app.command()(validate)
app.command()(doctor)
app.command()(run)
app.command()(regrade)
app.command()(score)
app.command()(report)
app.command()(compare)
app.command()(gate)
app.add_typer(baseline)
app.command()(ci)
app.command()(plan)
app.command("import")(import_outcomes)
app.command()(export)
app.command("pass-at-k")(pass_at_k)
app.command()(synth)
app.command()(evaluate)


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
    words = sys.argv[1:] if argv is None else argv
    try:
        if not os.environ.get("CI"):  # a change must not set the rules by which it is judged
            os.environ.update(read_env())
        code = app(args=spread_values(words), prog_name="steelyard", standalone_mode=False)
    except SteelyardError as error:
        note(f"error: {error}")
        return error.exit_code
    except typer.TyperException as error:
        return _refused(error)
    except (ReaderGone, SystemExit):  # the latter is all that typer says when the reader of its help is gone
        # The reader, such as `head`, has seen enough; the interpreter must not try to flush again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception:  # noqa: BLE001  # an exit code of 1 would read as a failed gate
        traceback.print_exc()
        note("error: this is a bug in Steelyard; please report it with the lines above")
        return InfrastructureError.exit_code
    return code if isinstance(code, int) else 0


def _refused(error: typer.TyperException) -> int:
    """Say what was typed wrong; whoever typed nothing has been shown the help already."""
    if message := error.format_message().replace("Value error, ", ""):
        context = getattr(error, "ctx", None)
        command = "steelyard" if context is None else context.command_path
        note(f"error: {message}\nSee '{command} --help'.")
    return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
