"""Every command and every line of Python that the pages show does what the page says."""

from difflib import unified_diff
from pathlib import Path

import pytest

from tests.docs.execution import LIMIT_S, Shown, run_page
from tests.docs.pages import Page, all_pages

EXECUTED = {"console", "python"}
PAGES = [page for page in all_pages() if EXECUTED & {block.language for block in page.blocks}]


def difference(page: Page, shown: Shown) -> str:
    """Return what the page shows against what was printed."""
    where = f"{page.name}:{shown.first + 1}"
    lines = unified_diff(shown.expected, shown.got, f"{where} (the page)", f"{where} (printed)", lineterm="")
    return "\n".join([f"$ {shown.command}", *lines])


@pytest.mark.timeout(LIMIT_S + 50)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_shows_what_its_commands_print(page: Page, tmp_path: Path) -> None:
    shown = run_page(page, tmp_path)

    wrong = [difference(page, found) for found in shown if found.expected != found.got]

    assert not wrong, "\n\n".join([*wrong, "`python -m tests.docs.refresh` writes the new output"])
