"""Lay out a page of the viewer: navigation, heading, content, keyboard help."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from steelyard.render.charts.markup import Content, Markup, joined, tag
from steelyard.render.charts.names import named

KEYS = (
    ("j, k", "next and previous row of a list, or case"),
    ("n, p", "next and previous failure"),
    ("Enter", "open the row"),
    ("u", "one level up"),
    ("/", "search or filter"),
    ("m", "mark this sample"),
    ("t", "light or dark"),
    ("?", "this help"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The position of a page: breadcrumbs and tabs, each with title and link."""

    above: Sequence[tuple[str, str]] = ()
    tabs: Sequence[tuple[str, str]] = ()
    tab: str = ""


def page(title: str, place: Place, *content: Content, live: str | None = None) -> str:
    """Return a whole page; `live` is the address of its event stream."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"{title} · Steelyard"),
        tag("link", rel="icon", href=f"{ASSETS}/icon.svg", type="image/svg+xml"),
        tag("link", rel="stylesheet", href=f"{ASSETS}/page.css"),
        tag("link", rel="stylesheet", href=f"{ASSETS}/view.css"),
        tag("script", src=f"{ASSETS}/view.js", defer=True),
    )
    body = tag(
        "body",
        tag("a", "Skip to the content", href="#content", class_="skip"),
        _bar(place),
        tag("main", content, id="content"),
        _help(),
        data_live=live,
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


ASSETS = "/assets"


def heading(title: Content, *, over: Content = None) -> Markup:
    """Return the heading of a page, with a small line above it."""
    return joined(tag("p", over, class_="over") if over else None, tag("h1", title))


def figures(pairs: Iterable[tuple[str, Content]]) -> Markup:
    """Return numbers with their titles, in large type."""
    return tag(
        "dl", (tag("div", tag("dt", name), tag("dd", value)) for name, value in pairs), class_="figures"
    )


def _bar(place: Place) -> Markup:
    crumbs = [tag("a", "Steelyard", href="/", class_="home")]
    crumbs += [tag("a", named(title), href=link) for title, link in place.above]
    tabs = [
        tag("a", title, href=link, aria_current="page" if title == place.tab else None)
        for title, link in place.tabs
    ]
    buttons = (
        tag("button", "?", type="button", id="help-button", hidden=True, aria_label="keyboard help"),
        tag("button", "light / dark", type="button", id="theme", hidden=True),
    )
    return tag(
        "nav",
        tag("div", crumbs, class_="crumbs"),
        tag("div", tabs, class_="tabs"),
        tag("span", buttons, class_="buttons"),
        aria_label="where you are",
    )


def _help() -> Markup:
    rows = (tag("tr", tag("th", tag("kbd", keys), scope="row"), tag("td", what)) for keys, what in KEYS)
    return tag(
        "dialog",
        tag("h2", "Keyboard"),
        tag("table", tag("tbody", rows), class_="plain"),
        tag("form", tag("button", "close"), method="dialog"),
        id="help",
        aria_label="keyboard",
    )
