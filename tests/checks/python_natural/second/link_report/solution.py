from typing import NamedTuple
from urllib.parse import urldefrag, urljoin, urlsplit

from bs4 import BeautifulSoup


class Link(NamedTuple):
    url: str
    text: str
    external: bool


def _host(url):
    return (urlsplit(url).hostname or "").removeprefix("www.")


def _text(anchor):
    text = " ".join(anchor.get_text(" ").split())
    if not text and (image := anchor.find("img")):
        return image.get("alt", "")
    return text


def extract_links(html, base_url, *, follow_only=False):
    soup = BeautifulSoup(html, "html.parser")
    base = soup.find("base", href=True)
    root = urljoin(base_url, base["href"]) if base else base_url
    links = {}
    for anchor in soup.find_all("a", href=True):
        href = anchor["href"].strip()
        if href.startswith("#") or (follow_only and "nofollow" in anchor.get("rel", [])):
            continue
        url = urldefrag(urljoin(root, href)).url
        if urlsplit(url).scheme in {"http", "https"} and url not in links:
            links[url] = Link(url, _text(anchor), _host(url) != _host(base_url))
    return list(links.values())
