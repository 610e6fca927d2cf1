"""Wrap content into one file that a browser shows without asking anybody for anything.

The policy in its head lets run no script but ours, by the script's own digest, and lets nothing be fetched.
"""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files

from steelyard.render.charts.markup import Content, Markup, joined, raw, tag

ASSETS = files("steelyard.render.html")


def document(title: str, *content: Content) -> str:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of the page under a heading; `name` is what a link to it says."""

    name: str
    title: str
    content: tuple[Content, ...]

    @property
    def markup(self) -> Markup:
        """The part as an element."""
        return tag("section", tag("h2", self.title), self.content, id=self.name)


def parts_of(*found: tuple[str, str, tuple[Content, ...]]) -> list[Part]:
    """Return the parts that have any content."""
    return [
        Part(name=name, title=title, content=tuple(one for one in content if one))
        for name, title, content in found
        if any(content)
    ]


def navigation(parts: Sequence[Part]) -> Markup:
    """Return the bar at the top: where to go, and the switch between light and dark."""
    links = (tag("a", part.title, href=f"#{part.name}") for part in parts)
    switch = tag("button", "light / dark", type="button", id="theme", hidden=True)
    skip = tag("a", "Skip to the content", href="#content", class_="skip")
    return joined(skip, tag("nav", tag("div", links), switch, aria_label="on this page"))


def figures(found: Sequence[tuple[str, str]]) -> Markup:
    """Return a few numbers with their names, large enough to be seen first."""
    return tag(
        "dl", (tag("div", tag("dt", name), tag("dd", number)) for name, number in found), class_="figures"
    )


@cache
def asset(name: str) -> str:
    """Return a style sheet or a script of ours."""
    return (ASSETS / name).read_text(encoding="utf-8")


def data(name: str, content: str) -> Markup:
    """Return data for the script to find; a browser does not run it."""
    return raw("script", content, type="text/plain", id=name)


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
