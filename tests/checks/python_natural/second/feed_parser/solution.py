from dataclasses import dataclass, field
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

from lxml import etree

ATOM = "{http://www.w3.org/2005/Atom}"


class FeedError(ValueError):
    pass


@dataclass
class Entry:
    title: str
    link: str | None
    published: datetime | None
    summary: str


@dataclass
class Feed:
    title: str
    entries: list[Entry] = field(default_factory=list)


def _text(element, tag, default=""):
    return (element.findtext(tag) or "").strip() or default


def _date(text, parse):
    if not text:
        return None
    try:
        moment = parse(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return moment.astimezone(timezone.utc)


def _rss_entry(item):
    return Entry(
        _text(item, "title", "(untitled)"),
        _text(item, "link", None),
        _date(_text(item, "pubDate"), parsedate_to_datetime),
        _text(item, "description"),
    )


def _atom_entry(entry):
    links = [link.get("href") for link in entry.findall(f"{ATOM}link") if link.get("rel", "alternate") == "alternate"]
    date = _text(entry, f"{ATOM}published") or _text(entry, f"{ATOM}updated")
    return Entry(
        _text(entry, f"{ATOM}title", "(untitled)"),
        links[0] if links else None,
        _date(date, datetime.fromisoformat),
        _text(entry, f"{ATOM}summary"),
    )


def parse_feed(data: bytes) -> Feed:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise FeedError("invalid XML") from error
    if root.tag == "rss":
        channel = root.find("channel")
        feed = Feed(_text(channel, "title", "(untitled)"), [_rss_entry(item) for item in channel.findall("item")])
    elif root.tag == f"{ATOM}feed":
        feed = Feed(
            _text(root, f"{ATOM}title", "(untitled)"), [_atom_entry(entry) for entry in root.findall(f"{ATOM}entry")]
        )
    else:
        raise FeedError(f"not a feed: <{etree.QName(root).localname}>")
    oldest = datetime.min.replace(tzinfo=timezone.utc)
    feed.entries.sort(key=lambda entry: entry.published or oldest, reverse=True)
    return feed
