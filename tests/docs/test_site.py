"""The site has a search and two colour schemes, a reading path of six pages and a list for assistants."""

import re

from scripts.write_llms_text import llms_text
from tests.docs.pages import DOCS, Page, documentation_pages
from tests.repo.package import REPOSITORY

SITE = (REPOSITORY / "mkdocs.yml").read_text(encoding="utf-8")
HOME = Page(DOCS / "index.md")


def test_the_site_can_be_searched_and_switched_between_light_and_dark() -> None:
    assert "plugins:\n  - search\n" in SITE
    assert "toggle:" in SITE
    assert "scheme: slate" in SITE


def test_the_home_page_leads_to_a_reading_path_of_six_pages() -> None:
    steps = [line for line in HOME.section("Read these six pages") if re.match(r"\d\. ", line)]

    assert len(steps) == 6
    assert all((DOCS / step.partition("](")[2].partition(")")[0]).is_file() for step in steps)


def test_the_list_for_assistants_names_every_page_with_its_first_sentence() -> None:
    text = llms_text(DOCS)

    assert sorted(re.findall(r"\]\(([\w/-]+)\.html\)", text)) == sorted(
        page.path.relative_to(DOCS).with_suffix("").as_posix() for page in documentation_pages()
    )
    assert not re.findall(r"\): *$", text, re.MULTILINE)
