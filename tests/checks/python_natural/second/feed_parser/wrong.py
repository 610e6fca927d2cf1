from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime

from lxml import etree

NS = {"a": "http://www.w3.org/2005/Atom"}


class FeedError(ValueError):
    pass


@dataclass
class Entry:
    title: str
    link: str
    published: datetime
    summary: str


@dataclass
class Feed:
    title: str
    entries: list


def parse_feed(data):
    try:
        root = etree.fromstring(data)
    except etree.XMLSyntaxError:
        raise FeedError("invalid XML")
    if root.tag == "rss":
        entries = [
            Entry(
                item.findtext("title", "(untitled)"),
                item.findtext("link"),
                parsedate_to_datetime(item.findtext("pubDate")) if item.find("pubDate") is not None else None,
                item.findtext("description", ""),
            )
            for item in root.iter("item")
        ]
        title = root.findtext("channel/title")
    else:
        entries = [
            Entry(
                entry.findtext("a:title", "(untitled)", NS),
                entry.find("a:link", NS).get("href"),
                datetime.fromisoformat(entry.findtext("a:updated", namespaces=NS)),
                entry.findtext("a:summary", "", NS),
            )
            for entry in root.findall("a:entry", NS)
        ]
        title = root.findtext("a:title", namespaces=NS)
    return Feed(title, sorted(entries, key=lambda e: e.published, reverse=True))
