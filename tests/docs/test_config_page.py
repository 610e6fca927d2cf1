"""The pages on configuration and money list every key that there is, and show files that can be read."""

from pathlib import Path

import pytest

from steelyard.sources.config.read import read_config
from steelyard.sources.config.shape import FORM
from tests.commands import written
from tests.docs.config_tables import TITLES, config_rows
from tests.docs.pages import DOCS, Page

PAGE = Page(DOCS / "reference" / "config.md")
BUDGET = Page(DOCS / "how-to" / "limit-cost.md")
SHOWN = [
    "\n".join(block.lines) for page in (PAGE, BUDGET) for block in page.blocks if block.language == "toml"
]


@pytest.mark.parametrize("title", TITLES)
def test_every_key_of_a_table_is_listed_with_what_it_means(title: str) -> None:
    assert PAGE.table(title) == config_rows(title), "see tests/docs/config_tables.py"


def test_every_table_has_a_section() -> None:
    assert set(TITLES.values()) == {kind.__name__ for path, kind in FORM.tables.items() if path}


@pytest.mark.parametrize("text", SHOWN)
def test_every_file_that_is_shown_can_be_read(tmp_path: Path, text: str) -> None:
    read_config(written(tmp_path, text, "steelyard.toml"))
