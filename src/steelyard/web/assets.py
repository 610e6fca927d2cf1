"""Serve style sheets, script and icon: package files on a fixed list."""

from functools import cache
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

from steelyard.errors import InputError
from steelyard.render.html.page import asset

KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
OWN = frozenset({"view.css", "view.js", "icon.svg"})
SHARED = "page.css"  # the style of the report


def asset_response(request: Request) -> Response:
    """Return a style sheet, the script or the icon."""
    name = request.path_params["name"]
    return Response(asset_text(name), media_type=KINDS[name[name.rindex(".") :]])


@cache
def asset_text(name: str) -> str:
    """Return the text of an asset.

    Raises:
        InputError: No asset has this name.
    """
    if name == SHARED:
        return asset(SHARED)
    if name not in OWN:
        raise InputError("there is no such file")
    return (files("steelyard.web") / name).read_text(encoding="utf-8")
