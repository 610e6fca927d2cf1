"""Find the renderer of a format, by its name or by the suffix of a file.

Installed packages add formats through the entry-point group `steelyard.formats`.
"""

from collections.abc import Callable
from pathlib import Path
from typing import cast

from steelyard.errors import UserError
from steelyard.plugins import known, load
from steelyard.ports import Renderable, Renderer
from steelyard.render.kinds import NOUNS

__all__ = ["Renderable", "Renderer", "format_of_file", "formats_for", "renderer"]

RENDERERS = {
    "text": "steelyard.render.text:TextRenderer",
    "json": "steelyard.render.json:JsonRenderer",
    "markdown": "steelyard.render.markdown.renderer:MarkdownRenderer",
    "csv": "steelyard.render.csv:CsvRenderer",
    "html": "steelyard.app.views:html_renderer",
    "latex": "steelyard.render.latex:LatexRenderer",
    "junit": "steelyard.render.junit:JunitRenderer",
    "sarif": "steelyard.render.sarif:SarifRenderer",
    "parquet": "steelyard.render.parquet:ParquetRenderer",
}
FORMAT_OF_SUFFIX = {
    ".txt": "text",
    ".json": "json",
    ".md": "markdown",
    ".csv": "csv",
    ".html": "html",
    ".xml": "junit",
    ".sarif": "sarif",
    ".tex": "latex",
    ".parquet": "parquet",
}
GROUP = "formats"


def renderer(form: str, kind: type[Renderable], **options: object) -> Renderer:
    """Return the renderer of a format for a type of result; raises UserError if there is none."""
    loaded = _load_renderer(form, **options)
    if kind not in loaded.kinds:
        raise UserError(f"{form} cannot show a {NOUNS[kind]}; use one of {', '.join(formats_for(kind))}")
    return loaded


def formats_for(kind: type[Renderable]) -> list[str]:
    """Return the names of the formats that can show a type of result."""
    plug_ins = sorted(set(known(RENDERERS, group=GROUP)) - set(RENDERERS))
    return [form for form in (*RENDERERS, *plug_ins) if kind in _list_kinds(form)]


def format_of_file(path: Path, kind: type[Renderable]) -> str:
    """Return the format of a file's suffix: a known suffix, or the name of a format."""
    suffix = path.suffix.lower()
    form = FORMAT_OF_SUFFIX.get(suffix, suffix.removeprefix("."))
    if form not in known(RENDERERS, group=GROUP) or kind not in _list_kinds(form):
        suffixes = {name: ours for ours, name in FORMAT_OF_SUFFIX.items()}
        possible = (suffixes.get(name, f".{name}") for name in formats_for(kind))
        raise UserError(f"{path}: the suffix selects the format; use one of {', '.join(possible)}")
    return form


def _list_kinds(form: str) -> tuple[type[Renderable], ...]:
    try:
        return _load_renderer(form).kinds
    except UserError:  # a package that cannot be loaded has no formats
        return ()


def _load_renderer(form: str, **options: object) -> Renderer:
    return cast("Callable[..., Renderer]", load(RENDERERS, form, group=GROUP))(**options)
