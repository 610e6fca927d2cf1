"""The site has a search and two colour schemes; its first page leads to three first results."""

from tests.docs.pages import DOCS, Page
from tests.house.package import REPOSITORY

SITE = (REPOSITORY / "mkdocs.yml").read_text(encoding="utf-8")
HOME = Page(DOCS / "index.md")


def test_the_site_can_be_searched_and_switched_between_light_and_dark() -> None:
    assert "plugins:\n  - search\n" in SITE
    assert "toggle:" in SITE
    assert "scheme: slate" in SITE


def test_three_doors_each_show_a_command() -> None:
    doors = ["I have models", "I have outcomes", "I have a pull request"]
    starts = [HOME.lines.index(f"## {door}") for door in doors]
    ends = [*starts[1:], HOME.lines.index("## Or look for what you want to do")]

    for start, end in zip(starts, ends, strict=True):
        assert any(line.startswith("$ steelyard") for line in HOME.lines[start:end])
