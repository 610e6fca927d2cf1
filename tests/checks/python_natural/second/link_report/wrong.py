from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from bs4 import BeautifulSoup


class Link(NamedTuple):
    url: str
    text: str
    external: bool


def extract_links(html, base_url, *, follow_only=False):
    soup = BeautifulSoup(html, "html.parser")
    links = []
    for anchor in soup.find_all("a"):
        href = anchor["href"]
        if href.startswith(("mailto:", "javascript:", "#")):
            continue
        if follow_only and anchor.get("rel") == "nofollow":
            continue
        url = urljoin(base_url, href)
        external = urlsplit(url).netloc != urlsplit(base_url).netloc
        links.append(Link(url, anchor.get_text().strip(), external))
    return links
