"""Write reports, comparisons and verdicts to files whose suffix tells the format."""

from collections.abc import Callable, Sequence
from pathlib import Path

from steelyard.errors import InputError
from steelyard.model.sample import SampleExcerpt
from steelyard.render.formats import Renderable, format_of_file, renderer


def write_result(
    result: Renderable, path: str | Path, *, samples: Callable[[], Sequence[SampleExcerpt]] = tuple
) -> None:
    """Write a report, a comparison or a verdict to a file; samples are read only if the format shows them."""
    kind, file = type(result), Path(path)
    found = renderer(format_of_file(file, kind), kind)
    write_file(file, found.render(result, samples=samples() if found.shows_samples else ()))


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file whole, making its folder."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
