"""Write reports, comparisons and verdicts to files; the suffix selects the format."""

from collections.abc import Callable, Sequence
from pathlib import Path

from steelyard.app.collector import collector_paused
from steelyard.errors import InputError
from steelyard.model.sample import SampleExcerpt
from steelyard.render.formats import Renderable, Renderer, format_of_file, renderer

Samples = Callable[[], Sequence[SampleExcerpt]]


def write_result(
    result: Renderable, path: str | Path, *, samples: Samples | Sequence[SampleExcerpt] = ()
) -> None:
    """Write a report, a comparison or a verdict to a file.

    `samples` are those that a format may show, or what reads them, which is called only if one does.
    """
    kind, file = type(result), Path(path)
    read = samples if callable(samples) else lambda: samples
    write_file(file, rendered(result, renderer(format_of_file(file, kind), kind), read))


def rendered(result: Renderable, by: Renderer, samples: Samples) -> str | bytes:
    """Render a result; samples are read only if the format shows them."""
    with collector_paused():
        return by.render(result, samples=samples() if by.shows_samples else ())


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file whole, making its folder."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
