"""Put a result where the user wants it: on the screen, or into files whose suffix tells the format."""

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from steelyard.app.files import Samples, rendered, write_file
from steelyard.cli.screen import note, show
from steelyard.errors import UserError
from steelyard.render.formats import Renderable, Renderer, format_of_file, renderer


@dataclass(frozen=True, slots=True, kw_only=True)
class Outputs:
    """Where a result goes: the renderer of the screen, and that of each file.

    Made before the work is done, so that a misspelt format is reported at once.
    """

    screen: Renderer
    files: Mapping[Path, Renderer]


def outputs(kind: type[Renderable], form: str, files: Sequence[Path], *, details: bool = True) -> Outputs:
    """Find the renderers of a kind of result, or raise a UserError that lists the possible formats."""
    screen = renderer(form, kind, **_terminal(form, details=details))
    if not screen.is_text:
        raise UserError(f"{form} is not text: choose it by a file, such as -o summary.{form}")
    return Outputs(screen=screen, files={path: renderer(format_of_file(path, kind), kind) for path in files})


def _terminal(form: str, *, details: bool) -> dict[str, object]:
    """Return what a renderer must know of the screen: only text knows colour, and only a person wants it."""
    if form != "text":
        return {}
    if sys.stdout is None or not sys.stdout.isatty():
        return {"details": details}
    color, width = "NO_COLOR" not in os.environ, shutil.get_terminal_size().columns
    return {"details": details, "color": color, "width": width}


def show_result(result: Renderable, to: Outputs, samples: Samples = tuple) -> None:
    """Write a result to the files, and print it; samples are read only if some format shows them."""
    found = cache(samples)
    write_result(result, to, found)
    show(str(rendered(result, to.screen, found)))


def write_result(result: Renderable, to: Outputs, samples: Samples = tuple) -> None:
    """Write a result to the files."""
    for path, one in to.files.items():
        write_file(path, rendered(result, one, samples))


def note_sources(baseline: str, current: str, baselines: str, *, form: str) -> None:
    """Say what was compared with what, so that two files in the wrong order are seen; scripts know it."""
    if form != "text":
        return
    note_source("baseline", baseline, baselines)
    note_source("current", current, baselines)


def note_source(label: str, address: str, baselines: str = "baselines") -> None:
    """Say what is at an address: a run, outcomes, a report or a kept baseline."""
    from steelyard.app.baseline import describe_source  # noqa: PLC0415  # help must stay quick

    note(f"{label}: {describe_source(address, baselines=baselines)}")
