"""Open the browser through a private redirect file: command lines would leak the token to other users."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from steelyard.render.charts.markup import Markup, tag

FILE_NAME = "open.html"


@contextmanager
def login_file(url: str) -> Iterator[Path]:
    """Yield a temporary file that redirects to a link; only this user can read it."""
    with TemporaryDirectory(prefix="steelyard-view-", ignore_cleanup_errors=True) as folder:  # mode 0700
        path = Path(folder) / FILE_NAME
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(redirect_page(url))
        yield path


def redirect_page(url: str, *, icon: str | None = None) -> str:
    """Return a page that redirects to another, with a link for browsers that do not."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="refresh", content=f"0;url={url}"),
        tag("title", "Steelyard"),
        tag("link", rel="icon", href=icon) if icon else None,
    )
    body = tag("body", tag("p", tag("a", "Open the viewer", href=url)))
    return Markup(f"<!doctype html>\n{tag('html', head, body, lang='en')}\n")
