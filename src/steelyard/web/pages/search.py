"""The search page: hits are streamed as they are found."""

from collections.abc import Iterator

from steelyard.app.view.run_view import RunView
from steelyard.model.viewing import Hit, SearchScope
from steelyard.render.charts.markup import Markup, joined, tag
from steelyard.render.charts.names import named
from steelyard.render.html.code import plain
from steelyard.web.links import query
from steelyard.web.pages.layout import heading, page
from steelyard.web.pages.run import place_of, subject_label

HITS = 200  # on one page
HERE = Markup("<!--hits-->")  # splits the page for streaming
SCOPES = {SearchScope.ANSWERS: "answers", SearchScope.OUTPUT: "output of the checks"}


def search_page(run: RunView, words: str, scope: SearchScope, *, skip: int) -> Iterator[str]:
    """Yield the page in pieces.

    Closing the generator, as a browser's stop button does, cancels the search.
    """
    frame = page(
        "Search",
        place_of(run, "Search"),
        _form(words, scope),
        tag("ol", HERE, class_="hits") if words else None,
    )
    head, _, foot = frame.partition(HERE)
    yield head
    if words:
        yield from _hits(run, words, scope, skip)
    yield foot


def _form(words: str, scope: SearchScope) -> Markup:
    options = (tag("option", title, value=name, selected=name == scope) for name, title in SCOPES.items())
    return joined(
        heading("Search"),
        tag(
            "form",
            tag(
                "label",
                "Words ",
                tag(
                    "input", type="search", name="words", value=words, id="query", minlength=2, maxlength=200
                ),
            ),
            tag("label", "In ", tag("select", options, name="in")),
            tag("button", "search"),
            class_="controls",
            role="search",
        ),
        tag(
            "p",
            "Searches all samples of the run, ignoring case. The browser's stop button cancels the search.",
            class_="quiet",
        ),
    )


def _hits(run: RunView, words: str, scope: SearchScope, skip: int) -> Iterator[str]:
    number = 0
    for event in run.search(words, scope):
        if not isinstance(event, Hit):
            yield tag(
                "li",
                f"searched {event.searched:,} of {event.total:,} samples, {number:,} hits",
                class_="progress quiet",
            )
            continue
        number += 1
        if number > skip:
            yield _hit(run, event)
        if number == skip + HITS:
            more = tag(
                "a", f"the next {HITS}", href=query(words=words, **{"in": scope}, skip=number), rel="next"
            )
            yield tag("li", f"Stopped after {number:,} samples. ", more, class_="last")
            return
    yield tag("li", f"Search finished: {number:,} hits.", class_="last")


def _hit(run: RunView, hit: Hit) -> Markup:
    link = tag(
        "a",
        named(hit.case),
        f", attempt {hit.attempt}",
        href=f"/r/{run.id}/c/{hit.key}/{hit.attempt}",
        data_row=True,
    )
    return tag(
        "li",
        link,
        " ",
        tag("span", subject_label(run, hit.model, hit.tier), class_="quiet"),
        tag("pre", plain(hit.before), tag("mark", plain(hit.match)), plain(hit.after), class_="excerpt"),
    )
