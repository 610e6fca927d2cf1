"""Find the renderer of a format, by its name or by the suffix of a file.

Our formats and those of installed packages are treated alike.
"""

from collections.abc import Callable
from pathlib import Path
from typing import cast

from steelyard.errors import UserError
from steelyard.plugins import FORMAT_OF_SUFFIX, RENDERERS, known, load
from steelyard.ports import Renderable, Renderer
from steelyard.render.kinds import NOUNS

__all__ = ["Renderable", "Renderer", "format_of_file", "formats_for", "renderer"]

GROUP = "formats"


def renderer(form: str, kind: type[Renderable], **options: object) -> Renderer:
    """Return the renderer of a format for one kind of result; raises UserError where there is none."""
    result = _loaded(form, **options)
    if kind not in result.kinds:
        raise UserError(f"{form} cannot show a {NOUNS[kind]}; use one of {', '.join(formats_for(kind))}")
    return result


def formats_for(kind: type[Renderable]) -> list[str]:
    """Return the names of the formats that can show a kind of result."""
    others = sorted(set(known(RENDERERS, group=GROUP)) - set(RENDERERS))
    return [form for form in (*RENDERERS, *others) if kind in _kinds(form)]


def format_of_file(path: Path, kind: type[Renderable]) -> str:
    """Return the format that the suffix of a file stands for: one of ours, or the name of a format."""
    suffix = path.suffix.lower()
    form = FORMAT_OF_SUFFIX.get(suffix, suffix.removeprefix("."))
    if form not in known(RENDERERS, group=GROUP) or kind not in _kinds(form):
        suffixes = {name: ours for ours, name in FORMAT_OF_SUFFIX.items()}
        possible = (suffixes.get(name, f".{name}") for name in formats_for(kind))
        raise UserError(f"{path}: the suffix tells the format; use one of {', '.join(possible)}")
    return form


def _kinds(form: str) -> tuple[type[Renderable], ...]:
    try:
        return _loaded(form).kinds
    except UserError:  # a package that cannot be loaded offers nothing
        return ()


def _loaded(form: str, **options: object) -> Renderer:
    return cast("Callable[..., Renderer]", load(RENDERERS, form, group=GROUP))(**options)
