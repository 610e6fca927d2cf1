"""The page on threats names tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/explanation/threat-model.md").read_text(encoding="utf-8")


def is_there(named: str) -> bool:
    """Whether a path leads to files, and the test that is named after it stands in one of them."""
    path, _, test = named.partition("::")
    found = list(ROOT.glob(path))
    return any(f"def {test}(" in file.read_text(encoding="utf-8") for file in found) if test else bool(found)


def test_every_test_that_the_page_names_is_there() -> None:
    named = re.findall(r"`(tests/[^`]+)`", PAGE)

    assert len(named) >= 15
    assert [name for name in named if not is_there(name)] == []


def test_every_test_is_named_by_its_whole_path() -> None:
    assert re.findall(r"`test_[^`]+`", PAGE) == []
