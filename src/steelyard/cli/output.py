"""Put text where the user wants it: on the screen, or into files whose type their suffix tells."""

import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from steelyard.errors import InputError, UserError
from steelyard.model.comparison import Comparison
from steelyard.model.excerpt import SampleExcerpt
from steelyard.model.gate import GateReport
from steelyard.model.report import Report
from steelyard.plugins import (
    COMPARISON_RENDERERS,
    FORMAT_OF_SUFFIX,
    GATE_RENDERERS,
    REPORT_FILES,
    REPORT_RENDERERS,
    load,
)
from steelyard.ports import ComparisonRenderer, FileRenderer, GateRenderer, ReportRenderer, SampleRenderer
from steelyard.render.names import visible

Renderer = TypeVar("Renderer")


class ReaderGone(Exception):
    """Whoever reads our output, such as `head`, has seen enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places(Generic[Renderer]):
    """Where a result goes: who writes it for the screen, and who for each file.

    Made before the work is done, so that nobody waits an hour to hear of a misspelt format.
    """

    screen: Renderer
    files: Mapping[Path, Renderer]


def report_places(form: str, files: Sequence[Path]) -> Places[ReportRenderer]:
    """Find the renderers of a report, or say which format does not exist."""
    return _places(form, files, REPORT_RENDERERS, group="formats", only_files=REPORT_FILES)


def comparison_places(form: str, files: Sequence[Path]) -> Places[ComparisonRenderer]:
    """Find the renderers of a comparison, or say which format does not exist."""
    return _places(form, files, COMPARISON_RENDERERS, group="comparison_formats")


def gate_places(form: str, files: Sequence[Path]) -> Places[GateRenderer]:
    """Find the renderers of a gate's verdict, or say which format does not exist."""
    return _places(form, files, GATE_RENDERERS, group="gate_formats")


def _places(
    form: str,
    files: Sequence[Path],
    table: Mapping[str, str],
    *,
    group: str,
    only_files: Mapping[str, str] | None = None,
) -> Places[Any]:
    every = {**table, **(only_files or {})}
    screen = cast("type", load(table, form, group=group))
    kinds = {path: cast("type", load(every, form_of(path, every), group=group)) for path in files}
    return Places(screen=screen(**_terminal(form)), files={path: kind() for path, kind in kinds.items()})


def _terminal(form: str) -> dict[str, object]:
    """Return what a renderer must know of the screen: only text knows colour, and only a person wants it."""
    if form != "text" or not sys.stdout.isatty():
        return {}
    return {"color": "NO_COLOR" not in os.environ, "width": shutil.get_terminal_size().columns}


def show_report(
    report: Report, places: Places[ReportRenderer], samples: Callable[[], Sequence[SampleExcerpt]] = tuple
) -> None:
    """Write a report to the files, and print it; samples of the run are only looked up for who shows them."""
    found = cache(samples)
    write_report(report, places, found)
    show(_rendered(report, places.screen, found))


def write_report(
    report: Report, places: Places[ReportRenderer], samples: Callable[[], Sequence[SampleExcerpt]] = tuple
) -> None:
    """Write a report to the files."""
    for path, renderer in places.files.items():
        if isinstance(renderer, FileRenderer):
            write(path, renderer.render_bytes(report))
        else:
            write(path, _rendered(report, renderer, samples))


def _rendered(
    report: Report, renderer: ReportRenderer, samples: Callable[[], Sequence[SampleExcerpt]]
) -> str:
    if isinstance(renderer, SampleRenderer):
        return renderer.render_with_samples(report, samples())
    return renderer.render(report)


def show_comparison(comparison: Comparison, places: Places[ComparisonRenderer]) -> None:
    """Write a comparison to the files, and print it."""
    write_comparison(comparison, places)
    show(places.screen.render(comparison))


def write_comparison(comparison: Comparison, places: Places[ComparisonRenderer]) -> None:
    """Write a comparison to the files."""
    for path, renderer in places.files.items():
        write(path, renderer.render(comparison))


def show_gate(found: GateReport, places: Places[GateRenderer]) -> None:
    """Write a verdict to the files, and print it."""
    for path, renderer in places.files.items():
        write(path, renderer.render(found))
    show(places.screen.render(found))


def form_of(path: Path, table: Mapping[str, str]) -> str:
    """Tell the format by the suffix of the file it goes to."""
    form = FORMAT_OF_SUFFIX.get(path.suffix.lower())
    if form is None or form not in table:
        suffixes = [suffix for suffix, name in FORMAT_OF_SUFFIX.items() if name in table]
        raise UserError(f"{path}: the suffix tells the format; use one of {', '.join(suffixes)}")
    return form


def write(path: Path, content: str | bytes) -> None:
    """Write a file whole, making its folder."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None


def show(text: str) -> None:
    """Print text that already ends in a newline."""
    try:
        sys.stdout.write(_writable(text, sys.stdout.encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        raise ReaderGone from None


def _writable(text: str, encoding: str | None) -> str:
    """Spell out what the output cannot hold: a Windows pipe knows neither ≥ nor most alphabets."""
    known_as = encoding or "utf-8"
    try:
        text.encode(known_as)
    except UnicodeEncodeError:
        return text.encode(known_as, "backslashreplace").decode(known_as)
    return text


def address_here(address: str) -> str:
    """Return an address as one would type it here: without what leads to this folder."""
    path, here = Path(address), Path.cwd()
    return str(path.relative_to(here)) if path.is_absolute() and path.is_relative_to(here) else address


def note(text: str) -> None:
    """Tell the user something that is not part of the result; names in it come from anywhere."""
    lines = (visible(line) if line else line for line in text.split("\n"))
    sys.stderr.write("\n".join(lines) + "\n")
