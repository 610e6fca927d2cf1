"""Wrap content into a self-contained HTML file.

A content security policy allows only the inline style and script, by digest, and no network access.
"""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from steelyard.render.charts.markup import Content, Markup, raw, tag

ASSETS = files("steelyard.render.html")


def page(title: str, *content: Content) -> str:
    """Return a whole page."""
    style, script = asset("page.css"), asset("page.js")
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"style-src {_digest(style)}; script-src {_digest(script)}"
    )
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        raw("style", style),
    )
    body = tag("body", content, raw("script", script))
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


@cache
def asset(name: str) -> str:
    """Return a style sheet or script of this package."""
    return (ASSETS / name).read_text(encoding="utf-8")


def data(name: str, content: str) -> Markup:
    """Return an inert data block for the script."""
    return raw("script", content, type="text/plain", id=name)


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
