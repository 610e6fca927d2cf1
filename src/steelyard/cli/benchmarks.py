"""`steelyard benchmarks`: public benchmarks by name, their data, and whether their references pass."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli import benchmark_options as choice
from steelyard.cli import options
from steelyard.cli.flags import FlagCommand
from steelyard.cli.progress.counting import counting, fetching
from steelyard.cli.screen import note as remark
from steelyard.cli.screen import show
from steelyard.errors import SteelyardError
from steelyard.model.benchmark import ProtocolKind
from steelyard.render.benchmarks import benchmark_page, benchmark_table, verification_text

Name = Annotated[str, typer.Argument(help="Such as humaneval+; NAME/PART for a part of it.")]
app = typer.Typer(
    name="benchmarks",
    help="List public benchmarks, get their data, and verify that their references pass.",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _list(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        list_()


@app.command("list", cls=FlagCommand)
def list_() -> None:
    """List the benchmarks: name, version, tasks, languages, licence, needs."""
    show(benchmark_table(steelyard.list_benchmarks()))


@app.command("show", cls=FlagCommand)
def show_(name: Name) -> None:
    """Show a benchmark: where its data come from, and by which protocol it is graded."""
    show(benchmark_page(steelyard.find_benchmark(name)))


@app.command("fetch", cls=FlagCommand)
def fetch(name: Name, *, quiet: options.Quiet = False) -> None:
    """Fetch the data of a benchmark, compare them with their digests, and keep them."""
    for path in steelyard.fetch_benchmark(name, progress=fetching(quiet=quiet)):
        show(f"{path}\n")


@app.command("verify", cls=FlagCommand)
def verify(
    name: Name,
    *,
    benchmark_data: choice.Data = None,
    protocol: choice.Protocol = ProtocolKind.OFFICIAL,
    benchmark_packages: choice.Packages = None,
    benchmark_python: choice.Python = "",
    benchmark_tasks: choice.Tasks = None,
    references_only: Annotated[
        bool, options.checking("Leave out the answers that do nothing, which take most of the time.")
    ] = False,
    threads: Annotated[int, options.checking("How many answers to check at a time.", min=1)] = 2,
    sandbox: options.SandboxName = "bubblewrap",
    output: Annotated[
        Path | None, options.plain("Write it into a page (Markdown).", "--output", "-o", metavar="FILE")
    ] = None,
    note: Annotated[str, options.plain("What else the page says, such as a commit.")] = "",
    quiet: options.Quiet = False,
) -> None:
    """Check that all references pass, and that answers that do nothing fail; 1 if that is not so."""
    given = steelyard.BenchmarkOptions(data=benchmark_data, protocol=protocol, sandbox=sandbox)
    given = replace(given, packages=benchmark_packages, python=benchmark_python, tasks=benchmark_tasks)
    seen = counting(quiet=quiet)
    found = steelyard.verify_benchmark(
        name, given, threads=threads, references_only=references_only, progress=seen, notify=remark
    )
    if output is not None:
        steelyard.write_verification(found, output, note=note)
    show(verification_text(found))
    raise typer.Exit(0 if found.is_explained else SteelyardError.exit_code)
