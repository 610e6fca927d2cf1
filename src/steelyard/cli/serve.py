"""`steelyard serve`: check answers over HTTP."""

import os
from pathlib import Path
from typing import Annotated

import typer

import steelyard
from steelyard.cli.screen import note
from steelyard.errors import UserError, install_extra

TOKEN = "STEELYARD_SERVE_TOKEN"  # the name of a variable


def serve(  # one parameter for each option
    eval_sets: Annotated[
        list[str] | None,
        typer.Argument(metavar="[EVAL_SET...]", help="Eval sets to serve: files, folders or shipped names."),
    ] = None,
    *,
    benchmark: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Also serve a public benchmark; repeatable.")
    ] = None,
    benchmark_data: Annotated[
        Path | None, typer.Option(metavar="PATH", help="With --benchmark: a copy of the data.")
    ] = None,
    host: Annotated[
        str, typer.Option(help=f"Address to listen on; beyond loopback, {TOKEN} must hold a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0: any free port.")] = 8321,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Checks at a time. Default: two for each processor.")
    ] = None,
    queue: Annotated[int, typer.Option(min=1, help="Checks that may wait; more are refused.")] = 10_000,
    sandbox: Annotated[str, typer.Option(help="Sandbox of the checks.")] = "bubblewrap",
    allow_uploads: Annotated[
        bool, typer.Option("--allow-uploads", help="Accept eval sets by POST /v1/sets.")
    ] = False,
) -> None:
    try:
        from steelyard.service.access import Access  # noqa: PLC0415  # needs the extra `serve`
        from steelyard.service.api import ServiceSettings  # noqa: PLC0415
        from steelyard.service.server import serve as serve_checks  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise UserError(f"the service needs the package {error.name!r}: {install_extra('serve')}") from error
    settings = ServiceSettings(
        workers=workers or 2 * (os.cpu_count() or 1),
        queue_limit=queue,
        sandbox=sandbox,
        allow_uploads=allow_uploads,
    )
    options = steelyard.BenchmarkOptions(data=benchmark_data)
    sets = [steelyard.load_eval_set(name) for name in eval_sets or ()]
    sets += [steelyard.load_benchmark(name, options, notify=note) for name in benchmark or ()]
    serve_checks(
        sets,
        settings,
        Access(host=host, token=os.environ.get(TOKEN) or None),
        port=port,
        announce=lambda url: note(f"serving checks at {url}"),
    )
