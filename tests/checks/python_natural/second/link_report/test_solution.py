import pytest

from solution import Link, extract_links

BASE = "https://www.example.com/docs/index.html"


def links(body, **options):
    return extract_links(f"<html><body>{body}</body></html>", BASE, **options)


def urls(body, **options):
    return [link.url for link in links(body, **options)]


def test_link():
    assert links('<a href="intro.html">Intro</a>') == [
        Link(url="https://www.example.com/docs/intro.html", text="Intro", external=False)
    ]


@pytest.mark.parametrize(
    "href, url",
    [
        ("/about", "https://www.example.com/about"),
        ("../x", "https://www.example.com/x"),
        ("//cdn.example.org/a", "https://cdn.example.org/a"),
        ("page.html#part", "https://www.example.com/docs/page.html"),
        ("?q=1", "https://www.example.com/docs/index.html?q=1"),
        (" spaced.html ", "https://www.example.com/docs/spaced.html"),
    ],
)
def test_resolution(href, url):
    assert urls(f'<a href="{href}">x</a>') == [url]


@pytest.mark.parametrize("href", ["mailto:a@b.c", "javascript:void(0)", "tel:+49123", "#top", "MAILTO:a@b.c"])
def test_left_out(href):
    assert urls(f'<a href="{href}">x</a>') == []


def test_anchor_without_href():
    assert urls('<a name="here">x</a>') == []


@pytest.mark.parametrize(
    "href, external",
    [
        ("https://www.example.com/a", False),
        ("https://example.com/a", False),
        ("http://example.com:8080/a", False),
        ("https://blog.example.com/", True),
        ("https://python.org", True),
    ],
)
def test_external(href, external):
    (link,) = links(f'<a href="{href}">x</a>')
    assert link.external is external


def test_text_is_collapsed():
    (link,) = links('<a href="a">  Read <b>the\n docs</b> </a>')
    assert link.text == "Read the docs"


def test_image():
    first, second = links('<a href="a"><img src="i.png" alt="Logo"></a><a href="b"><img src="j.png"></a>')
    assert first.text == "Logo"
    assert second.text == ""


def test_first_of_equal_urls():
    found = links('<a href="a">one</a><a href="b">two</a><a href="a#x">three</a>')
    assert [link.text for link in found] == ["one", "two"]


def test_base_element():
    html = '<head><base href="/v2/"></head><a href="x">x</a>'
    assert extract_links(html, BASE)[0].url == "https://www.example.com/v2/x"


def test_follow_only():
    body = '<a href="a" rel="nofollow noopener">a</a><a href="b" rel="next">b</a>'
    assert len(urls(body)) == 2
    assert urls(body, follow_only=True) == ["https://www.example.com/docs/b"]
