"""The site: how-tos stand in groups, it can be searched, and light and dark can be chosen."""

import re

from tests.docs.pages import DOCS, Page
from tests.house.package import REPOSITORY

SITE = (REPOSITORY / "mkdocs.yml").read_text(encoding="utf-8")
GROUPS = ["Run", "Check", "Count", "Compare and gate", "Scale", "Extend"]
HOME = Page(DOCS / "index.md")
SCREEN = 30  # lines that a laptop shows of a page


def test_how_tos_stand_in_groups_and_no_group_is_a_long_list() -> None:
    nav = SITE.partition("  - How to:\n")[2].partition("  - Reference:\n")[0]
    groups = re.split(r"^      - ([\w ]+):\n", nav, flags=re.MULTILINE)[1:]

    assert groups[::2] == GROUPS
    assert max(group.count(".md") for group in groups[1::2]) <= 8


def test_the_site_can_be_searched_and_switched_between_light_and_dark() -> None:
    assert "plugins:\n  - search\n" in SITE
    assert SITE.count("toggle:") == 3
    assert "scheme: slate" in SITE


def test_three_doors_lead_to_a_first_result_in_one_screen_each() -> None:
    doors = ["I have models", "I have outcomes", "I have a pull request"]
    starts = [HOME.lines.index(f"## {door}") for door in doors]
    ends = [*starts[1:], HOME.lines.index("## Or look for what you want to do")]

    assert HOME.headings(2)[:3] == doors
    for start, end in zip(starts, ends, strict=True):
        assert end - start <= SCREEN
        assert any(line.startswith("$ steelyard") for line in HOME.lines[start:end])
