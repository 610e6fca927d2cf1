"""Write reports, comparisons and verdicts to files; the suffix selects the format."""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from steelyard.app.formats import Renderable, Renderer, format_of_file, renderer
from steelyard.errors import InputError
from steelyard.model.sample import SampleExcerpt

Samples = Callable[[], Sequence[SampleExcerpt]]


def write_result(
    result: Renderable, path: str | Path, *, samples: Samples | Sequence[SampleExcerpt] = ()
) -> None:
    """Write a report, a comparison or a verdict to a file.

    Args:
        result: What to write.
        path: The file; its suffix selects the format.
        samples: Samples for formats that show them, or a function that loads them on demand.

    Raises:
        UserError: No format for this result has that suffix.
        InputError: The file cannot be written.
    """
    result_type, file = type(result), Path(path)
    load_samples = samples if callable(samples) else lambda: samples
    write_file(file, rendered(result, renderer(format_of_file(file, result_type), result_type), load_samples))


def rendered(result: Renderable, by: Renderer, samples: Samples) -> str | bytes:
    """Render a result; samples are read only if the format shows them."""
    with collector_paused():
        return by.render(result, samples=samples() if by.shows_samples else ())


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file; create its folder."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause garbage collection: reports have up to 10^6 small records without cycles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
