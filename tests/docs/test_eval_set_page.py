"""The reference page of eval sets lists every table and every key that there is."""

import pytest

from steelyard.languages.compiled import RUST
from steelyard.languages.interpreted import PYTHON, TERRAFORM
from steelyard.sources.evalset.settings import EVERY, TEXT
from steelyard.sources.shipped import shipped_sets
from tests.docs.eval_set_tables import rows, titles
from tests.docs.pages import DOCS, Page

PAGE = Page(DOCS / "reference" / "eval-set.md")


@pytest.mark.parametrize("title", titles())
def test_every_key_of_a_table_is_listed_with_what_it_means(title: str) -> None:
    assert PAGE.table(title) == rows(titles()[title]), "see tests/docs/eval_set_tables.py"


def test_every_setting_of_a_shipped_check_is_listed() -> None:
    listed = {(row[0], row[1].strip("`")) for row in PAGE.table("Settings")}

    known = {
        "all": EVERY,
        "python": PYTHON.settings,
        "rust": RUST.settings,
        "terraform": TERRAFORM.settings,
        "text": TEXT,
    }
    assert listed == {(language, name) for language, names in known.items() for name in names}


def test_every_shipped_set_is_listed() -> None:
    assert {row[0].strip("`") for row in PAGE.table("Shipped sets")} == set(shipped_sets())
