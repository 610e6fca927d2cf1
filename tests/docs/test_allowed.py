"""The page on Python lists what tests may use that are apart from the answer, and what they may not."""

from tests.docs.allowed_table import refused, rows
from tests.docs.pages import DOCS, Page

PAGE = Page(DOCS / "how-to" / "check-python.md")


def test_every_module_and_every_name_is_listed() -> None:
    listed = PAGE.table("What tests that are apart may use")

    assert listed == rows(), "see tests/docs/allowed_table.py"


def test_what_is_refused_by_its_name_is_listed() -> None:
    assert PAGE.table_after("These are refused wherever they stand") == refused(), "as above"
