"""Write results to the screen and to files; a file's suffix selects its format."""

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from steelyard.app.files import Samples, rendered, write_file
from steelyard.app.formats import Renderable, Renderer, format_of_file, renderer
from steelyard.cli.screen import note, show
from steelyard.errors import UserError


@dataclass(frozen=True, slots=True, kw_only=True)
class Outputs:
    """Renderers of the screen and of each output file.

    Made before a command starts, to report unknown formats early.
    """

    screen: Renderer
    files: Mapping[Path, Renderer]


def outputs(
    result_type: type[Renderable], form: str, files: Sequence[Path], *, details: bool = True
) -> Outputs:
    """Choose the renderers of a result; raise a UserError for unknown formats."""
    screen = renderer(form, result_type, **_terminal_options(form, details=details))
    if not screen.is_text:
        raise UserError(f"{form} is a binary format: write it to a file, such as -o summary.{form}")
    renderers = {path: renderer(format_of_file(path, result_type), result_type) for path in files}
    return Outputs(screen=screen, files=renderers)


def _terminal_options(form: str, *, details: bool) -> dict[str, object]:
    """Return the text renderer's options; colour and width only on a terminal."""
    if form != "text":
        return {}
    if sys.stdout is None or not sys.stdout.isatty():
        return {"details": details}
    color, width = "NO_COLOR" not in os.environ, shutil.get_terminal_size().columns
    return {"details": details, "color": color, "width": width}


def show_result(result: Renderable, to: Outputs, samples: Samples = tuple) -> None:
    """Write a result to the files and print it. Samples load only for formats that show them."""
    load_samples = cache(samples)
    write_result(result, to, load_samples)
    show(str(rendered(result, to.screen, load_samples)))


def write_result(result: Renderable, to: Outputs, samples: Samples = tuple) -> None:
    """Write a result to the files."""
    for path, file_renderer in to.files.items():
        write_file(path, rendered(result, file_renderer, samples))


def note_sources(baseline: str, current: str, baselines: str, *, form: str) -> None:
    """Describe both sources of a text report: the user may have swapped them."""
    if form != "text":
        return
    note_source("baseline", baseline, baselines)
    note_source("current", current, baselines)


def note_source(label: str, address: str, baselines: str = "baselines") -> None:
    """Describe the source at an address: run, outcomes, report or baseline."""
    from steelyard.app.baseline import describe_source  # noqa: PLC0415  # keeps `--help` fast

    note(f"{label}: {describe_source(address, baselines=baselines)}")
