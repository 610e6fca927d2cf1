"""A long text is cut with a note and a link to all of it, on every page that shows such texts."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from tests.web.runs import make_run
from tests.web.site import Site, site

PROMPT = "p" * 150_000 + "END OF PROMPT"
ANSWER = "Here:\n```python\nx = '" + "y" * 120_000 + "' # END OF CODE\n```\nEND OF ANSWER\n"
CUT_PROMPT = f"The first 100,000 of {len(PROMPT):,} characters."
CUT_ANSWER = f"The first 100,000 of {len(ANSWER):,} characters."
PAGES = {
    "case": ("/c/{key}?name=add", (CUT_PROMPT,)),
    "sample": ("/c/{key}/0", (CUT_PROMPT, CUT_ANSWER)),
    "blind": ("/blind", (CUT_PROMPT, CUT_ANSWER)),
}


@pytest.fixture(scope="module")
def long_texts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("long")
    texts = {"prompt": PROMPT, "answer": ANSWER, "wrong": ANSWER}
    make_run(folder / "long", cases=1, samples=1, texts=texts)
    with site(folder / "long") as running:
        yield running


def address(running: Site, name: str) -> str:
    run = f"/r/{running.run_id('long')}"
    key = re.findall(r"/c/(\d+)", running.page(run))[0]
    return run + PAGES[name][0].format(key=key)


@pytest.mark.parametrize("name", PAGES)
def test_a_long_text_is_cut_with_a_note(long_texts: Site, name: str) -> None:
    page = long_texts.page(address(long_texts, name))

    assert all(note in page for note in PAGES[name][1])
    assert "END OF" not in page


@pytest.mark.parametrize("name", PAGES)
def test_the_note_leads_to_the_whole_text_and_keeps_the_filter(long_texts: Site, name: str) -> None:
    plain = address(long_texts, name)
    links = set(re.findall(r'<a href="([^"]*)">Show all</a>', long_texts.page(plain)))
    [link] = map(unescape, links)

    page = long_texts.page(plain.partition("?")[0] + link)

    assert ("name=add" in link) is ("name=add" in plain)
    assert "END OF PROMPT" in page
    assert ("END OF ANSWER" in page) is (CUT_ANSWER in PAGES[name][1])
    assert "Show all" not in page


def test_a_text_that_is_not_long_has_no_note(tmp_path: Path) -> None:
    make_run(tmp_path / "short", cases=1, samples=1)
    with site(tmp_path / "short") as running:
        run = f"/r/{running.run_id('short')}"

        assert "Show all" not in running.page(f"{run}/blind")
        assert "Show all" not in running.page(re.findall(rf"{run}/c/[0-9]+", running.page(run))[0])
