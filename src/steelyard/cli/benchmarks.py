"""`steelyard benchmarks`: list, fetch and verify public benchmarks."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli import benchmark_options as choice
from steelyard.cli import options
from steelyard.cli.flags import FlagCommand
from steelyard.cli.progress import counting, fetching
from steelyard.cli.screen import note as remark
from steelyard.cli.screen import show
from steelyard.errors import SteelyardError
from steelyard.model.benchmark import ProtocolKind
from steelyard.render.benchmarks import benchmark_page, benchmark_table, verification_text

Name = Annotated[str, typer.Argument(help="A benchmark, such as humaneval+, or a part as NAME/PART.")]
app = typer.Typer(
    name="benchmarks",
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
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
    """Show a benchmark: data sources and protocol."""
    show(benchmark_page(steelyard.find_benchmark(name)))


@app.command("fetch", cls=FlagCommand)
def fetch(name: Name, *, quiet: options.Quiet = False) -> None:
    """Download a benchmark's data and verify their digests."""
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
        bool, options.checking("Check references only, not answers that do nothing; much faster.")
    ] = False,
    threads: Annotated[int, options.checking("Concurrent checks.", min=1)] = 2,
    sandbox: options.SandboxName = "bubblewrap",
    output: Annotated[
        Path | None,
        options.plain("Also write the result to a Markdown file.", "--output", "-o", metavar="FILE"),
    ] = None,
    note: Annotated[str, options.plain("A remark for the file, such as a commit.")] = "",
    quiet: options.Quiet = False,
) -> None:
    """Check that all references pass and that answers that do nothing fail; 1 otherwise."""
    chosen = steelyard.BenchmarkOptions(data=benchmark_data, protocol=protocol, sandbox=sandbox)
    chosen = replace(chosen, packages=benchmark_packages, python=benchmark_python, tasks=benchmark_tasks)
    progress = counting(quiet=quiet)
    verification = steelyard.verify_benchmark(
        name, chosen, threads=threads, references_only=references_only, progress=progress, notify=remark
    )
    if output is not None:
        steelyard.write_verification(verification, output, note=note)
    show(verification_text(verification))
    raise typer.Exit(0 if verification.is_explained else SteelyardError.exit_code)
