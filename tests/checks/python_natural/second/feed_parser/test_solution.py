from datetime import datetime, timezone

import pytest

from solution import Entry, FeedError, parse_feed

RSS = b"""<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel>
  <title> News </title>
  <item><title>Old</title><link>https://x.test/1</link><pubDate>Thu, 01 Jan 2026 10:00:00 +0200</pubDate></item>
  <item><description>No title and no date</description><link>https://x.test/2</link></item>
  <item><title>New</title><link>https://x.test/3</link><pubDate>Fri, 02 Jan 2026 10:00:00 GMT</pubDate>
    <description> Text </description></item>
  <item><title>Also undated</title></item>
</channel></rss>"""

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom">
  <title>Bl\u00f6g</title>
  <entry>
    <title>Second</title>
    <link rel="self" href="https://x.test/self"/><link href="https://x.test/a"/>
    <published>2026-01-01T00:00:00Z</published><updated>2026-06-01T00:00:00Z</updated>
  </entry>
  <entry>
    <title>First</title>
    <link rel="alternate" href="https://x.test/b"/>
    <updated>2026-02-01T12:00:00+01:00</updated>
    <summary>short</summary>
  </entry>
</feed>""".encode()


def utc(*args):
    return datetime(*args, tzinfo=timezone.utc)


class TestRss:
    @pytest.fixture(autouse=True)
    def parse(self):
        self.feed = parse_feed(RSS)

    def test_title(self):
        assert self.feed.title == "News"

    def test_order(self):
        assert [entry.title for entry in self.feed.entries] == ["New", "Old", "(untitled)", "Also undated"]

    def test_entry(self):
        assert self.feed.entries[0] == Entry("New", "https://x.test/3", utc(2026, 1, 2, 10), "Text")

    def test_dates_are_utc(self):
        old = self.feed.entries[1].published
        assert old == utc(2026, 1, 1, 8)
        assert old.tzinfo is timezone.utc

    def test_missing_parts(self):
        last = self.feed.entries[-1]
        assert last.published is None
        assert last.summary == ""


class TestAtom:
    @pytest.fixture(scope="class")
    def feed(self):
        return parse_feed(ATOM)

    def test_entries(self, feed):
        assert feed.title == "Blög"
        assert feed.entries == [
            Entry(title="First", link="https://x.test/b", published=utc(2026, 2, 1, 11), summary="short"),
            Entry(title="Second", link="https://x.test/a", published=utc(2026, 1, 1), summary=""),
        ]


@pytest.mark.parametrize(
    "data, message",
    [
        (b"<html><body/></html>", "not a feed: <html>"),
        (b"<rss><channel>", "invalid XML"),
        (b"", "invalid XML"),
    ],
)
def test_errors(data, message):
    with pytest.raises(FeedError) as info:
        parse_feed(data)
    assert str(info.value) == message


def test_external_entities(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("TOP SECRET")
    data = f"""<!DOCTYPE rss [<!ENTITY e SYSTEM "{secret.as_uri()}">]>
    <rss><channel><title>t</title><item><title>x &e;</title></item></channel></rss>"""
    feed = parse_feed(data.encode())
    assert "SECRET" not in repr(feed)


def test_empty_channel():
    assert parse_feed(b"<rss><channel><title>x</title></channel></rss>").entries == []
